import { WorkerError } from '@fucina/shared';
import { decodeText } from '../text-file.ts';
import { htmlText } from './html-text.ts';
import { readInProcess } from './in-worker.ts';

const PAGE = /\.x?html?$/i;

/**
 * The text of a PDF, an Office document, a page or a text file; undefined for anything else, and for unreadable files.
 */
export async function plainText(
  { name, bytes }: { name: string; bytes: Buffer },
  signal: AbortSignal,
): Promise<string | undefined> {
  const start = bytes.subarray(0, 1024).toString('latin1');
  const isPdf = start.includes('%PDF-');
  if (!isPdf && !start.startsWith('PK\u0003\u0004')) {
    const text = (await decodeText(bytes))?.text;
    return text !== undefined && PAGE.test(name) ? htmlText(text) : text;
  }
  try {
    const read = await readInProcess(
      isPdf ? { task: 'read-pdf', page: undefined } : { task: 'read-office' },
      { source: bytes, sizeBytes: bytes.length },
      signal,
    );
    return read?.pages.map(({ title, text }) => (title === null ? text : `--- ${title} ---\n${text}`)).join('\n');
  } catch (error) {
    if (signal.aborted || !(error instanceof WorkerError)) throw error;
    return undefined;
  }
}
