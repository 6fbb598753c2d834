/** One file of a patch. `line` is that of its heading in the patch, from 1. */
export type FilePatch =
  | { kind: 'add'; path: string; line: number; content: string }
  | { kind: 'delete'; path: string; line: number }
  | { kind: 'update'; path: string; line: number; to: string | undefined; chunks: readonly PatchChunk[] };

/** Lines of a file and what replaces them. */
export interface PatchChunk {
  /** Of its first line in the patch. */
  line: number;
  /** Lines after which it stands, from the outside in. */
  anchors: readonly string[];
  old: readonly string[];
  fresh: readonly string[];
  isAtEnd: boolean;
}

export interface PatchProblem {
  line: number;
  problem: string;
}

export type ParsedPatch = readonly FilePatch[] | PatchProblem;

const HEADING = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const MOVE = /^\*\*\* Move to: (.+?)\s*$/;
const END_OF_FILE = '*** End of File';

interface Lines {
  all: readonly string[];
  at: number;
}

/** The files of a patch, or its first line that is no part of one. */
export function parsePatch(text: string): ParsedPatch {
  const all = text.trim().split(/\r?\n/);
  if (all[0]?.trim() !== '*** Begin Patch') return { line: 1, problem: 'a patch begins with "*** Begin Patch"' };
  if (all.at(-1)?.trim() !== '*** End Patch') return { line: all.length, problem: 'a patch ends with "*** End Patch"' };
  const lines: Lines = { all: all.slice(0, -1), at: 1 };
  const files: FilePatch[] = [];
  while (lines.at < lines.all.length) {
    const file = nextFile(lines);
    if (file === undefined) continue;
    if ('problem' in file) return file;
    const twice = files.some((one) => pathsOf(one).some((path) => pathsOf(file).includes(path)));
    if (twice) return { line: file.line, problem: `${file.path} is in the patch twice; put its changes together` };
    files.push(file);
  }
  return files.length > 0 ? files : { line: 1, problem: 'the patch has no file' };
}

/** The paths that a file's part of the patch touches. */
export function pathsOf(file: FilePatch): readonly string[] {
  return file.kind === 'update' && file.to !== undefined ? [file.path, file.to] : [file.path];
}

/** Undefined for an empty line between files. */
function nextFile(lines: Lines): FilePatch | PatchProblem | undefined {
  const text = lines.all[lines.at] ?? '';
  const line = lines.at + 1;
  lines.at += 1;
  if (text.trim() === '') return undefined;
  const [, kind, path = ''] = HEADING.exec(text) ?? [];
  if (kind === 'Add') return added(lines, path, line);
  if (kind === 'Delete') return { kind: 'delete', path, line };
  if (kind === 'Update') return updated(lines, path, line);
  return { line, problem: 'expected "*** Add File: …", "*** Update File: …" or "*** Delete File: …"' };
}

function isHeading(text: string | undefined): boolean {
  return text !== undefined && HEADING.test(text);
}

function added(lines: Lines, path: string, line: number): FilePatch | PatchProblem {
  const content: string[] = [];
  for (; lines.at < lines.all.length && !isHeading(lines.all[lines.at]); lines.at += 1) {
    const text = lines.all[lines.at] ?? '';
    if (text.startsWith('+')) content.push(text.slice(1));
    else if (text.trim() !== '') return { line: lines.at + 1, problem: 'each line of a new file begins with "+"' };
  }
  return { kind: 'add', path, line, content: content.map((one) => `${one}\n`).join('') };
}

function updated(lines: Lines, path: string, line: number): FilePatch | PatchProblem {
  const to = MOVE.exec(lines.all[lines.at] ?? '')?.[1];
  if (to !== undefined) lines.at += 1;
  const chunks: PatchChunk[] = [];
  while (lines.at < lines.all.length && !isHeading(lines.all[lines.at])) {
    const chunk = nextChunk(lines);
    if ('problem' in chunk) return chunk;
    if (chunk.old.length + chunk.fresh.length > 0) chunks.push(chunk);
  }
  if (chunks.length === 0 && to === undefined) return { line, problem: `no change of ${path} follows` };
  return { kind: 'update', path, line, to, chunks };
}

/** Of a unified diff come the numbers between the marks, which are not needed. */
const ANCHOR = /^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)?(.*)$/;

function nextChunk(lines: Lines): PatchChunk | PatchProblem {
  const line = lines.at + 1;
  const anchors: string[] = [];
  for (; lines.all[lines.at]?.startsWith('@@'); lines.at += 1) {
    const anchor = ANCHOR.exec(lines.all[lines.at] ?? '')?.[1]?.trim();
    if (anchor) anchors.push(anchor);
  }
  const old: string[] = [];
  const fresh: string[] = [];
  let isAtEnd = false;
  for (; lines.at < lines.all.length && !isAtEnd; lines.at += 1) {
    const text = lines.all[lines.at] ?? '';
    if (text.startsWith('@@') || isHeading(text)) break;
    const [sign, rest] = [text[0] ?? ' ', text.slice(1)];
    if (text.trimEnd() === END_OF_FILE) isAtEnd = true;
    else if (sign !== '+' && sign !== '-' && sign !== ' ') {
      return { line: lines.at + 1, problem: 'each line of a change begins with " ", "-", "+" or "@@"' };
    } else {
      if (sign !== '+') old.push(rest);
      if (sign !== '-') fresh.push(rest);
    }
  }
  return { line, anchors, isAtEnd, ...withoutLastBlank(old, fresh) };
}

/** An empty line before the next heading is no line of the file. */
function withoutLastBlank(old: string[], fresh: string[]): Pick<PatchChunk, 'old' | 'fresh'> {
  const isBlank = old.length > 0 && fresh.length > 0 && old.at(-1) === '' && fresh.at(-1) === '';
  return isBlank ? { old: old.slice(0, -1), fresh: fresh.slice(0, -1) } : { old, fresh };
}
