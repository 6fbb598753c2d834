import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Fold } from '../../parts/box.tsx';
import { Choice } from '../../parts/choice.tsx';
import { CleanText } from '../../parts/clean-text.tsx';
import { languageOf } from '../../parts/code.tsx';
import { DiffView } from '../../parts/diff.tsx';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { InstructionTag } from '../../parts/instruction-note.tsx';
import { readPatch } from '../../parts/patch.ts';
import { Answer, Loading } from '../../parts/states.tsx';
import { branchPointDiffQuery, type GitBranchPoint } from '../../wire/git.ts';
import type { PickedChange } from '../../wire/picked-changes.ts';
import { useWords } from '../../words/words.ts';
import type { Compared } from './compared.ts';
import { PickBar } from './pick-bar.tsx';
import { type PickState, usePicks, withHunk } from './picked.ts';

type File = GitBranchPoint['files'][number];

/** A side that changed the file. */
interface Changed extends Compared {
  file: File;
  from: string;
}

interface PatchProps {
  side: Changed;
  state: PickState;
}

/** The diff of a file, whose hunks can be chosen. */
function Patch({ side, state }: PatchProps) {
  const { say } = useWords();
  const { file, from } = side;
  const { sessionId } = side.row;
  const { path, before } = file;
  const query = useQuery(branchPointDiffQuery(sessionId, { from: from, path, ...(before !== null && { before }) }));
  const text = query.data?.text;
  const patch = useMemo(() => readPatch(text ?? ''), [text]);
  const { picks, unpick } = state;
  const shown = query.data?.fingerprint;
  useEffect(() => {
    // What was chosen is no longer what the file contains.
    const own = picks.find((one) => one.sessionId === sessionId && one.path === path);
    if (own && shown !== undefined && own.fingerprint !== shown) unpick(sessionId, path);
  }, [picks, unpick, sessionId, path, shown]);
  return (
    <Answer query={query} lines={4}>
      {({ fingerprint, isCut, isBinary }) => {
        const change: PickedChange = { sessionId, from, path, fingerprint, ...(before !== null && { before }) };
        const picked = state.of(sessionId, path, fingerprint);
        const set = (next: PickedChange | undefined) => (next ? state.pick(next) : state.unpick(sessionId, path));
        const count = patch.hunks.length;
        const hasParts = count > 1 && !patch.isWhole && !isCut;
        const isAll = picked !== undefined && (picked.hunks === undefined || picked.hunks.length === count);
        return (
          <>
            <PickBox
              label={say('compare.pick.file')}
              isOn={isAll}
              isPart={picked !== undefined && !isAll}
              toggle={() => set(isAll ? undefined : change)}
            />
            {count > 0 ? (
              <DiffView
                diff={patch}
                label={path}
                language={languageOf(path)}
                head={
                  hasParts
                    ? (hunk) => (
                        <PickBox
                          label={say('compare.pick.hunk', { number: hunk + 1, count })}
                          isOn={picked !== undefined && (picked.hunks?.includes(hunk) ?? true)}
                          toggle={() => set(withHunk(picked, change, { hunk, count }))}
                        />
                      )
                    : undefined
                }
              />
            ) : (
              <p className="muted diff-same">{say(isBinary ? 'git.binary' : 'git.noLines.why')}</p>
            )}
          </>
        );
      }}
    </Answer>
  );
}

interface PickBoxProps {
  label: string;
  isOn: boolean;
  /** Some of it is chosen. */
  isPart?: boolean;
  toggle: () => void;
}

function PickBox({ label, isOn, isPart = false, toggle }: PickBoxProps) {
  return (
    <label className="compare-pick small">
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = isPart;
        }}
        checked={isOn}
        onChange={toggle}
      />
      {label}
    </label>
  );
}

function FileSides({ sides, state }: { sides: readonly Changed[]; state: PickState }) {
  const { say } = useWords();
  const [chosen, choose] = useState(sides[0]?.row.sessionId ?? '');
  const side = sides.find(({ row }) => row.sessionId === chosen) ?? sides[0];
  if (!side) return null;
  const nameOf = (id: string): string => {
    const found = sides.find(({ row }) => row.sessionId === id);
    return found?.worktree?.name ?? found?.row.name ?? say('session.untitled');
  };
  return (
    <div className="compare-file">
      {sides.length > 1 && (
        <Choice
          label={say('compare.side')}
          values={sides.map(({ row }) => row.sessionId)}
          value={side.row.sessionId}
          name={nameOf}
          choose={choose}
        />
      )}
      <Patch key={side.row.sessionId} side={side} state={state} />
    </div>
  );
}

interface CompareFilesProps {
  sides: readonly Compared[];
  /** The changes of a side are not known yet. */
  isLoading: boolean;
}

/** Every file that a side changed, with who changed it: all at once, so that none changes its place or side. */
export function CompareFiles({ sides, isLoading }: CompareFilesProps) {
  const { say } = useWords();
  const state = usePicks();
  const [isShown, show] = useState(!isLoading);
  if (!isLoading && !isShown) show(true);
  const byPath = new Map<string, Changed[]>();
  for (const side of sides)
    for (const file of side.changes?.files ?? []) {
      const from = side.changes?.base?.commit;
      if (from !== undefined) byPath.set(file.path, [...(byPath.get(file.path) ?? []), { ...side, file, from }]);
    }
  const paths = [...byPath.keys()].sort();
  if (!isShown) return <Loading lines={6} />;
  if (paths.length === 0) return <p className="muted">{say('compare.noFiles')}</p>;
  return (
    <section className="compare-files" aria-label={say('compare.files')}>
      {paths.map((path) => {
        const changed = byPath.get(path) ?? [];
        return (
          <Fold
            key={path}
            className="change"
            head={
              <>
                <span className="path">
                  <CleanText text={path} />
                </span>
                <InstructionTag path={path} />
                {changed.map(({ row, file }) => (
                  <DiffCounts key={row.sessionId} added={file.added ?? 0} removed={file.removed ?? 0} />
                ))}
                {sides.length > 1 && (
                  <span className="muted small">{say('compare.by', { count: changed.length, all: sides.length })}</span>
                )}
              </>
            }
          >
            {() => <FileSides sides={changed} state={state} />}
          </Fold>
        );
      })}
      <PickBar sides={sides} state={state} />
    </section>
  );
}
