import type { Size } from '../part.ts';
import type { Frame, FrameWriter } from './frame-writer.ts';
import type { InkRows, PlacedRow } from './ink-rows.tsx';

/** Where frames go: what is new of them through Ink to the terminal. */
export interface Canvas {
  show(rows: readonly string[], cursor: Frame['cursor']): void;
  /** Sends for Ink, which is not there for the first frame: that one is what a person waits for. */
  load(): Promise<void>;
  close(): void;
}

export function createCanvas(writer: FrameWriter, size: () => Size): Canvas {
  let ink: InkRows | undefined;
  /** What was asked for, and how it was laid out: laying out a whole screen costs as much as a key may. */
  let asked: readonly string[] = [];
  let laid: readonly string[] = [];
  let width = 0;
  let isOpen = true;

  const layOut = (rows: readonly string[], by: InkRows): readonly string[] => {
    const now = size().width;
    const isOther = now !== width;
    width = now;
    const fresh = rows.flatMap((text, index): PlacedRow[] =>
      isOther || text !== asked[index] || laid[index] === undefined ? [{ index, text }] : [],
    );
    if (fresh.length === 0) return laid.slice(0, rows.length);
    const printed = by.lay(fresh, width);
    const whole = rows.map((_text, index) => laid[index] ?? '');
    for (const [at, { index }] of fresh.entries()) whole[index] = printed[at] ?? '';
    return whole;
  };

  return {
    show(rows, cursor) {
      if (!isOpen) return;
      laid = ink ? layOut(rows, ink) : rows;
      asked = rows;
      writer.show({ rows: laid, cursor });
    },
    async load() {
      const { createInkRows } = await import('./ink-rows.tsx');
      ink = createInkRows();
    },
    close() {
      isOpen = false;
      ink?.close();
    },
  };
}
