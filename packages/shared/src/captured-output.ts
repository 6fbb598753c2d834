/** The captured output of a child's stream: all of it up to the limit, else its beginning and its end. */
export interface CapturedOutput {
  /** The captured bytes; missing ones were between `head` and the rest. */
  bytes: Buffer;
  /** How many of the captured bytes are the beginning, if some are missing; else all. */
  headBytes: number;
  /** Bytes dropped in the middle. */
  droppedBytes: number;
}

export interface OutputCapture {
  push(chunk: Buffer): void;
  readonly totalBytes: number;
  result(): CapturedOutput;
}

/** Memory use never exceeds `limit`. */
export function captureOutput(limit: number): OutputCapture {
  const headLimit = Math.floor(limit / 4);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  let headBytes = 0;
  let ring: Buffer | undefined;
  let tail: Buffer[] = []; // until it overflows: the original chunks
  let tailBytes = 0;
  let position = 0;
  let totalBytes = 0;

  const intoRing = (chunk: Buffer): void => {
    ring ??= Buffer.allocUnsafe(tailLimit);
    let rest = chunk.length > tailLimit ? chunk.subarray(chunk.length - tailLimit) : chunk;
    while (rest.length > 0) {
      const part = rest.subarray(0, tailLimit - position);
      part.copy(ring, position);
      position = (position + part.length) % tailLimit;
      rest = rest.subarray(part.length);
    }
  };

  return {
    push(chunk) {
      totalBytes += chunk.length;
      const room = headLimit - headBytes;
      if (room > 0) {
        const part = chunk.subarray(0, room);
        head.push(part);
        headBytes += part.length;
      }
      const rest = room > 0 ? chunk.subarray(room) : chunk;
      if (rest.length === 0) return;
      if (!ring && tailBytes + rest.length <= tailLimit) {
        tail.push(rest);
        tailBytes += rest.length;
        return;
      }
      for (const earlier of tail) intoRing(earlier);
      tail = [];
      intoRing(rest);
    },
    get totalBytes() {
      return totalBytes;
    },
    result() {
      const end = ring ? [ring.subarray(position), ring.subarray(0, position)] : tail;
      const bytes = Buffer.concat([...head, ...end]);
      const droppedBytes = totalBytes - bytes.length;
      return { bytes, headBytes: droppedBytes > 0 ? headBytes : bytes.length, droppedBytes };
    },
  };
}

/** As text, with a line that reports the missing bytes. Invalid UTF-8 becomes U+FFFD. */
export function capturedText({ bytes, headBytes, droppedBytes }: CapturedOutput): string {
  if (droppedBytes === 0) return bytes.toString('utf8');
  const head = bytes.subarray(0, headBytes).toString('utf8');
  return `${head}\n[… ${droppedBytes} bytes not kept …]\n${bytes.subarray(headBytes).toString('utf8')}`;
}
