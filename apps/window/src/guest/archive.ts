import { GuestError } from './guest.ts';

/** A zip archive, read entry by entry; the real decompressed size counts, not the declared one. */
export interface Archive {
  names: readonly string[];
  /** Undefined: there is no such entry. Throws GuestError. */
  read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export interface ArchiveLimits {
  maxEntries: number;
  /** Decompressed size limit of all entries read. */
  maxBytes: number;
}

interface Entry {
  isDeflated: boolean;
  offset: number;
  packedBytes: number;
}

export const LIMITS: ArchiveLimits = { maxEntries: 10_000, maxBytes: 256 * 1024 * 1024 };

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const STORED = 0;
const DEFLATED = 8;

export function openArchive(bytes: ArrayBuffer, limits: ArchiveLimits = LIMITS): Archive {
  const view = new DataView(bytes);
  let left = limits.maxBytes;
  const entries = directoryOf(view, limits.maxEntries);

  const spend = (count: number): void => {
    left -= count;
    if (left < 0) throw new GuestError('troppo-grande');
  };

  return {
    names: [...entries.keys()],
    async read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const packed = packedBytes(view, entry);
      if (entry.isDeflated) return inflate(packed, spend);
      spend(packed.length);
      return packed;
    },
  };
}

/** Throws GuestError when the whole archive exceeds the limit. */
export async function checkArchive(bytes: ArrayBuffer, limits: ArchiveLimits = LIMITS): Promise<Archive> {
  const archive = openArchive(bytes, limits);
  for (const name of archive.names) await archive.read(name);
  return openArchive(bytes, limits);
}

function directoryOf(view: DataView, maxEntries: number): Map<string, Entry> {
  try {
    const end = endOf(view);
    const count = view.getUint16(end + 10, true);
    if (count > maxEntries) throw new GuestError('troppo-grande');
    const entries = new Map<string, Entry>();
    let at = view.getUint32(end + 16, true);
    for (let index = 0; index < count; index += 1) {
      if (view.getUint32(at, true) !== CENTRAL) throw new GuestError('danneggiato');
      const method = view.getUint16(at + 10, true);
      const nameBytes = view.getUint16(at + 28, true);
      const name = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, nameBytes));
      const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1;
      if (isEncrypted || (method !== STORED && method !== DEFLATED)) throw new GuestError('danneggiato');
      entries.set(name, {
        isDeflated: method === DEFLATED,
        packedBytes: view.getUint32(at + 20, true),
        offset: view.getUint32(at + 42, true),
      });
      at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return entries;
  } catch (error) {
    throw asDamage(error);
  }
}

/** The record at the end of a zip archive; a comment may follow it. */
function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= first; at -= 1) if (view.getUint32(at, true) === END) return at;
  throw new GuestError('formato');
}

function packedBytes(view: DataView, { offset, packedBytes: length }: Entry): Uint8Array<ArrayBuffer> {
  try {
    if (view.getUint32(offset, true) !== LOCAL) throw new GuestError('danneggiato');
    const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    return new Uint8Array(view.buffer as ArrayBuffer, start, length);
  } catch (error) {
    throw asDamage(error);
  }
}

async function inflate(packed: Uint8Array<ArrayBuffer>, spend: (count: number) => void) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      spend(value.length);
      length += value.length;
      chunks.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined); // the stream itself may have failed
    throw asDamage(error);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Reading past the end, or an invalid compressed stream. */
function asDamage(error: unknown): unknown {
  return error instanceof RangeError || error instanceof TypeError ? new GuestError('danneggiato', error) : error;
}
