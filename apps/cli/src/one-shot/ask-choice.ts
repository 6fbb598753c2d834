import type { DialogueNeeds } from './dialogue.ts';

/**
 * Asks for one of these letters, each with its label, until one is typed. Undefined when the terminal was closed. An
 * Italian `s` counts as `y`.
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
