/** The end of a shell's output, for the next viewer. */
export interface ReplayBuffer {
  push(bytes: Uint8Array): void;
  /** A copy, oldest first, beginning with a whole UTF-8 character. */
  read(): Buffer;
  clear(): void;
}

/** Stores the last `limit` bytes in one block of memory, allocated at the first push. */
export function createReplayBuffer(limit: number): ReplayBuffer {
  let block: Buffer | undefined;
  /** Position of the next byte. */
  let at = 0;
  let length = 0;

  return {
    push(bytes) {
      block ??= Buffer.allocUnsafe(limit);
      const kept = bytes.length > limit ? bytes.subarray(bytes.length - limit) : bytes;
      const first = Math.min(kept.length, limit - at);
      block.set(kept.subarray(0, first), at);
      block.set(kept.subarray(first), 0);
      at = (at + kept.length) % limit;
      // Overflow by one byte shows that earlier output was lost.
      length = Math.min(length + bytes.length, limit + 1);
    },
    read() {
      if (!block) return Buffer.alloc(0);
      if (length <= limit) return Buffer.from(block.subarray(0, length));
      const whole = Buffer.concat([block.subarray(at), block.subarray(0, at)]);
      return whole.subarray(continuationBytes(whole));
    },
    clear() {
      block = undefined;
      at = 0;
      length = 0;
    },
  };
}

/** How many bytes at the beginning belong to an incomplete character. */
function continuationBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1;
  return count;
}
