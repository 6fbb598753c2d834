import { ApiError } from '@fucina/client';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Check, FileText } from 'lucide-react';
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { readStored, writeStored } from '../../ambient.ts';
import { CleanText } from '../../parts/clean-text.tsx';
import { languageOf } from '../../parts/code.tsx';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { filePage } from '../../parts/file-reference.ts';
import { readPatch } from '../../parts/patch.ts';
import { Answer, Empty, Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { type GitDiff, type GitState, gitDiffQuery, type HunkAction } from '../../wire/git.ts';
import { useWords, type WordKey } from '../../words/words.ts';
import { LineComments } from '../review/line-comments.tsx';
import { sideLines } from '../review/review-comment.ts';
import { type ReviewedFile, useLineParts } from '../review/use-line-parts.tsx';
import { type GroupedFile, shownFileOf } from './groups.ts';
import { type PatchLayout, PatchView } from './patch-view.tsx';
import type { GitPanelState } from './use-git-panel.ts';

const isLayout = (value: unknown): value is PatchLayout => value === 'unified' || value === 'split';

interface PatchPaneProps {
  panel: GitPanelState;
  path: string;
  diff: { text: string; isCut: boolean; isBinary: boolean };
  back: () => void;
  actions?: ((hunk: number) => ReactNode) | undefined;
  /** Draws the patch with comments on its lines. */
  isReviewed?: boolean;
}

type ReviewedPatchProps = ComponentProps<typeof PatchView> & { sessionId: string };

function ReviewedPatch({ sessionId, ...view }: ReviewedPatchProps) {
  const { patch, label: path } = view;
  const file = useMemo(
    (): ReviewedFile => ({
      sessionId,
      view: 'git',
      path,
      hunks: patch.hunks,
      lines: (side) =>
        sideLines(
          patch.hunks.flatMap(({ lines }) => lines),
          side,
        ),
    }),
    [sessionId, path, patch],
  );
  const { parts, loose } = useLineParts(file);
  return (
    <>
      {loose.length > 0 && <LineComments sessionId={sessionId} comments={loose} isLoose />}
      <PatchView {...view} parts={parts} />
    </>
  );
}

/** One file's diff with a header, unified or split as the user last chose. */
export function PatchPane({ panel, path, diff, back, actions, isReviewed = false }: PatchPaneProps) {
  const { say } = useWords();
  const [layout, setLayout] = useState<PatchLayout>(() => readStored('git.layout', isLayout) ?? 'unified');
  const patch = useMemo(() => readPatch(diff.text), [diff.text]);
  const choose = (next: PatchLayout) => {
    setLayout(next);
    writeStored('git.layout', next);
  };
  const view = {
    patch,
    label: path,
    language: languageOf(path),
    layout,
    actions: patch.isWhole || diff.isCut ? undefined : actions,
  };
  return (
    <>
      <header className="git-pane-head">
        <button
          type="button"
          className={`icon-button ${panel.place.commit === undefined ? 'only-slim' : ''}`}
          aria-label={say('act.back')}
          title={say('act.back')}
          onClick={back}
        >
          <ArrowLeft size={14} aria-hidden />
        </button>
        <h2 className="path">
          <CleanText text={path} />
        </h2>
        {!diff.isBinary && <DiffCounts added={patch.added} removed={patch.removed} />}
        <Link
          className="icon-button"
          to={filePage(panel.sessionId, { path, line: undefined })}
          aria-label={say('git.openFile')}
          title={say('git.openFile')}
        >
          <FileText size={14} aria-hidden />
        </Link>
        <div className="choice">
          {(['unified', 'split'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={layout === one} onClick={() => choose(one)}>
              {say(`git.layout.${one}`)}
            </button>
          ))}
        </div>
      </header>
      {diff.isCut && <p className="git-note">{say('git.cut')}</p>}
      {patch.mode && <p className="git-note">{say('git.mode', { from: patch.mode[0], to: patch.mode[1] })}</p>}
      {diff.isBinary || patch.hunks.length === 0 ? (
        <Empty title={say(diff.isBinary ? 'git.binary' : 'git.noLines')}>
          {say(diff.isBinary ? 'git.binary.why' : 'git.noLines.why')}
        </Empty>
      ) : isReviewed ? (
        <ReviewedPatch sessionId={panel.sessionId} {...view} />
      ) : (
        <PatchView {...view} />
      )}
    </>
  );
}

const ACTS: Record<GitDiff['area'], [HunkAction, WordKey][]> = {
  worktree: [
    ['undo', 'git.hunk.undo'],
    ['stage', 'git.hunk.stage'],
  ],
  index: [['unstage', 'git.hunk.unstage']],
};

function FileDiff({ panel, file }: { panel: GitPanelState; file: GroupedFile }) {
  const { say } = useWords();
  const { entry, area } = file;
  const query = useQuery(gitDiffQuery(panel.sessionId, entry.path, area));
  const act = (diff: GitDiff, index: number, action: HunkAction) => {
    const { path, fingerprint } = diff;
    const run = async () => {
      await api.post('/sessions/{sessionId}/git/hunk', {
        path: panel.path,
        body: { path, area, index, fingerprint, action },
      });
      return undefined;
    };
    if (action !== 'undo') return void panel.run(run);
    panel.ask({
      title: say('git.hunk.ask', { name: path }),
      text: say('git.hunk.why'),
      act: say('git.discard'),
      run,
    });
  };
  const isGone = query.error instanceof ApiError && query.error.code === 'GIT_PATH_UNCHANGED';
  if (isGone) return <Unchanged />;
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return (
    <Answer query={query} lines={8}>
      {(diff) => (
        <PatchPane
          panel={panel}
          path={entry.path}
          diff={diff}
          isReviewed
          back={() => panel.go({})}
          actions={
            file.group === 'conflicts' || file.group === 'fresh'
              ? undefined
              : (hunk) =>
                  ACTS[area].map(([action, word]) => (
                    <button
                      key={action}
                      type="button"
                      className="chip"
                      disabled={panel.isBusy}
                      onClick={() => act(diff, hunk, action)}
                    >
                      {say(word)}
                    </button>
                  ))
          }
        />
      )}
    </Answer>
  );
}

function Unchanged() {
  const { say } = useWords();
  return (
    <Empty icon={<Check size={20} />} title={say('git.unchanged')}>
      {say('git.unchanged.why')}
    </Empty>
  );
}

/** The selected change. */
export function DiffPane({ panel, state }: { panel: GitPanelState; state: GitState }) {
  const { say } = useWords();
  const found = shownFileOf(state, panel.place);
  if (!found) return panel.place.file === undefined ? null : <Unchanged />;
  if (found.entry.isNestedRepository || found.entry.isFolder) {
    return <Empty title={say('git.nested')}>{say('git.nested.why')}</Empty>;
  }
  return <FileDiff key={`${found.entry.path} ${found.area}`} panel={panel} file={found} />;
}
