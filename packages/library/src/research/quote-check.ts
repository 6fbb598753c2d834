import { fold } from '../notes-tasks-memories/store.ts';

/** Words and digits alone: what is left of a text when its marks, blanks, case and accents are not counted. */
const bare = (text: string): string =>
  fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const SHORTEST = 12;

/** Whether these words stand in the source; a few letters prove nothing. */
export function isQuotedIn(passage: string, source: string): boolean {
  const words = bare(passage);
  return words.length >= SHORTEST && bare(source).includes(words);
}
