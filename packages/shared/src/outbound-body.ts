import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error.ts';

/** One Mi character: longer than any realistic line of an event stream. */
export const MAX_LINE = 1_048_576;

export interface BodyLimit {
  origin: string;
  /** After decompression. */
  maxBytes: number;
}

/** Decompresses according to the headers and fails with `too-large` as soon as the limit is exceeded. */
export async function* limitedBody(
  raw: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  limit: BodyLimit,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of inflated(raw, encoding, limit.origin)) {
    total += chunk.length;
    if (total > limit.maxBytes) throw new OutboundError('too-large', { origin: limit.origin, requestSent: true });
    yield chunk;
  }
}

function inflated(
  raw: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  origin: string,
): AsyncIterable<Uint8Array> {
  const kind = encoding?.trim().toLowerCase() ?? '';
  if (kind === '' || kind === 'identity') return raw;
  const transform = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }[
    kind
  ];
  if (!transform)
    return failing(
      new OutboundError('unreachable', { origin, requestSent: true, cause: new Error('unknown content-encoding') }),
    );
  const source = Readable.from(raw);
  const target = transform();
  source.once('error', (error) => target.destroy(error));
  target.once('close', () => source.destroy());
  return unpacked(source.pipe(target) as AsyncIterable<Uint8Array>, origin);
}

/** Corrupt compression is the server's fault, like any invalid response. */
async function* unpacked(packed: AsyncIterable<Uint8Array>, origin: string): AsyncGenerator<Uint8Array> {
  try {
    yield* packed;
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError('unreachable', { origin, requestSent: true, cause: error });
  }
}

// oxlint-disable-next-line require-yield
async function* failing(error: OutboundError): AsyncGenerator<Uint8Array> {
  throw error;
}

/**
 * The complete lines of each network read, as one array; no empty arrays. Lines end with `
 * `, `\r
 * ` or `\r`. An incomplete last line is the last array. A line over MAX_LINE fails with `too-large`.
 */
export async function* lineBatches(body: AsyncIterable<Uint8Array>, origin: string): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const text = rest + decoder.decode(chunk, { stream: true });
    // A final \r may be the first half of \r\n.
    const held = text.endsWith('\r') ? 1 : 0;
    const lines = (held ? text.slice(0, -1) : text).split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
    rest = (lines.pop() ?? '') + (held ? '\r' : '');
    if (rest.length > MAX_LINE || lines.some((line) => line.length > MAX_LINE)) {
      throw new OutboundError('too-large', { origin, requestSent: true });
    }
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest.split(/\r\n|\n|\r/);
}
