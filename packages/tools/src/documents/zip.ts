import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** Size limits of an archive's contents, whatever its headers claim. */
const MAX_ENTRIES = 10_000;
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
/** An archive that is large itself, mostly of pictures, may contain this many times its size. */
const MAX_GROWTH = 2;

export class ZipError extends Error {
  override readonly name = 'ZipError';
}

/**
 * The wanted entries of an archive, decompressed. All entries are decompressed and counted, so that a library without
 * limits may read the archive afterwards. Throws ZipError.
 */
export async function readZip(bytes: Buffer, isWanted: (name: string) => boolean): Promise<Map<string, Buffer>> {
  const zip = await open(bytes);
  const found = new Map<string, Buffer>();
  const most = Math.max(MAX_TOTAL_BYTES, MAX_GROWTH * bytes.length);
  let total = 0;
  let count = 0;
  try {
    for await (const entry of entriesOf(zip)) {
      if (++count > MAX_ENTRIES) throw new ZipError('too many entries');
      if (entry.fileName.endsWith('/')) continue;
      if (entry.isEncrypted()) throw new ZipError('encrypted');
      const kept = await inflate(zip, entry, { isWanted: isWanted(entry.fileName), room: most - total });
      total += kept.length;
      if (kept.bytes) found.set(entry.fileName, kept.bytes);
    }
  } finally {
    zip.close();
  }
  return found;
}

function open(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, zip) =>
      zip ? resolve(zip) : reject(new ZipError(error?.message ?? 'not an archive')),
    ),
  );
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      const settle = (act: () => void) => (): void => {
        zip.removeAllListeners();
        act();
      };
      zip.once('entry', (one: Entry) => settle(() => resolve(one))());
      zip.once(
        'end',
        settle(() => resolve(undefined)),
      );
      zip.once('error', (error: Error) => settle(() => reject(new ZipError(error.message)))());
      zip.readEntry();
    });
    if (!entry) return;
    yield entry;
  }
}

async function inflate(
  zip: ZipFile,
  entry: Entry,
  { isWanted, room }: { isWanted: boolean; room: number },
): Promise<{ length: number; bytes?: Buffer }> {
  // What is not wanted is only counted.
  const limit = isWanted ? Math.min(room, MAX_ENTRY_BYTES) : room;
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) => (opened ? resolve(opened) : reject(new ZipError(error?.message)))),
  );
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of stream) {
      length += part.length;
      if (length > limit) throw new ZipError('too large when inflated');
      if (isWanted) parts.push(part as Buffer);
    }
  } catch (error) {
    throw error instanceof ZipError ? error : new ZipError((error as Error).message);
  }
  return { length, ...(isWanted && { bytes: Buffer.concat(parts) }) };
}
