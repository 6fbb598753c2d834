import type { FileChange } from '@fucina/conversation';
import { useMemo } from 'react';
import { Fold } from '../../parts/box.tsx';
import { CleanText } from '../../parts/clean-text.tsx';
import { languageOf } from '../../parts/code.tsx';
import { DiffView } from '../../parts/diff.tsx';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { InstructionTag } from '../../parts/instruction-note.tsx';
import type { FileDiff } from '../../parts/line-diff.ts';
import { ProblemCount } from '../../parts/problem-count.tsx';
import { useWords } from '../../words/words.ts';
import { LineComments } from './line-comments.tsx';
import { OpenInEditor } from './open-in-editor.tsx';
import { textLines } from './review-comment.ts';
import { type ReviewedFile, useLineParts } from './use-line-parts.tsx';

export interface ChangedFileFacts extends FileChange {
  diff: FileDiff;
}

interface ChangedFileProps {
  sessionId: string;
  /** Of the session, where it is known. */
  folder: string | undefined;
  file: ChangedFileFacts;
  isOpen: boolean;
  toggle: (isOpen: boolean) => void;
}

/** The first line that changed, in the file as it is. */
function firstLine({ hunks }: FileDiff): number {
  const lines = hunks[0]?.lines ?? [];
  const at = lines.findIndex(({ kind }) => kind !== 'same');
  return lines.slice(Math.max(0, at)).find((line) => line.new !== undefined)?.new ?? 1;
}

function ReviewedDiff({ sessionId, file }: Pick<ChangedFileProps, 'sessionId' | 'file'>) {
  const { path, before, after, diff } = file;
  const reviewed = useMemo(
    (): ReviewedFile => ({
      sessionId,
      view: 'changes',
      path,
      hunks: diff.hunks,
      lines: (side) => textLines(side === 'old' ? before : after),
    }),
    [sessionId, path, before, after, diff],
  );
  const { parts, loose } = useLineParts(reviewed);
  return (
    <>
      {loose.length > 0 && <LineComments sessionId={sessionId} comments={loose} isLoose />}
      <DiffView diff={diff} label={path} language={languageOf(path)} parts={parts} />
    </>
  );
}

/** One file of the tab Changes: its name, its counts, and its diff once it is open. */
export function ChangedFile({ sessionId, folder, file, isOpen, toggle }: ChangedFileProps) {
  const { say } = useWords();
  const { path, before, after, diff, isTooLarge } = file;
  return (
    <div id={`change-${path}`} className="change">
      <Fold
        isOpen={isOpen}
        toggle={toggle}
        aside={
          folder !== undefined && after !== null && <OpenInEditor folder={folder} path={path} line={firstLine(diff)} />
        }
        head={
          <>
            <span className="path">
              <CleanText text={path} />
            </span>
            {before === null && <span className="tag success">{say('changes.new')}</span>}
            {after === null && <span className="tag danger">{say('changes.gone')}</span>}
            <InstructionTag path={path} />
            {after !== null && <ProblemCount path={path} />}
            <DiffCounts added={diff.added} removed={diff.removed} />
          </>
        }
      >
        {() =>
          isTooLarge ? (
            <p className="muted diff-same">{say('diff.unknown', { path })}</p>
          ) : (
            <ReviewedDiff sessionId={sessionId} file={file} />
          )
        }
      </Fold>
    </div>
  );
}
