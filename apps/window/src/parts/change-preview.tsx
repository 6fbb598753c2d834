import type { FileChange } from '@fucina/conversation';
import { useMemo } from 'react';
import { languageOf } from './code.tsx';
import { DiffView } from './diff.tsx';
import { diffTexts, type FileDiff } from './line-diff.ts';

const PREVIEW_LINES = 12;

const lineCount = ({ hunks }: FileDiff) => hunks.reduce((sum, { lines }) => sum + lines.length, 0);

interface ChangePreviewProps {
  changes: readonly FileChange[];
  /** Shows every file and line. */
  showAll: () => void;
}

/** The first changed lines of a call, in its row of the conversation. */
export function ChangePreview({ changes, showAll }: ChangePreviewProps) {
  const diffs = useMemo(
    () =>
      changes
        .filter(({ isTooLarge }) => !isTooLarge)
        .map(({ path, before, after }) => ({ path, diff: diffTexts(before, after) }))
        .filter(({ diff }) => lineCount(diff) > 0),
    [changes],
  );
  const [first] = diffs;
  if (!first) return null;
  const total = diffs.reduce((sum, { diff }) => sum + lineCount(diff), 0);
  const lines = Math.min(PREVIEW_LINES, lineCount(first.diff));
  return (
    <DiffView
      diff={first.diff}
      label={first.path}
      language={languageOf(first.path)}
      preview={{ lines, left: total - lines, showAll }}
    />
  );
}
