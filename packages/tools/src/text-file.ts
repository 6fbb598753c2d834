import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

export interface TextFile {
  text: string;
  /** `utf-8` for nearly all files; `damaged utf-8` with invalid bytes in it; else an encoding name of iconv-lite. */
  encoding: string;
  hasBom: boolean;
}

const SAMPLE_BYTES = 64 * 1024;
const BOMS: readonly { encoding: string; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * The text and its encoding on disk; undefined when the bytes are not text. Always reversible: `encodeText` of the same
 * text gives the same bytes, so that an edit changes no byte elsewhere.
 */
export async function decodeText(bytes: Buffer): Promise<TextFile | undefined> {
  const bom = BOMS.find((one) => one.bytes.every((byte, index) => bytes[index] === byte));
  const body = bytes.subarray(bom?.bytes.length ?? 0);
  const hasBom = bom !== undefined;
  for (const encoding of bom ? [bom.encoding] : await encodingsOf(body)) {
    const text = await textIn(encoding, body);
    if (text === undefined) continue;
    const again = await encodeText(text, { encoding, hasBom });
    if (again?.equals(bytes)) return { text, encoding, hasBom };
  }
  return undefined;
}

async function textIn(encoding: string, body: Buffer): Promise<string | undefined> {
  if (encoding === 'utf-8') return isUtf8(body) ? body.toString('utf8') : undefined;
  if (encoding === DAMAGED) return decodeDamaged(body);
  const { default: iconv } = await import('iconv-lite');
  return iconv.decode(body, encoding, { stripBOM: false });
}

/** `text` encoded like `like`; undefined when that encoding lacks one of its characters. */
export async function encodeText(text: string, like: Omit<TextFile, 'text'>): Promise<Buffer | undefined> {
  const bom = like.hasBom ? (BOMS.find((one) => one.encoding === like.encoding)?.bytes ?? []) : [];
  if (like.encoding === 'utf-8') return Buffer.concat([Buffer.from(bom), Buffer.from(text, 'utf8')]);
  if (like.encoding === DAMAGED) return encodeDamaged(text);
  const { default: iconv } = await import('iconv-lite');
  const body = iconv.encode(text, like.encoding, { addBOM: false });
  if (iconv.decode(body, like.encoding, { stripBOM: false }) !== text) return undefined;
  return Buffer.concat([Buffer.from(bom), body]);
}

const DAMAGED = 'damaged utf-8';
/** An invalid byte is shown as this plus its value: private characters, as for names that are no text. */
const INVALID_BYTE = 0xef00;
const INVALID_BYTES = /[\uef80-\uefff]/;

function decodeDamaged(body: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < body.length; ) {
    const length = sequenceLength(body, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(body.toString('utf8', from, at), String.fromCharCode(INVALID_BYTE + (body[at] ?? 0)));
    at += 1;
    from = at;
  }
  parts.push(body.toString('utf8', from));
  return parts.join('');
}

function encodeDamaged(text: string): Buffer {
  const parts = text.split(/([\uef80-\uefff])/);
  return Buffer.concat(
    parts.map((part) =>
      INVALID_BYTES.test(part) ? Buffer.from([part.charCodeAt(0) - INVALID_BYTE]) : Buffer.from(part, 'utf8'),
    ),
  );
}

/** Bytes of the valid UTF-8 sequence that begins there; 0 when none does. */
function sequenceLength(body: Buffer, at: number): number {
  const lead = body[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  const sequence = body.subarray(at, at + length);
  return length > 0 && sequence.length === length && isUtf8(sequence) ? length : 0;
}

/** Whether most characters beyond ASCII are valid UTF-8: a log that was cut, not a text in another encoding. */
function isMostlyUtf8(sample: Buffer): boolean {
  let valid = 0;
  let invalid = 0;
  for (let at = 0; at < sample.length; ) {
    const length = sequenceLength(sample, at);
    if (length > 1) valid += 1;
    if (length === 0) invalid += 1;
    at += Math.max(length, 1);
  }
  return valid > invalid;
}

/** What the bytes may be, best guess first; the last one keeps every byte. Empty when they are not text. */
async function encodingsOf(body: Buffer): Promise<readonly string[]> {
  const sample = body.subarray(0, SAMPLE_BYTES);
  if (sample.includes(0)) return [wideEncoding(sample) ?? []].flat();
  if (isUtf8(body)) return ['utf-8'];
  const controls = sample.filter((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27);
  if (controls.length > sample.length * 0.02) return [];
  if (isMostlyUtf8(body)) return [DAMAGED, KEEPS_EVERY_BYTE];
  const [{ default: chardet }, { default: iconv }] = await Promise.all([import('chardet'), import('iconv-lite')]);
  const guess = chardet.detect(sample);
  const isUsable = guess !== null && !/^(utf-8|ascii)$/i.test(guess) && iconv.encodingExists(guess);
  return [...(isUsable ? [guess.toLowerCase()] : []), 'windows-1252', KEEPS_EVERY_BYTE];
}

const KEEPS_EVERY_BYTE = 'latin1';

/** UTF-16 without a byte order mark: nearly every other byte is zero, always on the same side. */
function wideEncoding(sample: Buffer): string | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (odd > half * 0.7 && even < half * 0.05) return 'utf-16le';
  return even > half * 0.7 && odd < half * 0.05 ? 'utf-16be' : undefined;
}

const SIGNATURES: readonly [hex: string, kind: string][] = [
  ['89504e47', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['52494646', 'WebP, WAV or AVI file'],
  ['25504446', 'PDF document'],
  ['504b0304', 'ZIP archive or Office document'],
  ['1f8b', 'gzip archive'],
  ['425a68', 'bzip2 archive'],
  ['fd377a58', 'xz archive'],
  ['28b52ffd', 'zstd archive'],
  ['7f454c46', 'ELF program'],
  ['4d5a', 'Windows program'],
  ['cffaedfe', 'macOS program'],
  ['cafebabe', 'Java class or macOS program'],
  ['0061736d', 'WebAssembly module'],
  ['53514c69746520', 'SQLite database'],
  ['47475546', 'GGUF model'],
  ['774f46', 'web font'],
  ['494433', 'MP3 audio'],
  ['4f676753', 'Ogg audio'],
  ['d0cf11e0', 'old Office document'],
];

export function binaryKind(bytes: Buffer): string {
  const start = bytes.subarray(0, 8).toString('hex');
  if (bytes.subarray(4, 8).toString('latin1') === 'ftyp') return 'MP4 or AVIF file';
  return SIGNATURES.find(([hex]) => start.startsWith(hex))?.[1] ?? 'binary file';
}
