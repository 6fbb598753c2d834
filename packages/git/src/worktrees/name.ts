import { textStart } from '@fucina/shared';

const MAX_CHARS = 40;
const MAX_WORDS = 6;
const WITHOUT_NAME = 'worktree';
/** Windows reserves them as device names. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** A short name from a task or a branch: `a-z`, digits and single hyphens, safe as a folder and in a branch's name. */
export function worktreeName(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, MAX_WORDS);
  let name = '';
  for (const word of words) {
    const longer = name === '' ? textStart(word, MAX_CHARS) : `${name}-${word}`;
    if (longer.length > MAX_CHARS) break;
    name = longer;
  }
  return name === '' || RESERVED.test(name) ? WITHOUT_NAME : name;
}
