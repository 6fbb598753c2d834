import { isWordKey, type Words } from '../words/words.ts';

/** What held a command to the folder. */
export function sandboxWords(value: string, say: Words['say']): string {
  const known = `enforcement.${value}`;
  return isWordKey(known) ? say(known) : say('enforcement.other', { name: value });
}
