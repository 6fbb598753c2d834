import { useQuery } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { useMemo } from 'react';
import { Fold } from '../../parts/box.tsx';
import { CleanText } from '../../parts/clean-text.tsx';
import { languageOf } from '../../parts/code.tsx';
import { DiffView } from '../../parts/diff.tsx';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { InstructionTag } from '../../parts/instruction-note.tsx';
import { readPatch } from '../../parts/patch.ts';
import { Answer, Empty } from '../../parts/states.tsx';
import { branchPointDiffQuery, type GitBranchPoint, type GitBranchPointDiff } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import { LineComments } from './line-comments.tsx';
import { OpenInEditor } from './open-in-editor.tsx';
import { sideLines } from './review-comment.ts';
import { type ReviewedFile, useLineParts } from './use-line-parts.tsx';

type BranchFile = GitBranchPoint['files'][number];

function ReviewedPatch({ sessionId, diff }: { sessionId: string; diff: GitBranchPointDiff }) {
  const { say } = useWords();
  const { path, text } = diff;
  const patch = useMemo(() => readPatch(text), [text]);
  const reviewed = useMemo((): ReviewedFile => {
    const lines = patch.hunks.flatMap((hunk) => hunk.lines);
    return { sessionId, view: 'branch', path, hunks: patch.hunks, lines: (side) => sideLines(lines, side) };
  }, [sessionId, path, patch]);
  const { parts, loose } = useLineParts(reviewed);
  return (
    <>
      {loose.length > 0 && <LineComments sessionId={sessionId} comments={loose} isLoose />}
      {diff.isCut && <p className="muted diff-same">{say('changes.cut')}</p>}
      {patch.hunks.length > 0 ? (
        <DiffView diff={patch} label={path} language={languageOf(path)} parts={parts} />
      ) : (
        <p className="muted diff-same">{say(diff.isBinary ? 'git.binary' : 'git.noLines.why')}</p>
      )}
    </>
  );
}

interface BranchFileProps {
  sessionId: string;
  folder: string | undefined;
  /** The commit compared with. */
  from: string;
  file: BranchFile;
}

function FileDiff({ sessionId, from, file }: BranchFileProps) {
  const { path, before } = file;
  const query = useQuery(branchPointDiffQuery(sessionId, { from: from, path, ...(before !== null && { before }) }));
  return <Answer query={query}>{(diff) => <ReviewedPatch sessionId={sessionId} diff={diff} />}</Answer>;
}

function FileHead({ file }: { file: BranchFile }) {
  const { say } = useWords();
  const { state, path, before, added, removed } = file;
  return (
    <>
      <span className="path">
        <CleanText text={path} />
      </span>
      {state === 'A' && <span className="tag success">{say('changes.new')}</span>}
      {state === 'D' && <span className="tag danger">{say('changes.gone')}</span>}
      {before !== null && (
        <span className="tag" title={say('changes.renamedFrom', { name: before })}>
          {say('changes.renamed')}
        </span>
      )}
      <InstructionTag path={path} />
      {added !== null && removed !== null && added + removed > 0 && <DiffCounts added={added} removed={removed} />}
    </>
  );
}

interface BranchFilesProps {
  sessionId: string;
  folder: string | undefined;
  changes: GitBranchPoint;
  folds: { isOpen: (path: string) => boolean; toggle: (path: string, isOpen: boolean) => void };
}

/** The files that differ from the branch point; the diff of each is loaded when it is opened. */
export function BranchFiles({ sessionId, folder, changes, folds }: BranchFilesProps) {
  const { say } = useWords();
  const { base, files, hasMore } = changes;
  if (!base || files.length === 0) {
    return (
      <Empty icon={<GitBranch size={20} />} title={say(base ? 'changes.branch.none' : 'changes.base.none')}>
        {say(base ? 'changes.branch.none.why' : 'changes.base.none.why')}
      </Empty>
    );
  }
  return (
    <>
      {files.map((file) => {
        const { path, state } = file;
        const facts = { sessionId, folder, from: base.commit, file };
        return (
          <div key={path} id={`change-${path}`} className="change">
            <Fold
              isOpen={folds.isOpen(path)}
              toggle={(isOpen) => folds.toggle(path, isOpen)}
              aside={folder !== undefined && state !== 'D' && <OpenInEditor folder={folder} path={path} line={1} />}
              head={<FileHead file={file} />}
            >
              {() => <FileDiff {...facts} />}
            </Fold>
          </div>
        );
      })}
      {hasMore && <p className="muted small">{say('changes.firstFiles', { count: files.length })}</p>}
    </>
  );
}
