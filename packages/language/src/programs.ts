import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Environment, isWithin } from '@fucina/shared';

/** Folders of PATH inside the project are left out: what lies there is not of the system. */
export async function programOnPath(
  name: string,
  { folder, environment }: { folder: string; environment: Environment },
): Promise<string | undefined> {
  if (isAbsolute(name)) return !isWithin(folder, name) && (await isProgram(name)) ? name : undefined;
  const folders = (environment.PATH ?? '').split(delimiter).filter((one) => isAbsolute(one) && !isWithin(folder, one));
  for (const one of folders) {
    const path = join(one, process.platform === 'win32' ? `${name}.exe` : name);
    if (await isProgram(path)) return path;
  }
  return undefined;
}

export async function isProgram(path: string): Promise<boolean> {
  return (
    (await isFile(path)) &&
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
  );
}

export const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );
