import { Buffer } from 'node:buffer';

/** A longer message is skipped, so that a server cannot fill the memory. */
export const MAX_MESSAGE = 32 * 1024 * 1024;
export const TOO_LONG = 'a message longer than 32 MiB was skipped';
/** Of a skipped message: its id is at one of its ends. */
const END_BYTES = 4 * 1024;
const FIRST_ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,\s*"(?:result|error)"/;
const ANSWER_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;
const LAST_ID = /"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** A message as it arrives, in bounded memory. */
export interface HeldMessage {
  push(part: Buffer): void;
  /** What came since the last time; `skipped`: both ends of one that was too long. */
  take(): { whole: Buffer } | { skipped: { first: string; last: string } };
}

export function holdMessage(): HeldMessage {
  let parts: Buffer[] = [];
  let bytes = 0;
  let first = '';
  let last = Buffer.alloc(0);
  return {
    push(part) {
      bytes += part.length;
      parts.push(part);
      if (bytes <= MAX_MESSAGE) return;
      const known = Buffer.concat(parts);
      first ||= known.subarray(0, END_BYTES).toString('latin1');
      last = Buffer.concat([last, known]).subarray(-END_BYTES);
      parts = [];
    },
    take() {
      const taken =
        bytes > MAX_MESSAGE ? { skipped: { first, last: last.toString('latin1') } } : { whole: Buffer.concat(parts) };
      parts = [];
      bytes = 0;
      first = '';
      last = Buffer.alloc(0);
      return taken;
    },
  };
}

/** The error that stands for a skipped answer; undefined for a message that answers nothing. */
export function errorInstead({ first, last }: { first: string; last: string }): object | undefined {
  const id = FIRST_ID.exec(first)?.[1] ?? (ANSWER_FIRST.test(first) ? LAST_ID.exec(last)?.[1] : undefined);
  if (id === undefined) return undefined;
  return { jsonrpc: '2.0', id: JSON.parse(id), error: { code: -32_603, message: TOO_LONG } };
}
