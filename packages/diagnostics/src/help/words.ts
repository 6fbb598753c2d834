const STOP_WORDS = new Set(
  `alla alle agli allo anche avere che chi come con cosa cui dal dalla dalle dei del della delle degli dello devo dove
   dopo ecco era essere fare gli hai hanno ho il io la le lei loro lui mia mie mio nei nel nella nelle noi non ogni per
   perche piu posso puo qual quale quali quando quanto quel quella questa queste questi questo se sei senza si solo sono
   sta su sua sue sugli sul sulla suo tra tu tua tue tuo un una uno usare voglio vorrei
   about all and any are but can cannot could did does doing for from get had has have her his how into its just make
   may more must not off one our out own she should some such than that the their them then there these they this those
   through too use used using very want was were what when where which who why will with would you your`.split(/\s+/),
);

const MIN_LETTERS = 3;

/** Words in order, lower case, accents folded. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The words of a question that say what it is about, each once. */
export function significantWords(question: string): string[] {
  return [...new Set(wordsOf(question).filter((word) => word.length >= MIN_LETTERS && !STOP_WORDS.has(word)))];
}

/**
 * Strips the last letter of a longer word, which changes with number and gender: `permesso`, `permessi`; `key`, `keys`.
 */
export function isSameWord(asked: string, written: string): boolean {
  const stem = asked.length > 4 ? asked.slice(0, -1) : asked;
  return written.startsWith(stem) && written.length <= asked.length + 2;
}
