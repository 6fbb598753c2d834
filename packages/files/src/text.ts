import { isUtf8 } from 'node:buffer';

const SAMPLE_BYTES = 64 * 1024;
const BOMS: readonly [encoding: string, ...bytes: number[]][] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];

/** Decodes a file in any encoding, without its byte order mark; undefined when it is not text. */
export async function decodeForDisplay(bytes: Buffer): Promise<string | undefined> {
  const [encoding, ...mark] = BOMS.find(([, ...start]) => start.every((byte, at) => bytes[at] === byte)) ?? [undefined];
  const body = bytes.subarray(mark.length);
  if (encoding === undefined && bytes.subarray(0, SAMPLE_BYTES).includes(0)) return undefined;
  if ((encoding ?? 'utf-8') === 'utf-8' && isUtf8(body)) return body.toString('utf8');
  const [{ default: chardet }, { default: iconv }] = await Promise.all([import('chardet'), import('iconv-lite')]);
  const sample = body.subarray(0, SAMPLE_BYTES);
  if (encoding === undefined && sample.filter(isControl).length > sample.length * 0.02) return undefined;
  const guess = encoding ?? chardet.detect(sample) ?? '';
  return iconv.decode(body, guess !== 'UTF-8' && iconv.encodingExists(guess) ? guess : 'windows-1252');
}

function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27;
}
