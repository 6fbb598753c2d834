import { isWordKey, type Words } from '../words/words.ts';

/** How a command was sandboxed. */
export function sandboxWords(value: string, say: Words['say']): string {
  const known = `enforcement.${value}`;
  return isWordKey(known) ? say(known) : say('enforcement.other', { name: value });
}
