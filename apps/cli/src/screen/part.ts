import type { Line } from './line.ts';

export interface Size {
  width: number;
  height: number;
}

/** What a part puts on the screen. */
export interface DrawnLines {
  /** At most `height` of them. */
  lines: readonly Line[];
  /** Where the terminal's cursor stands, counted from the part's own top left; absent: not in this part. */
  cursor?: { row: number; column: number } | undefined;
}

/**
 * A part of the screen that draws itself as lines and takes what the terminal sends: the composer, a panel, a picker, a
 * page. The app puts parts under each other, gives them its size and the input of whoever has the focus, and draws again
 * when they say that they changed.
 */
export interface ScreenPart<Input> {
  draw(size: Size): DrawnLines;
  /** False: not for this part; the app looks what it means elsewhere. */
  take(input: Input): boolean;
}
