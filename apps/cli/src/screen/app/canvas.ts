import type { Size } from '../part.ts';
import type { Frame, FrameWriter } from './frame-writer.ts';
import type { InkRows } from './ink-rows.tsx';

/** Where frames go: through Ink to the terminal. */
export interface Canvas {
  show(rows: readonly string[], cursor: Frame['cursor']): void;
  /** Sends for Ink, which is not there for the first frame: that one is what a person waits for. */
  load(): Promise<void>;
  close(): void;
}

export function createCanvas(writer: FrameWriter, size: () => Size): Canvas {
  let ink: InkRows | undefined;
  let cursor: Frame['cursor'];
  let isOpen = true;
  return {
    show(rows, at) {
      if (!isOpen) return;
      cursor = at;
      if (ink) ink.show(rows, size());
      else writer.show({ rows, cursor });
    },
    async load() {
      const { createInkRows } = await import('./ink-rows.tsx');
      ink = createInkRows((rows) => {
        if (isOpen) writer.show({ rows, cursor });
      });
    },
    close() {
      isOpen = false;
      ink?.close();
    },
  };
}
