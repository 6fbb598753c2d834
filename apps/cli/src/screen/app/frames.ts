import type { Ambient } from '@fucina/shared';

/** Schedules frames: at once for a key, at intervals while text streams or something is animated. */
export interface Frames {
  /** The content changed; not urgent. */
  changed(): void;
  /** The user waits for it. */
  urgent(): void;
  close(): void;
}

export interface FramesNeeds {
  ambient: Pick<Ambient, 'monotonic' | 'timer'>;
  /** Returns after how many milliseconds to draw again without a change; undefined: only after a change. */
  draw(): number | undefined;
  /** Called with an error of `draw`. */
  failed(error: unknown): void;
}

const STREAM_MS = 25;
const KEY_MS = 4;

export function createFrames({ ambient, draw, failed }: FramesNeeds): Frames {
  let isClosed = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  let planned: { at: number; cancel(): void } | undefined;
  let cancelTick: () => void = () => undefined;

  const run = (): void => {
    planned = undefined;
    if (isClosed) return;
    cancelTick();
    try {
      const again = draw();
      cancelTick = again === undefined ? () => undefined : ambient.timer(again, () => plan(STREAM_MS));
    } catch (error) {
      isClosed = true;
      failed(error);
    }
    lastAt = ambient.monotonic();
  };
  const plan = (restMs: number): void => {
    if (isClosed) return;
    const now = ambient.monotonic();
    const at = Math.max(now, lastAt + restMs);
    if (planned && planned.at <= at) return;
    planned?.cancel();
    planned = { at, cancel: ambient.timer(at - now, run) };
  };

  run();
  return {
    changed: () => plan(STREAM_MS),
    urgent: () => plan(KEY_MS),
    close() {
      isClosed = true;
      planned?.cancel();
      cancelTick();
    },
  };
}
