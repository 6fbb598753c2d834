/** What the thread of a map is asked, in order. Paths are relative to the project. */
export type MapQuestion =
  /** These files are new, changed or gone. */
  | { id: number; kind: 'files'; paths: readonly string[] }
  /** The outline of files below a folder (empty: all), in about this many tokens. */
  | { id: number; kind: 'render'; below: string; tokens: number };

export interface MapAnswer {
  id: number;
  text: string;
}
