import { join } from 'node:path';
import { statInside, type Tool, type ToolContext, type ToolResult } from '@fucina/shared';
import * as z from 'zod';
import { cutMiddle } from './cut.ts';
import { RESULT_BYTES } from './limits.ts';
import { failure, locate, shownPath } from './located-path.ts';
import { createNameFilter } from './name-filter.ts';
import type { ReadingGuard, SearchNeeds, ToolsNeeds } from './needs.ts';
import { roomIn } from './result-room.ts';
import { runRipgrep } from './ripgrep.ts';
import { createNameResults, createSearchResults } from './search-results.ts';
import { pathFailureWithNames } from './suggested-paths.ts';
import { plainOutput } from './terminal-text.ts';

const SEARCH_MS = 20_000;
const MAX_COUNTED = 200_000;
const NOTES_BYTES = 1500;

const input = z.strictObject({
  testo: z.string().min(1).max(2000).optional().describe('text in the files; literal unless regex'),
  nome: z.string().min(1).max(500).optional().describe('part of the path, or a glob such as *.ts or src/**/*.test.ts'),
  percorso: z.string().max(4096).optional().describe('folder or file to search in; default all'),
  regex: z.boolean().optional().describe('testo is a regular expression'),
});
type Input = z.infer<typeof input>;

interface Where {
  root: string;
  /** Starting folder, relative to the root. */
  path: string;
  /** The same, absolute and without links. */
  realFolder: string;
  /** Prefix of the reported paths. */
  prefix: string;
  /** Set when the search is for one file of that folder. */
  onlyName: string | undefined;
}

export function createSearchTool(needs: SearchNeeds): Tool<Input> {
  return {
    name: 'cerca',
    description:
      'Search file contents (testo), file names (nome), or contents of the files so named (both). Lower-case text ignores case. ' +
      'Ignored and binary files are left out; all matches are counted.',
    category: 'base',
    effect: 'read',
    gate: null,
    input,
    action: ({ percorso, ...rest }, { folder }) => ({
      tipo: 'cerca',
      ...rest,
      ...(percorso === undefined ? {} : { percorso: shownPath(percorso, folder) }),
    }),
    async run(wanted, context) {
      if (wanted.testo === undefined && wanted.nome === undefined)
        return failure('Say what to search for: a text, a name or both.');
      try {
        const where = await startOf(wanted.percorso ?? '', context);
        if (wanted.testo === undefined) return await findNames(needs, { where, wanted, context });
        // A file that the call itself names was judged with it.
        const isGuarded = where.onlyName === undefined ? await needs.guardsReading?.(context.folder) : undefined;
        return await findText(needs, { where, wanted, context, text: wanted.testo, isGuarded });
      } catch (error) {
        return pathFailureWithNames(error, wanted.percorso ?? '.', { needs, context });
      }
    },
  };
}

interface Search {
  where: Where;
  wanted: Input;
  context: ToolContext;
}

async function startOf(percorso: string, context: ToolContext): Promise<Where> {
  const place = locate(percorso, context);
  const { stats, realPath } = await statInside(place.root, place.path);
  const prefix = place.label === '' ? '' : `${place.label}/`;
  const { root } = place;
  if (stats.isDirectory()) {
    return { root, path: place.path, realFolder: join(root, realPath), prefix, onlyName: undefined };
  }
  const cut = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
  const onlyName = realPath.slice(realPath.lastIndexOf('/') + 1);
  return { root, path: cut(realPath), realFolder: join(root, cut(realPath)), prefix: cut(place.label), onlyName };
}

/** Whether a path, relative to the searched folder, is wanted. */
function pathFilter({ where, wanted }: Search): (path: string) => boolean {
  const fits = wanted.nome === undefined ? () => true : createNameFilter(wanted.nome);
  return (path) => (where.onlyName === undefined || path === where.onlyName) && fits(where.prefix + path);
}

async function findNames(needs: ToolsNeeds, search: Search): Promise<ToolResult> {
  const { where, context } = search;
  const isWanted = pathFilter(search);
  const found = createNameResults();
  const { ending, isStopped } = await runRipgrep(needs, {
    root: where.root,
    path: where.path,
    signal: context.signal,
    timeoutMs: SEARCH_MS,
    separator: '\0',
    args: ['--files', '--sort=path'],
    onRecord(record) {
      const path = withoutDot(record);
      if (isWanted(path)) found.add(where.prefix + path);
      return found.total() < MAX_COUNTED;
    },
  });
  if (found.total() === 0) return { content: 'No file has such a name (ignored files are not searched).' };
  const room = roomIn(context, RESULT_BYTES) - NOTES_BYTES;
  return { content: found.text({ isPartial: isStopped || ending !== 'exit', room }) };
}

interface TextSearch extends Search {
  text: string;
  isGuarded: ReadingGuard | undefined;
}

async function findText(needs: ToolsNeeds, search: TextSearch): Promise<ToolResult> {
  const { where, wanted, context, isGuarded } = search;
  const isWanted = pathFilter(search);
  const found = createSearchResults();
  const note = isGuarded ? GUARDED : '';
  const { ending, isStopped, exitCode, stderr } = await runRipgrep(needs, {
    root: where.root,
    path: where.path,
    signal: context.signal,
    timeoutMs: SEARCH_MS,
    separator: '\n',
    args: textArguments(search),
    onRecord(record) {
      const zero = record.indexOf('\0');
      const path = withoutDot(record.slice(0, zero));
      if (zero < 0 || !isWanted(path)) return true;
      if (isGuarded?.(join(where.realFolder, path))) return true;
      const line = plainOutput(record.slice(zero + 1)).replace(/^(\d+):/, '$1: ');
      found.add(where.prefix + path, line);
      return found.total() < MAX_COUNTED;
    },
  });
  if (found.total() === 0) {
    if (ending === 'exit' && exitCode === 2 && wanted.regex) return failure(badPattern(stderr.bytes.toString('utf8')));
    if (ending !== 'exit') return failure('The search took too long. Narrow it to a folder or to names.');
    return { content: `No match (ignored and binary files are not searched).${note}` };
  }
  const room = roomIn(context, RESULT_BYTES) - NOTES_BYTES;
  const content = found.text({ isPartial: isStopped || ending !== 'exit', room });
  return { content: content + note };
}

/** The same with and without matches: a count would reveal what is in them. */
const GUARDED = '\nFiles that a permission rule guards are not searched.';

function textArguments({ where, wanted, text }: TextSearch): string[] {
  return [
    '--line-number',
    '--no-heading',
    '--with-filename',
    '--max-columns=240',
    '--max-columns-preview',
    '--sort=path',
    '--smart-case',
    ...(where.onlyName === undefined ? [] : ['--max-depth=1']),
    ...(wanted.regex ? [] : ['--fixed-strings']),
    ...(text.includes('\n') ? ['--multiline'] : []),
    `--regexp=${text}`,
  ];
}

function badPattern(stderr: string): string {
  const [reason] = cutMiddle(plainOutput(stderr).trim(), 500).text.split('\n').slice(-1);
  return `The regular expression is not valid: ${reason ?? ''}`;
}

function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}
