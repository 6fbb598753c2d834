import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '@fucina/shared';

/** What an agent learns about its folder at the start: the instruction files, and an overview of the files. */
export interface FolderBrief {
  instructions: string;
  map: string;
}

/** Limit for all instruction files together; the model is told about the truncation. */
const INSTRUCTIONS_LIMIT = 24_000;
const INSTRUCTION_FILES = ['AGENTS.md', 'CLAUDE.md'];
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
    lines.length > MAP_ENTRIES || missing > 0 ? '\n[This listing is truncated; list the rest with elenca.]' : '';
  return {
    instructions: await instructionsOf(folder, folders),
    map: `Contents of the folder (two levels):\n${lines.slice(0, MAP_ENTRIES).join('\n')}${cut}`,
  };
}

/** AGENTS.md of each folder, or else CLAUDE.md; outermost first. */
async function instructionsOf(folder: string, folders: readonly string[]): Promise<string> {
  let room = INSTRUCTIONS_LIMIT;
  const parts: string[] = [];
  for (const inner of folders) {
    for (const name of INSTRUCTION_FILES) {
      const path = inner ? `${inner}/${name}` : name;
      const bytes = await readIfThere(join(folder, path));
      if (!bytes) continue;
      const text = bytes
        .subarray(0, room)
        .toString('utf8')
        .replace(/\uFFFD$/, '');
      room = Math.max(0, room - bytes.length);
      const cut =
        text.length < bytes.toString('utf8').length
          ? `\n[Truncated: ${path} is ${bytes.length} bytes; read the rest with leggi.]`
          : '';
      const where = inner ? `, for what is in ${inner}/` : '';
      parts.push(`Project instructions from ${path}${where}:\n${text}${cut}`);
      break;
    }
  }
  return parts.join('\n\n');
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

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (ABSENT.has(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
