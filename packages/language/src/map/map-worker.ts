import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createFileIndex, linesDeclaring } from './file-index.ts';
import type { MapAnswer, MappedSymbol, MapQuestion } from './map-messages.ts';
import { createOutlines, type OutlineLine } from './outline.ts';
import { OUTLINE_KINDS } from './symbol-kinds.ts';

/** The thread of a repository map: reads its files, ranks them, and outlines the best. */
const { folder } = workerData as { folder: string };
const MAX_FILE_BYTES = 512 * 1024;
/** Of a token; code has about as many. */
const CHARACTERS = 3.5;
/** Generated files and data. */
const MAX_LINE = 2_000;

const index = createFileIndex();
const outline = createOutlines();
const outlines = new Map<string, OutlineLine[]>();
/** By folder: whether its real path is in the project. */
const folders = new Map<string, boolean>();

function isInside(path: string): boolean {
  const parent = dirname(path);
  const known = folders.get(parent);
  if (known !== undefined) return known;
  let isOne = false;
  try {
    isOne = realpathSync(join(folder, parent)) === join(folder, parent);
  } catch {
    // Gone meanwhile.
  }
  folders.set(parent, isOne);
  return isOne;
}

/** Undefined for a link, a file that is gone, too large, or not code. */
function textOf(path: string): string | undefined {
  if (!isInside(path)) return undefined;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(join(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = fstatSync(descriptor);
    if (!facts.isFile() || facts.size > MAX_FILE_BYTES) return undefined;
    const text = readFileSync(descriptor, 'utf8');
    const end = text.indexOf('\n');
    return text.includes('\0') || (end < 0 ? text.length : end) > MAX_LINE ? undefined : text;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function read(path: string): void {
  if (!Object.hasOwn(OUTLINE_KINDS, extname(path).toLowerCase())) return;
  const text = textOf(path);
  outlines.delete(path);
  if (text === undefined) index.remove(path);
  else index.set(path, text);
}

async function linesOf(path: string): Promise<OutlineLine[]> {
  const known = outlines.get(path);
  if (known) return known;
  const text = textOf(path);
  const lines = text === undefined ? [] : await outline(path, text);
  outlines.set(path, lines);
  return lines;
}

async function render({ below, tokens }: Extract<MapQuestion, { kind: 'render' }>): Promise<string> {
  let left = tokens * CHARACTERS;
  const parts: string[] = [];
  const all = index.ranked().filter((path) => below === '' || path.startsWith(`${below}/`) || path === below);
  for (const path of all) {
    const lines = (await linesOf(path)).map(({ line, depth, text }) => `${'  '.repeat(depth + 1)}${line} ${text}`);
    if (lines.length === 0) continue;
    const fitting: string[] = [];
    left -= path.length + 1;
    for (const line of lines) {
      left -= line.length + 1;
      if (left < 0) break;
      fitting.push(line);
    }
    if (fitting.length === 0) break;
    parts.push([path, ...fitting].join('\n'));
  }
  return parts.join('\n');
}

parentPort?.on('message', (question: MapQuestion) => {
  void answer(question).then((text) => parentPort?.postMessage({ id: question.id, text } satisfies MapAnswer));
});

/** A name that is declared twice in a file is two symbols. */
function symbols({ query, limit }: Extract<MapQuestion, { kind: 'symbols' }>): MappedSymbol[] {
  return index
    .declaring(query, limit)
    .flatMap(({ name, path }) => linesDeclaring(textOf(path) ?? '', name).map((line) => ({ name, path, line })))
    .slice(0, limit);
}

async function answer(question: MapQuestion): Promise<string> {
  if (question.kind === 'symbols') return JSON.stringify(symbols(question));
  if (question.kind === 'render') return render(question);
  if (question.kind === 'files') folders.clear();
  for (const path of question.paths) read(path);
  return '';
}
