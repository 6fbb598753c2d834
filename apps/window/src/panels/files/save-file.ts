import { type FilePlace, fileAddress, MAX_DOWNLOAD_BYTES, readFilePiece } from './pieces.ts';

const STEP_BYTES = 8 * 1024 * 1024;

/** The File System Access API of Chromium browsers. */
interface Saver {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<{
    createWritable(): Promise<
      WritableStream & { abort(): Promise<void>; write(data: Uint8Array<ArrayBuffer>): Promise<void> }
    >;
  }>;
}

/**
 * Downloads a file. The server's limit is 64 MiB per request: a larger file is fetched and written in ranges, as long
 * as it does not change. False: this browser cannot. Throws ApiError.
 */
export async function saveFile(file: FilePlace, name: string): Promise<boolean> {
  const { wholeBytes, version } = await readFilePiece(file, { from: 0, to: 1 });
  if (!(wholeBytes > MAX_DOWNLOAD_BYTES)) {
    const link = document.createElement('a');
    link.href = fileAddress(file);
    link.download = name;
    link.click();
    return true;
  }
  const { showSaveFilePicker } = globalThis as Saver;
  if (!showSaveFilePicker) return false;
  const place = await showSaveFilePicker({ suggestedName: name }).catch(unlessLeft);
  if (!place) return true;
  const target = await place.createWritable();
  try {
    for (let from = 0; from < wholeBytes; from += STEP_BYTES) {
      const { bytes } = await readFilePiece(file, { from, to: Math.min(wholeBytes, from + STEP_BYTES), version });
      await target.write(bytes);
    }
  } catch (error) {
    await target.abort();
    throw error;
  }
  await target.close();
  return true;
}

/** The user closed the dialog: not an error. */
function unlessLeft(error: unknown): undefined {
  if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error;
}
