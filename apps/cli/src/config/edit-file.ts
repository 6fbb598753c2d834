import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, PathError, realFolder, writeFileAtomically, writeFileInside } from '@fucina/shared';
import { applyEdits, type FormattingOptions, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser';
import type { Io } from '../io.ts';
import { withLock } from '../with-lock.ts';
import { FORMAT_VERSION } from './keys.ts';
import { fatalProblem, invalidFile, parseSettings, readSettingsFile, type SettingsFile } from './settings-file.ts';
import { configDir, PROJECT_FILE, realPathOf, type SettingsPlace } from './settings-paths.ts';

const EMPTY = `{\n  "version": ${FORMAT_VERSION}\n}\n`;
/** The earlier name of the key that version 1 of the format called differently. */
const OLD_KEY_STORE = '{base_url}';

/** One change at a time across processes. Throws SESSION_STORE_BUSY after five seconds. */
export async function withSettingsLock<Result>(io: Io, change: () => Promise<Result>): Promise<Result> {
  return withLock(join(configDir(io), 'settings.lock'), await io.ambient('silent'), change);
}

/** Sets one key, or deletes it with `undefined`; returns false when it was missing. Throws CONFIG_INVALID. */
export async function changeKey(place: SettingsPlace, key: string, value: unknown): Promise<boolean> {
  const file = readForEditing(place);
  // Also fixes an invalid value: its spelling in the file is found by name.
  const spelling = spellingOf(file, key);
  if (value === undefined && !spelling) return false;
  await writeSettings(place, withKey(file.text ?? EMPTY, spelling ?? key.split('.'), value));
  return true;
}

export interface Migration {
  /** Path of the backup; undefined: nothing had to change. */
  copy?: string;
}

/** Migrates a file of version 1, or without a version, to the current format. */
export async function migrateFile(place: SettingsPlace): Promise<Migration> {
  const file = readForEditing(place);
  if (file.text === undefined || file.values.get('version')?.value === FORMAT_VERSION) return {};
  const text = withKey(withNewKeyStore(file.text), ['version'], FORMAT_VERSION);
  const problem = fatalProblem(parseSettings(text, place.scope), true);
  if (problem) throw invalidFile(place.path, problem);
  const copy = await keepCopy(place, file.text);
  await writeSettings(place, text);
  return { copy };
}

function readForEditing(place: SettingsPlace): SettingsFile {
  const file = readSettingsFile(place);
  const problem = fatalProblem(file, true);
  if (problem) throw invalidFile(file.path, problem);
  return file;
}

/** The spelling in the file: a group may use dots. */
function spellingOf(file: SettingsFile, key: string): readonly string[] | undefined {
  const root = file.text === undefined ? undefined : parseTree(file.text, [], { allowTrailingComma: true });
  return root && find(root, key);
}

function find(group: Node, key: string): string[] | undefined {
  for (const { children: [name, node] = [] } of group.children ?? []) {
    const own = String(name?.value);
    if (own === key) return [own];
    if (node?.type !== 'object' || !key.startsWith(`${own}.`)) continue;
    const inner = find(node, key.slice(own.length + 1));
    if (inner) return [own, ...inner];
  }
  return undefined;
}

function withKey(text: string, path: readonly string[], value: unknown): string {
  const formattingOptions = formatOf(text);
  const root = parseTree(text, [], { allowTrailingComma: true });
  const group = path.slice(0, -1);
  // A missing group is inserted as one value.
  if (value !== undefined && group.length > 0 && root && !findNodeAtLocation(root, group)) {
    return withKey(text, group, { [String(path.at(-1))]: value });
  }
  return (
    insertedAfterComment(text, path, value) ?? applyEdits(text, modify(text, [...path], value, { formattingOptions }))
  );
}

/**
 * Inserts a key after one whose line ends in a comment, which stays with its key. Undefined without such a comment.
 */
function insertedAfterComment(text: string, path: readonly string[], value: unknown): string | undefined {
  const { insertSpaces, tabSize = 2, eol = '\n' } = formatOf(text);
  const root = parseTree(text, [], { allowTrailingComma: true });
  const group = root && findNodeAtLocation(root, path.slice(0, -1));
  const last = group?.children?.at(-1);
  if (value === undefined || !last || (root && findNodeAtLocation(root, [...path]))) return undefined;
  const end = last.offset + last.length;
  const [rest = ''] = text.slice(end).split(/\r?\n/, 1);
  const comment = /^[ \t]*(,?)[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/[ \t]*)$/.exec(rest);
  if (!comment || !text.slice(end + rest.length).match(/^\r?\n/)) return undefined;
  const indent = /[ \t]*$/.exec(text.slice(0, last.offset))?.[0] ?? '';
  const unit = insertSpaces === false ? '\t' : ' '.repeat(tabSize);
  const json = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
  const name = JSON.stringify(path.at(-1));
  const comma = comment[1] === ',' ? '' : ',';
  const tail = comment[1];
  return `${text.slice(0, end)}${comma}${rest}${eol}${indent}${name}: ${json}${tail}${text.slice(end + rest.length)}`;
}

function withNewKeyStore(text: string): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const has = (key: string): boolean => root?.children?.some(({ children }) => children?.[0]?.value === key) ?? false;
  const old = root?.children?.find(({ children }) => children?.[0]?.value === OLD_KEY_STORE)?.children?.[0];
  if (!old || has('keyStore')) return text;
  return `${text.slice(0, old.offset)}"keyStore"${text.slice(old.offset + old.length)}`;
}

function formatOf(text: string): FormattingOptions {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  const isTabs = indent.startsWith('\t');
  return {
    insertSpaces: !isTabs,
    tabSize: isTabs ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    insertFinalNewline: false,
  };
}

const MAX_COPIES = 100;

/** In the same folder, with the first free name. */
async function keepCopy(place: SettingsPlace, text: string): Promise<string> {
  for (let count = 1; count <= MAX_COPIES; count++) {
    const suffix = `.v1${count === 1 ? '' : `-${count}`}.bak`;
    try {
      await writeSettings(place, text, suffix);
      return place.path + suffix;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  throw new AppError('CONFIG_INVALID', { params: { setting: place.path } });
}

function isTaken(error: unknown): boolean {
  const { problem, code } = error as { problem?: unknown; code?: unknown };
  return problem === 'exists' || code === 'EEXIST';
}

/** All or nothing. A user's own file is 0600; a project's stays inside the project, links resolved. */
async function writeSettings({ path, root }: SettingsPlace, text: string, suffix = ''): Promise<void> {
  const ifExists = suffix ? 'fail' : 'replace';
  if (root === undefined) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A link to a user's settings file stays a link.
    await writeFileAtomically(realPathOf(path) + suffix, text, { exactMode: 0o600, ifExists });
    return;
  }
  try {
    const write = { data: text, createFolders: true, ifExists } as const;
    await writeFileInside(await realFolder(root), PROJECT_FILE + suffix, write);
  } catch (error) {
    if (!(error instanceof PathError) || error.problem === 'exists') throw error;
    throw new AppError('CONFIG_INVALID', { params: { setting: path }, cause: error });
  }
}
