import { listInside, PathError, textStart } from '@fucina/shared';
import { parseFrontMatter } from '../front-matter.ts';
import { type LeftOutReason, readBeginning, textOf } from './instruction-source.ts';

/** A file of `.cursor/rules`. */
export interface CursorRule {
  path: string;
  sizeBytes: number;
  /** `always`: for every task. `listed`: for some files, or for a subject. */
  use:
    | { kind: 'always'; text: string }
    | { kind: 'listed'; line: string }
    | { kind: 'left-out'; reason: LeftOutReason };
}

const RULES = '.cursor/rules';
const MAX_RULES = 100;
const MAX_FOLDERS = 50;
const MAX_ENTRIES = 1_000;
const SHOWN_CHARS = 200;

/** The rules of a folder by path, also those in folders below `.cursor/rules`. Of each, at most `maxBytes` are read. */
export async function readCursorRules(root: string, maxBytes: number): Promise<CursorRule[]> {
  const paths = await rulePaths(root);
  const rules = await Promise.all(paths.slice(0, MAX_RULES).map((path) => readRule(root, path, maxBytes)));
  const rest = paths.slice(MAX_RULES).map((path) => leftOut(path, 'too-many'));
  return [...rules.filter((rule) => rule !== undefined), ...rest];
}

async function readRule(root: string, path: string, maxBytes: number): Promise<CursorRule | undefined> {
  const read = await readBeginning(root, path, maxBytes);
  if (!read) return undefined;
  if ('reason' in read) return leftOut(path, read.reason);
  const { sizeBytes } = read;
  const { field, list, body } = parseFrontMatter(textOf(read.bytes));
  if (field('alwaysApply') === 'true') return { path, sizeBytes, use: { kind: 'always', text: body.trim() } };
  const globs = oneLine(list('globs').join(', '));
  const description = oneLine(field('description') ?? '');
  if (!globs && !description) return { ...leftOut(path, 'on-request'), sizeBytes };
  const files = globs ? ` (files: ${globs})` : '';
  return {
    path,
    sizeBytes,
    use: { kind: 'listed', line: `- ${path}${files}${description ? `: ${description}` : ''}` },
  };
}

function leftOut(path: string, reason: LeftOutReason): CursorRule {
  return { path, sizeBytes: 0, use: { kind: 'left-out', reason } };
}

async function rulePaths(root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [RULES];
  for (let at = 0; at < Math.min(folders.length, MAX_FOLDERS); at += 1) {
    const folder = folders[at] ?? '';
    for (const { name, kind } of await entriesOf(root, folder)) {
      // A folder that is a link could contain itself.
      if (kind === 'folder') folders.push(`${folder}/${name}`);
      else if (name.endsWith('.mdc')) found.push(`${folder}/${name}`);
    }
  }
  return found.sort().slice(0, MAX_ENTRIES);
}

async function entriesOf(root: string, folder: string) {
  try {
    return (await listInside(root, folder, MAX_ENTRIES)).entries;
  } catch (error) {
    if (error instanceof PathError) return [];
    throw error;
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARS ? `${textStart(line, SHOWN_CHARS)}…` : line;
}
