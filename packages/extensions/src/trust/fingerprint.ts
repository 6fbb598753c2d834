import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { isWithin, systemCode } from '@fucina/shared';

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
 * SHA-256 (hex) of everything that would run: the definition, the arguments, the variables, the resolved program, and
 * the bytes of every project file that the arguments name. Recomputed before every start: one changed byte gives
 * another fingerprint.
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
  const variables = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify({ rule: 1, definition, argv, variables, files }))
    .digest('hex');
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
