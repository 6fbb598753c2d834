import type { Ambient } from '@fucina/shared';
import type { Input as Stream } from '../../io.ts';
import type { Input } from './input.ts';
import { createDecoder } from './keys.ts';

/** The only reader of the terminal's input. */
export interface InputSource {
  /** Each listener gets all input, in order; the returned function removes it. */
  listen(listener: (input: Input) => void): () => void;
  /** Releases the terminal for another program, and takes it back. */
  pause(): void;
  resume(): void;
  close(): void;
}

type RawStream = Stream & { setRawMode?(isRaw: boolean): unknown };

export interface InputNeeds {
  ambient: Pick<Ambient, 'timer'>;
  /** See `createDecoder`. */
  onBackground?: (isLight: boolean) => void;
}

/**
 * Shorter than the time between Esc and another key press, longer than the gaps of a sequence on a slow connection.
 */
const ESCAPE_MS = 50;
const SILENCE_MS = 2_000;

export function openInput(stdin: RawStream, needs: InputNeeds): InputSource {
  const { ambient, onBackground } = needs;
  const decoder = createDecoder(onBackground);
  const listeners = new Set<(input: Input) => void>();
  let cancel: () => void = () => undefined;

  const deliver = (inputs: readonly Input[]): void => {
    for (const input of inputs) for (const listener of listeners) listener(input);
  };
  const onData = (bytes: Uint8Array | string): void => {
    cancel();
    deliver(decoder.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
    const wait = decoder.waits();
    if (wait) cancel = ambient.timer(wait === 'escape' ? ESCAPE_MS : SILENCE_MS, () => deliver(decoder.settle()));
  };
  const take = (): void => {
    stdin.setRawMode?.(true);
    stdin.on('data', onData);
    stdin.resume();
  };
  const leave = (): void => {
    cancel();
    stdin.off('data', onData);
    stdin.pause();
    stdin.setRawMode?.(false);
  };

  take();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    pause: leave,
    resume: take,
    close() {
      leave();
      listeners.clear();
    },
  };
}
