import { fold } from '../notes-tasks-memories/store.ts';

/** Only letters and digits: punctuation, spaces, case and accents are ignored. */
const bare = (text: string): string =>
  fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const SHORTEST = 12;

/** Whether the quote occurs in the source; very short quotes do not count. */
export function isQuotedIn(passage: string, source: string): boolean {
  const words = bare(passage);
  return words.length >= SHORTEST && bare(source).includes(words);
}
