import { access, constants, stat } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '@fucina/shared';
import { parseArgsStringToArgv } from 'string-argv';

/** Splits a command line into program and arguments, without a shell. Undefined for an empty one. */
export function splitCommand(command: string): [string, ...string[]] | undefined {
  const [program, ...args] = parseArgsStringToArgv(command);
  return program === undefined || program === '' ? undefined : [program, ...args];
}

/** The absolute path of a system program; undefined when there is none. Relative PATH entries are ignored. */
export async function findProgram(name: string, environment: Environment): Promise<string | undefined> {
  if (isAbsolute(name)) return (await isProgram(name)) ? name : undefined;
  if (basename(name) !== name) return undefined;
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = join(folder, `${name}${ending}`);
      if (await isProgram(path)) return path;
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Missing, or not executable.
    return false;
  }
}
