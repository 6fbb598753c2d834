import type { DialogueNeeds } from './dialogue.ts';

/**
 * One of those letters, each with the words that offer it; anything else asks again. Undefined when the terminal was
 * closed. An Italian `s` is a `y`.
 */
export async function askChoice<Letter extends string>(
  offers: Readonly<Record<Letter, string>>,
  { terminal: { errorStyle: style }, readLine }: Pick<DialogueNeeds, 'terminal' | 'readLine'>,
): Promise<Letter | undefined> {
  const prompt = `  ${Object.values(offers).join(style.muted(' · '))} ${style.accent('›')} `;
  const letters = Object.keys(offers) as Letter[];
  for (;;) {
    const typed = (await readLine(prompt))?.trim().toLowerCase();
    if (typed === undefined) return undefined;
    const letter = letters.find((one) => one === (typed === 's' ? 'y' : typed));
    if (letter) return letter;
  }
}
