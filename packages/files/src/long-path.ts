import { PathError, textStart } from '@fucina/shared';

const MAX_PATH_CHARS = 1024;

export function refuseLong(path: string): void {
  if (path.length > MAX_PATH_CHARS) throw new PathError('invalid', textStart(path, 100));
}
