import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { isWithin, readRegularFile, systemCode } from '@fucina/shared';

/** Everything that a start would execute. */
export interface ExecutedContents {
  /** The project's folder, absolute and real. */
  folder: string;
  /** As declared in the project: command, arguments, allowed tools … */
  definition: unknown;
  /** Program (absolute) and arguments. */
  argv: readonly string[];
  /** Variables of this start only. */
  environment?: Readonly<Record<string, string>>;
  /** Where the program starts, for relative arguments. Default: the project's folder. */
  startFolder?: string | undefined;
}

/**
 * SHA-256 (hex) of what would run: the definition, the arguments, the variables, the resolved program, the bytes of
 * every project file that the arguments name, and those of the file in which a runner such as npm looks names up.
 * Recomputed before every start: one changed byte gives another fingerprint. Files that these load are not part of it.
 */
export async function fingerprintOf(contents: ExecutedContents): Promise<string> {
  const { folder, definition, argv, environment = {}, startFolder = folder } = contents;
  const [program = '', ...args] = argv;
  const files: unknown[] = [await factsOf(folder, program)];
  for (const argument of args) {
    for (const named of pathsIn(argument)) {
      const facts = await factsOf(folder, resolve(startFolder, named));
      if (facts) files.push(facts);
    }
  }
  files.push(...(await lookedUpBy(argv, { folder, startFolder })));
  const variables = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify({ rule: 1, definition, argv, variables, files }))
    .digest('hex');
}

const SCRIPTS = { 'package.json': 'scripts' };
const MAKE = { GNUmakefile: null, makefile: null, Makefile: null };

/**
 * By runner: the files that say what a name means, such as `serve` in `npm run serve`, with the member of a JSON file
 * that says it. Null: the whole file.
 */
const LOOKED_UP: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  node: SCRIPTS,
  npm: SCRIPTS,
  pnpm: SCRIPTS,
  yarn: SCRIPTS,
  bun: SCRIPTS,
  deno: { 'deno.json': 'tasks', 'deno.jsonc': null, ...SCRIPTS },
  composer: { 'composer.json': 'scripts' },
  make: MAKE,
  gmake: MAKE,
  just: { justfile: null, Justfile: null, '.justfile': null },
  task: { 'Taskfile.yml': null, 'Taskfile.yaml': null },
  rake: { Rakefile: null, rakefile: null },
};

const MAX_MANIFEST = 4 * 1024 * 1024;

interface Place {
  folder: string;
  startFolder: string;
}

/** Of the files of a runner in the start folder, and above it in the project. */
async function lookedUpBy(argv: readonly string[], { folder, startFolder }: Place): Promise<FileFacts[]> {
  const [program = '', ...args] = argv;
  const name = basename(program, extname(program)).toLowerCase();
  const isScript = name === 'node' && !args.some((argument) => argument.startsWith('--run'));
  const files = Object.hasOwn(LOOKED_UP, name) && !isScript ? Object.entries(LOOKED_UP[name] ?? {}) : [];
  const found: FileFacts[] = [];
  for (let at = startFolder; files.length > 0 && isWithin(folder, at); at = dirname(at)) {
    for (const [file, member] of files) {
      const facts = await factsOf(folder, join(at, file));
      if (facts) found.push(member === null ? facts : { ...facts, ...(await hashOfMember(facts.path, member)) });
    }
    if (at === folder) break;
  }
  return found;
}

/** Undefined for a file that is no JSON: then its whole content counts. */
async function hashOfMember(path: string, member: string): Promise<{ sha256: string } | undefined> {
  try {
    const whole = JSON.parse(String(await readRegularFile(path, MAX_MANIFEST))) as Record<string, unknown>;
    const text = JSON.stringify(whole[member] ?? null);
    return { sha256: createHash('sha256').update(text).digest('hex') };
  } catch {
    return undefined;
  }
}

/** Whether an argument names a file of the project. */
export async function namesFileOf({ folder, argv, startFolder = folder }: ExecutedContents): Promise<boolean> {
  for (const named of argv.flatMap(pathsIn)) {
    const facts = await factsOf(folder, resolve(startFolder, named));
    if (facts?.sha256 !== undefined) return true;
  }
  return false;
}

/** An argument may be a path, or contain one after a `=`. */
function pathsIn(argument: string): string[] {
  const at = argument.indexOf('=');
  return at > 0 ? [argument, argument.slice(at + 1)] : [argument];
}

interface FileFacts {
  path: string;
  /** The target of a link; absent otherwise. */
  target?: string;
  sha256?: string;
  /** For files outside the project: a system program is identified by these, not by its content. */
  size?: number;
  changed?: string;
}

async function factsOf(folder: string, path: string): Promise<FileFacts | undefined> {
  if (!isAbsolute(path) || path.includes('\0')) return undefined;
  try {
    const own = await lstat(path);
    const real = await realpath(path);
    const facts = await stat(real, { bigint: true });
    const link = own.isSymbolicLink() ? { target: `${await readlink(path)} → ${real}` } : {};
    if (!facts.isFile()) return { path: real, ...link };
    if (isWithin(folder, path) || isWithin(folder, real)) return { path: real, ...link, sha256: await hashOf(real) };
    return { path: real, ...link, size: Number(facts.size), changed: String(facts.mtimeNs) };
  } catch (error) {
    // A file that is missing now and appears later gives another fingerprint.
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
