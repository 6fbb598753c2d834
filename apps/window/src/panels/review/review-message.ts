import type { Words } from '../../words/words.ts';
import type { Placed } from './review-comment.ts';

/** Longest quoted line, in characters: generated files have very long lines. */
const LONGEST_QUOTE = 400;

const longestTicks = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));

function inlineCode(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

function fenced(text: string): string[] {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return [fence, text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text, fence];
}

/** In the order of the files and of their lines; a removed line comes before the one in its place. */
export const inOrder = <Comment extends Placed>(comments: readonly Comment[]): Comment[] =>
  [...comments].sort(
    (one, other) => one.path.localeCompare(other.path) || one.line - other.line || -one.side.localeCompare(other.side),
  );

/** One message of all comments, as a numbered Markdown list: place, quoted line, comment. */
export function reviewMessage(comments: readonly Placed[], say: Words['say']): string {
  const entries = inOrder(comments).map(({ path, side, line, quote, text, isOutdated }, at) => {
    const mark = `${at + 1}. `;
    const place = say(`review.message.${side}`, { path: inlineCode(path), line });
    const head = isOutdated ? say('review.message.outdated', { place }) : place;
    const quoted = quote.trim() === '' ? [] : fenced(quote);
    const body = [...quoted, ...text.trim().split('\n')].map((row) =>
      row === '' ? '' : `${' '.repeat(mark.length)}${row}`,
    );
    return [`${mark}${head}:`, ...body].join('\n');
  });
  return [say('review.message', { count: entries.length }), ...entries].join('\n\n');
}
