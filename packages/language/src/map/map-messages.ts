/** What the thread of a map is asked, in order. Paths are relative to the project. */
export type MapQuestion =
  /** These files are new, changed or gone. */
  | { id: number; kind: 'files'; paths: readonly string[] }
  /** The outline of files below a folder (empty: all), in about this many tokens. */
  | { id: number; kind: 'render'; below: string; tokens: number }
  /** JSON of the declared names that contain a text: `MappedSymbol[]`, best first. */
  | { id: number; kind: 'symbols'; query: string; limit: number };

/** A declaration found by its name. */
export interface MappedSymbol {
  name: string;
  path: string;
  /** From 1. */
  line: number;
}

export interface MapAnswer {
  id: number;
  text: string;
}
