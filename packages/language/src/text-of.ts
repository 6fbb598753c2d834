import { PathError, readFileInside } from '@fucina/shared';

/** Larger files are not shown to servers. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Undefined for a file that is gone, too large or not text. */
export async function textOf(folder: string, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await readFileInside(folder, path, MAX_FILE_BYTES);
    return bytes.includes(0) ? undefined : bytes.toString('utf8');
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}
