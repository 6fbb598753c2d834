import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from './errors.ts';
import { FOLDER, handledPath } from './remove-tree.ts';
import { PathError, parseRelativePath } from './safe-name.ts';

/**
 * Calls `act` with a path that keeps leading to this folder whatever happens to its name (where the system supports it:
 * Linux). `root` is an absolute real path that others cannot replace; `path` is opened name by name, and a link in it,
 * also one to the inside, is problem `outside`: for acts on what was seen there, which a name may no longer mean. Other
 * problems: missing. `act` throws its own errors.
 */
export async function withExactFolder<T>(root: string, path: string, act: (folder: string) => Promise<T>): Promise<T> {
  const wanted = parseRelativePath(path, { allowRoot: true });
  const folder = await openExact(root, wanted === '' ? [] : wanted.split('/')).catch((error: unknown) => {
    throw asProblem(error, path);
  });
  try {
    return await act(handledPath(folder, join(root, wanted)));
  } finally {
    await folder.close();
  }
}

async function openExact(root: string, segments: readonly string[]): Promise<FileHandle> {
  let at = root;
  let folder = await open(at, FOLDER);
  for (const segment of segments) {
    try {
      const next = await open(join(handledPath(folder, at), segment), FOLDER);
      await folder.close();
      folder = next;
      at = join(at, segment);
    } catch (error) {
      await folder.close();
      throw error;
    }
  }
  return folder;
}

/** With these flags Linux says ENOTDIR of a link. */
function asProblem(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === 'ENOENT') return new PathError('missing', path, error);
  return code === 'ENOTDIR' || code === 'ELOOP' ? new PathError('outside', path, error) : error;
}
