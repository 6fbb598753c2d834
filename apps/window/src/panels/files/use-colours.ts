import { useEffect, useState } from 'react';
import { nextFrame } from '../../ambient.ts';
import type { ColouredPiece } from '../../parts/highlight.ts';
import { loadChunk } from '../../wire/load-chunk.ts';

/** Above this size highlighting would be too slow. */
const MOST_COLOURED = 400_000;
/** Lines per step, so that the page stays responsive. */
const STEP_LINES = 250;

const painted = (): Promise<void> => new Promise((resolve) => void nextFrame(resolve));

/** The lines highlighted so far, from the first on; none if the text is too large or its language unknown. */
export function useColours(lines: readonly string[], language: string): readonly ColouredPiece[][] {
  const [state, setState] = useState<{ of: readonly string[]; coloured: ColouredPiece[][] }>();
  useEffect(() => {
    if (language === '' || lines.reduce((sum, line) => sum + line.length, 0) > MOST_COLOURED) return;
    let isCurrent = true;
    const colour = async () => {
      const { colouring } = await loadChunk(() => import('../../parts/highlight.ts'));
      const step = await colouring(language);
      for (let at = 0; step && isCurrent && at < lines.length; at += STEP_LINES) {
        const some = step(lines.slice(at, at + STEP_LINES).join('\n'));
        if (!isCurrent) return;
        setState((before) => ({ of: lines, coloured: [...(before?.of === lines ? before.coloured : []), ...some] }));
        await painted();
      }
    };
    // Without highlighting the text is complete.
    colour().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [lines, language]);
  return state?.of === lines ? state.coloured : [];
}
