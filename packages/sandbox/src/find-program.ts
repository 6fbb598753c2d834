import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '@fucina/shared';

/** The system's own first, so that no folder of PATH can replace it. Undefined when it is not installed. */
export async function findProgram(environment: Environment, name: string): Promise<string | undefined> {
  const folders = (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
  for (const folder of new Set(['/usr/bin', '/usr/local/bin', ...folders])) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}
