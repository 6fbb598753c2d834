import { basename, extname } from 'node:path';
import { isWithin, type PathError, type ToolCheckContext, type ToolResult } from '@fucina/shared';
import { listFiles } from './file-list.ts';
import { failure, pathFailure } from './located-path.ts';
import type { ToolsNeeds } from './needs.ts';

const MAX_FILES = 50_000;
const MAX_SUGGESTED = 3;
const MAX_MS = 3_000;

export interface SuggestionPlace {
  needs: ToolsNeeds;
  context: Pick<ToolCheckContext, 'folder'> & { signal?: AbortSignal };
}

/** Why a path cannot be used, with the paths of the folder that may be meant. Other errors are rethrown. */
export async function pathFailureWithNames(error: unknown, text: string, place: SuggestionPlace): Promise<ToolResult> {
  const plain = pathFailure(error, text);
  const { problem } = error as PathError;
  if (!['missing', 'outside', 'invalid', 'not-a-folder'].includes(problem)) return plain;
  const names = await meantNames(text, place);
  return names === '' ? plain : failure(`${plain.content.replace(' Search for its name.', '')} ${names}`);
}

/** A question for the model, or nothing. */
export async function meantNames(text: string, { needs, context }: SuggestionPlace): Promise<string> {
  const { path, line } = spelled(text, context.folder);
  const wanted = path.toLowerCase().split('/').filter(Boolean);
  if (wanted.length === 0) return '';
  const limit = AbortSignal.timeout(MAX_MS);
  const signal = context.signal ? AbortSignal.any([context.signal, limit]) : limit;
  // Without the folder itself there is nothing to propose.
  const { paths } = await listFiles(needs, { folder: context.folder, limit: MAX_FILES, signal }).catch(() => ({
    paths: [],
  }));
  const names = new Set(paths.flatMap((one) => [one, ...foldersOf(one)]));
  const best = [...names]
    .map((name) => ({ name, score: likeness(wanted, name) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  const [first] = best;
  if (!first) return '';
  const meant = best
    .filter(({ score }) => score === first.score || score < EXACT)
    .slice(0, first.score >= EXACT ? 1 : MAX_SUGGESTED);
  const at = line === undefined ? '' : ` with da=${line}`;
  return `Did you mean ${meant.map(({ name }) => name).join(' or ')}${at}?`;
}

/** Without quotes, a scheme, backslashes, the folder itself, and the line that follows the name. */
function spelled(text: string, folder: string): { path: string; line: string | undefined } {
  const unquoted = text.trim().replace(/^(["'`])(.*)\1$/, '$2');
  const plain = unquoted.replace(/^file:\/\//, '').replaceAll('\\', '/');
  const [, name = plain, line] = /^(.*?[^:/]):(\d+)(?::\d+)?(?:-\d+)?$/.exec(plain) ?? [];
  const inside = name.startsWith('/') && isWithin(folder, name) ? name.slice(folder.length) : name;
  return { path: inside.replace(/^(?:\.\/|@)+/, ''), line };
}

const EXACT = 100;

/** How well a name fits, 0 for not at all: only case differs, the same last parts, the same stem, a slip of the pen. */
function likeness(wanted: readonly string[], name: string): number {
  const parts = name.toLowerCase().split('/');
  let same = 0;
  while (same < Math.min(parts.length, wanted.length) && parts.at(-1 - same) === wanted.at(-1 - same)) same++;
  if (same === parts.length && same === wanted.length) return EXACT;
  if (same > 0) return 50 + same;
  const [last = '', asked = ''] = [parts.at(-1), wanted.at(-1)];
  const isSibling = parts.slice(0, -1).join('/') === wanted.slice(0, -1).join('/');
  if (isSibling && stemOf(last) === stemOf(asked)) return 40;
  if (asked.length < 4 || Math.abs(last.length - asked.length) > 2) return 0;
  const most = isSibling ? 2 : 1;
  return slips(last, asked, most) <= most ? 20 + (isSibling ? 10 : 0) : 0;
}

const stemOf = (name: string): string => basename(name, extname(name));

/** The number of single characters to change, `most` + 1 for more. */
function slips(a: string, b: string, most: number): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (before[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      now.push(Math.min(change, (before[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1));
    }
    if (Math.min(...now) > most) return most + 1;
    before = now;
  }
  return before[b.length] ?? 0;
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
