import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import ignore, { type Ignore } from 'ignore';
import { isIgnoredFolder } from '../ignore-rules.ts';
import { isSkipped } from './skipped.ts';

export interface ScannedTree {
  /** Relative, `/`-separated: everything that is watched. */
  paths: string[];
  folders: Set<string>;
  /** Folders left out: ignored, unreadable, or with a path that the system does not take. */
  closed: string[];
}

const MAX_RULES_BYTES = 4 * 1024 ** 2;
/** Systems take paths of 4,096 bytes; a name has up to 255. */
const MAX_PATH_BYTES = 3_800;
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface ScanOptions {
  appliesRules: boolean;
  /** Relative; the root if absent. */
  below?: string;
}

/** Reads the folders at all depths. Blocks: for a process that does nothing else. */
export function scanTree(root: string, { appliesRules, below = '' }: ScanOptions): ScannedTree {
  const rules = new Map<string, Ignore>();
  if (appliesRules) for (const folder of foldersAbove(below)) readRules(root, folder, { rules });
  const tree: ScannedTree = { paths: [], folders: new Set(), closed: [] };
  const waiting = [below];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = entriesOf(`${root}/${folder}`);
    if (!entries) {
      if (folder !== '') tree.closed.push(folder);
      continue;
    }
    if (appliesRules) readRules(root, folder, { entries, rules });
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // Text that does not name the file again.
      if (isSkipped(entry.name) || entry.name.includes('\uFFFD')) continue;
      if (!entry.isDirectory()) {
        tree.paths.push(path);
        continue;
      }
      if (isIgnoredFolder(path, rules) || isTooLong(`${root}/${path}`)) tree.closed.push(path);
      else {
        tree.paths.push(path);
        tree.folders.add(path);
        waiting.push(path);
      }
    }
  }
  return tree;
}

/** Whether the rules of the folders above leave out this folder, or one that it is in. */
export function isIgnoredIn(root: string, path: string): boolean {
  const rules = new Map<string, Ignore>();
  for (const folder of foldersAbove(path)) readRules(root, folder, { rules });
  return [...foldersAbove(path), path].some((folder) => folder !== '' && isIgnoredFolder(folder, rules));
}

/** From the root on; none for the root itself. */
function foldersAbove(path: string): string[] {
  const names = path === '' ? [] : path.split('/');
  return names.map((_name, at) => names.slice(0, at).join('/'));
}

const isTooLong = (path: string): boolean => Buffer.byteLength(path) > MAX_PATH_BYTES;

/** Undefined for a folder that cannot be read, or is gone. */
export function entriesOf(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

interface Reading {
  /** Absent: not known. */
  entries?: readonly Dirent[];
  rules: Map<string, Ignore>;
}

function readRules(root: string, folder: string, { entries, rules }: Reading): void {
  const place = folder === '' ? root : `${root}/${folder}`;
  const has = (name: string): boolean => entries?.some((entry) => entry.name === name) ?? true;
  const texts = [
    ...(has('.git') ? textOf(`${place}/.git/info/exclude`) : []),
    ...(has('.gitignore') ? textOf(`${place}/.gitignore`) : []),
  ];
  if (texts.length === 0) return;
  rules.set(folder, ignore({ ignorecase: false, allowRelativePaths: false }).add(texts.join('\n')));
}

/** Nothing for what is no small regular file: then more is watched. */
function textOf(path: string): string[] {
  let file: number | undefined;
  try {
    file = openSync(path, READ);
    const facts = fstatSync(file);
    return facts.isFile() && facts.size <= MAX_RULES_BYTES ? [readFileSync(file, 'utf8')] : [];
  } catch {
    return [];
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
