import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

export interface TextFile {
  text: string;
  /** An encoding name of iconv-lite; `utf-8` for nearly all files. */
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

/** The text and its encoding on disk; undefined when the bytes are not text. */
export async function decodeText(bytes: Buffer): Promise<TextFile | undefined> {
  const bom = BOMS.find((one) => one.bytes.every((byte, index) => bytes[index] === byte));
  const body = bytes.subarray(bom?.bytes.length ?? 0);
  const encoding = bom?.encoding ?? (await guessEncoding(body));
  if (encoding === undefined) return undefined;
  if (encoding === 'utf-8') {
    return isUtf8(body) ? { text: body.toString('utf8'), encoding, hasBom: bom !== undefined } : undefined;
  }
  const { default: iconv } = await import('iconv-lite');
  return { text: iconv.decode(body, encoding, { stripBOM: false }), encoding, hasBom: bom !== undefined };
}

/** `text` encoded like `like`; undefined when that encoding lacks one of its characters. */
export async function encodeText(text: string, like: Omit<TextFile, 'text'>): Promise<Buffer | undefined> {
  const bom = like.hasBom ? (BOMS.find((one) => one.encoding === like.encoding)?.bytes ?? []) : [];
  if (like.encoding === 'utf-8') return Buffer.concat([Buffer.from(bom), Buffer.from(text, 'utf8')]);
  const { default: iconv } = await import('iconv-lite');
  const body = iconv.encode(text, like.encoding, { addBOM: false });
  if (iconv.decode(body, like.encoding, { stripBOM: false }) !== text) return undefined;
  return Buffer.concat([Buffer.from(bom), body]);
}

async function guessEncoding(body: Buffer): Promise<string | undefined> {
  const sample = body.subarray(0, SAMPLE_BYTES);
  if (sample.includes(0)) return wideEncoding(sample);
  if (isUtf8(body)) return 'utf-8';
  const controls = sample.filter((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27);
  if (controls.length > sample.length * 0.02) return undefined;
  const [{ default: chardet }, { default: iconv }] = await Promise.all([import('chardet'), import('iconv-lite')]);
  const guess = chardet.detect(sample);
  return guess !== null && guess !== 'UTF-8' && iconv.encodingExists(guess) ? guess.toLowerCase() : 'windows-1252';
}

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
