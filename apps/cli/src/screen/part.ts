import type { Line } from './line.ts';

export interface Size {
  width: number;
  height: number;
}

/** The output of a part. */
export interface DrawnLines {
  /** At most `height` of them. */
  lines: readonly Line[];
  /** The cursor position relative to the part's top left; absent: not in this part. */
  cursor?: { row: number; column: number } | undefined;
}

/**
 * A part of the screen that draws itself as lines and handles input: the composer, a panel, a picker, a page. The app
 * stacks the parts, gives them their size and sends input to the focused one, and redraws when they report a change.
 */
export interface ScreenPart<Input> {
  draw(size: Size): DrawnLines;
  /** False: not handled; the app looks for another meaning. */
  take(input: Input): boolean;
}
