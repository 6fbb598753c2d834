import { write } from 'node:fs';
import { type Ambient, systemCode } from '@fucina/shared';

/** Input for a program that may not be reading. */
export interface ShellInput {
  push(bytes: Uint8Array): void;
  /** True while so much is pending that no more should be sent. */
  isFull(): boolean;
  end(): void;
}

const FULL_BYTES = 1024 * 1024;
const PAUSE_MS = 10;

export interface ShellInputNeeds {
  ambient: Ambient;
  /** The master side, non-blocking. */
  descriptor: number;
  /** The pending input was consumed. */
  onDrain(): void;
}

/**
 * Writes to the pseudo-terminal in order and with a limit. The library's own queue is unlimited, and retries without a
 * pause while the program reads nothing.
 */
export function createShellInput({ ambient, descriptor, onDrain }: ShellInputNeeds): ShellInput {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let isWriting = false;
  let isOver = false;
  let wasFull = false;
  let cancel = (): void => undefined;

  function next(): void {
    const head = waiting[0];
    isWriting = head !== undefined && !isOver;
    if (!isWriting || !head) return;
    write(descriptor, head, (error, written) => {
      if (isOver) return;
      if (systemCode(error) === 'EAGAIN') cancel = ambient.timer(PAUSE_MS, next);
      else if (error) end();
      else taken(head, written);
    });
  }

  function taken(head: Buffer, written: number): void {
    bytes -= written;
    if (written < head.length) waiting[0] = head.subarray(written);
    else waiting.shift();
    if (wasFull && bytes < FULL_BYTES / 2) {
      wasFull = false;
      onDrain();
    }
    next();
  }

  function end(): void {
    isOver = true;
    waiting = [];
    cancel();
  }

  return {
    push(typed) {
      if (isOver || typed.length === 0) return;
      waiting.push(Buffer.from(typed));
      bytes += typed.length;
      wasFull ||= bytes > FULL_BYTES;
      if (!isWriting) next();
    },
    isFull: () => wasFull && !isOver,
    end,
  };
}
