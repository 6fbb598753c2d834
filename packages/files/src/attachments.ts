import { createHash } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolderInside, PathError, parseFileName, textStart, writeFileInside } from '@fucina/shared';
import { filesError } from './errors.ts';

export interface NewAttachment {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

export interface Attachment {
  name: string;
  /** Relative to the folder: `allegati/<name>`. */
  path: string;
  sizeBytes: number;
  sha256: string;
}

/** Files that a user attaches to a session, written under `allegati/` in the project. */
export interface Attachments {
  /**
   * Streams the content to disk, all or nothing: after any failure, the content's own included, nothing is left.
   * `folder` is an absolute real path. Throws QUERY_INVALID (not one plain name of at most 240 characters and 255
   * bytes), FILE_EXISTS, NOT_FOUND (the folder is missing or not accessible).
   */
  save(folder: string, file: NewAttachment): Promise<Attachment>;
}

const FOLDER = 'allegati';
const MAX_NAME = 240;

export function createAttachments(): Attachments {
  return {
    async save(folder, { name, content }) {
      try {
        const path = `${FOLDER}/${plainName(name)}`;
        const isNewFolder = await makeFolder(folder);
        try {
          const sum = { hash: createHash('sha256'), sizeBytes: 0 };
          await writeFileInside(folder, path, { data: summed(content, sum), ifExists: 'fail' });
          return { name, path, sizeBytes: sum.sizeBytes, sha256: sum.hash.digest('hex') };
        } catch (error) {
          // Only if it is empty: another upload may have filled it in the meantime.
          if (isNewFolder) await rmdir(join(folder, FOLDER)).catch(() => undefined);
          throw error;
        }
      } catch (error) {
        throw asAttachmentError(error);
      }
    },
  };
}

function plainName(name: string): string {
  if ([...name].length > MAX_NAME) throw new PathError('invalid', textStart(name, 100));
  return parseFileName(name);
}

async function makeFolder(folder: string): Promise<boolean> {
  try {
    await createFolderInside(folder, FOLDER);
    return true;
  } catch (error) {
    if (error instanceof PathError && error.problem === 'exists') return false;
    throw error;
  }
}

async function* summed(
  content: AsyncIterable<Uint8Array>,
  sum: { hash: ReturnType<typeof createHash>; sizeBytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    sum.hash.update(chunk);
    sum.sizeBytes += chunk.length;
    yield chunk;
  }
}

function asAttachmentError(error: unknown): unknown {
  if (!(error instanceof PathError)) return error;
  const options = { reason: `path-${error.problem}`, cause: error };
  switch (error.problem) {
    case 'exists':
    case 'not-a-file':
      return filesError('FILE_EXISTS', options);
    case 'missing':
    case 'denied':
      return filesError('NOT_FOUND', options);
    case 'invalid':
    case 'outside':
    case 'loop':
    case 'not-a-folder':
    case 'too-large':
      return filesError('QUERY_INVALID', options);
  }
}
