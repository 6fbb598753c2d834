import { useEffect, useState } from 'react';
import { loadChunk } from '../wire/load-chunk.ts';
import type { ColouredPiece } from './highlight.ts';
import type { DiffLine, Hunk } from './line-diff.ts';

export type DiffColours = ReadonlyMap<DiffLine, ColouredPiece[]>;

/** Above this size highlighting would be too slow. */
const MOST_COLOURED = 6_000;

/** The background of a changed line is colored, too: the theme's own colors would have too little contrast on it. */
const onChangedLine = (piece: ColouredPiece): ColouredPiece =>
  piece.colour ? { ...piece, colour: `color-mix(in srgb, ${piece.colour} 75%, var(--code-text))` } : piece;

/** Each hunk is highlighted twice, before and after. */
async function coloured(hunks: readonly Hunk[], language: string): Promise<DiffColours> {
  const { highlight } = await loadChunk(() => import('./highlight.ts'));
  const found = new Map<DiffLine, ColouredPiece[]>();
  for (const { lines } of hunks) {
    for (const other of ['added', 'removed'] as const) {
      const side = lines.filter(({ kind }) => kind !== other);
      const pieces = await highlight(side.map(({ text }) => text).join('\n'), language);
      if (!pieces) return found;
      side.forEach((line, at) => {
        const own = pieces[at] ?? [];
        found.set(line, line.kind === 'same' ? own : own.map(onChangedLine));
      });
    }
  }
  return found;
}

/** The highlighting of a diff in the file's language; undefined until it is ready, and for a long one. */
export function useDiffColours(hunks: readonly Hunk[], language: string): DiffColours | undefined {
  const [state, setState] = useState<{ of: readonly Hunk[]; colours: DiffColours }>();
  useEffect(() => {
    if (language === '' || hunks.reduce((sum, { lines }) => sum + lines.length, 0) > MOST_COLOURED) return;
    let isCurrent = true;
    coloured(hunks, language)
      .then((colours) => isCurrent && setState({ of: hunks, colours }))
      // Without highlighting the text is complete.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [hunks, language]);
  return state?.of === hunks ? state.colours : undefined;
}
