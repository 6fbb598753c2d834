import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '@fucina/shared';
import type { InstructionSource } from './instruction-source.ts';
import { readInstructions } from './instructions.ts';

/** What an agent learns about its folder at the start: the instruction files, and an overview of the files. */
export interface FolderBrief {
  instructions: string;
  /** The files with instructions that were found, by precedence. */
  sources: readonly InstructionSource[];
  map: string;
}

const MAP_ENTRIES = 120;
const ENTRIES_PER_FOLDER = 40;
/** Generated folders; only their names are shown. */
const OPAQUE = new Set([
  '.git',
  'node_modules',
  'dist',
  'build',
  'target',
  'vendor',
  '.venv',
  '__pycache__',
  'coverage',
]);

export async function folderBrief(folder: string): Promise<FolderBrief> {
  const top = await entriesOf(folder);
  const lines: string[] = [];
  const folders = [''];
  for (const { name, isFolder } of top.slice(0, ENTRIES_PER_FOLDER)) {
    lines.push(isFolder ? `${name}/` : name);
    if (!isFolder || OPAQUE.has(name) || lines.length > MAP_ENTRIES) continue;
    folders.push(name);
    const inner = await entriesOf(join(folder, name));
    const shown = inner.slice(0, ENTRIES_PER_FOLDER).map((one) => `  ${one.name}${one.isFolder ? '/' : ''}`);
    lines.push(
      ...shown,
      ...(inner.length > ENTRIES_PER_FOLDER ? [`  … ${inner.length - ENTRIES_PER_FOLDER} more`] : []),
    );
  }
  const missing = top.length - ENTRIES_PER_FOLDER;
  const cut =
    lines.length > MAP_ENTRIES || missing > 0 ? '\n[This listing is truncated; list the rest when you need it.]' : '';
  const { text, sources } = await readInstructions(folder, folders);
  return {
    instructions: text,
    sources,
    map: `Contents of the folder (two levels):\n${lines.slice(0, MAP_ENTRIES).join('\n')}${cut}`,
  };
}

async function entriesOf(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((left, right) => Number(right.isFolder) - Number(left.isFolder) || (left.name < right.name ? -1 : 1));
  } catch (error) {
    if (ABSENT.has(systemCode(error) ?? '')) return [];
    throw error;
  }
}

const ABSENT = new Set(['ENOENT', 'EISDIR', 'EACCES', 'ENOTDIR', 'EPERM']);
