import { type Conversation, type FileChange, type Item, netChanges } from '@fucina/conversation';
import { useQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { diffTexts } from '../../parts/line-diff.ts';
import { Answer, Empty } from '../../parts/states.tsx';
import { useLiveRepository } from '../../session/use-live-repository.ts';
import { useConversationFact } from '../../session/use-session.tsx';
import { branchPointQuery } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import { BranchFiles } from './branch-files.tsx';
import { useChangeSteps } from './change-steps.ts';
import { ChangedFile } from './changed-file.tsx';
import { ChangesHead, type Scope, type Turn } from './changes-head.tsx';
import { ReviewBar } from './review-bar.tsx';
import { walkLines } from './use-line-parts.tsx';

const changesOf = (conversation: Conversation) => conversation.changes;
const folderOf = (conversation: Conversation) => conversation.folder;
const itemsOf = (conversation: Conversation) => conversation.items;
/** With more files than this, all are closed at first. */
const OPEN_AT_FIRST = 12;

const LONGEST_NAME = 60;

/** The turns that changed files, the latest first. */
function turnsOf(changes: readonly FileChange[], items: readonly Item[]): Turn[] {
  const numbers = [...new Set(changes.map(({ turn }) => turn))].reverse();
  return numbers.map((turn) => {
    const asked = items.find((item) => item.kind === 'user' && item.turn === turn);
    const text = asked?.kind === 'user' ? asked.text.replaceAll(/\s+/g, ' ') : '';
    return { turn, name: text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text };
  });
}

/** Which files are open: the first ones, the one that the address names, and what the user opens or closes. */
function useFolds(count: number) {
  const wanted = decodeURIComponent(useLocation().hash.slice(1));
  const [folds, setFolds] = useState<Readonly<Record<string, boolean>>>({});
  const toggle = useCallback((path: string, isOpen: boolean) => setFolds((all) => ({ ...all, [path]: isOpen })), []);
  useEffect(() => {
    if (!wanted) return;
    toggle(wanted, true);
    document.getElementById(`change-${wanted}`)?.scrollIntoView({ block: 'start' });
  }, [wanted, toggle]);
  return { isOpen: (path: string) => folds[path] ?? (count <= OPEN_AT_FIRST || path === wanted), toggle };
}

interface BaseChoiceProps {
  base: string;
  bases: readonly string[];
  choose: (base: string) => void;
}

function BaseChoice({ base, bases, choose }: BaseChoiceProps) {
  const { say } = useWords();
  return (
    <select
      className="chip"
      aria-label={say('changes.base')}
      title={say('changes.base')}
      value={base}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {[...new Set([base, ...bases])].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

/** The scope and the base branch, from the address. The turn is not in it. */
function useScope() {
  const [search, setSearch] = useSearchParams();
  const [turn, setTurn] = useState<number>();
  const scope: Scope = search.get('scope') === 'branch' ? 'branch' : (turn ?? 'session');
  const setScope = (next: Scope) => {
    setTurn(typeof next === 'number' ? next : undefined);
    setSearch(next === 'branch' ? { scope: next } : {}, { replace: true });
  };
  const setBase = (base: string) => setSearch({ scope: 'branch', base }, { replace: true });
  return { scope, setScope, base: scope === 'branch' ? (search.get('base') ?? undefined) : undefined, setBase };
}

function countOf(files: readonly { added: number; removed: number }[]) {
  const [added, removed] = files.reduce(
    ([plus, minus], file) => [plus + file.added, minus + file.removed] as [number, number],
    [0, 0] as [number, number],
  );
  return { files: files.length, added, removed };
}

function useSessionFiles(scope: Scope) {
  const changes = useConversationFact(changesOf);
  const items = useConversationFact(itemsOf);
  const turns = useMemo(() => turnsOf(changes, items), [changes, items]);
  const files = useMemo(
    () =>
      netChanges(typeof scope === 'number' ? changes.filter(({ turn }) => turn === scope) : changes).map((change) => ({
        ...change,
        diff: diffTexts(change.before, change.after),
      })),
    [changes, scope],
  );
  return { turns, files };
}

/**
 * Every file the session changed, from before its first change to now, the changes of one turn, or what changed since
 * the branch point. Lines can have comments, which are sent to the agent together.
 */
export function ChangesPanel({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const folder = useConversationFact(folderOf);
  const { scope, setScope, base, setBase } = useScope();
  const { turns, files } = useSessionFiles(scope);
  useLiveRepository(sessionId);
  const branch = useQuery(branchPointQuery(sessionId, base));
  // Whether there is a base, and which: also while another one cannot be compared.
  const { data: likely = branch.data } = useQuery({
    ...branchPointQuery(sessionId, undefined),
    enabled: base === undefined,
  });
  const shownBase = base ?? likely?.base?.name;
  const compared = scope === 'branch' ? (branch.data?.files ?? []) : undefined;
  const count = compared
    ? countOf(compared.map(({ added, removed }) => ({ added: added ?? 0, removed: removed ?? 0 })))
    : countOf(files.map(({ diff }) => diff));
  const frame = useRef<HTMLDivElement>(null);
  const steps = useChangeSteps(frame);
  const folds = useFolds(count.files);
  const hasBranch = scope === 'branch' || (likely?.base ?? null) !== null;
  return (
    <>
      <div ref={frame} className="changes" onKeyDown={walkLines}>
        <ChangesHead turns={turns} scope={scope} setScope={setScope} hasBranch={hasBranch} count={count} steps={steps}>
          {scope === 'branch' && shownBase !== undefined && (
            <BaseChoice base={shownBase} bases={likely?.bases ?? []} choose={setBase} />
          )}
        </ChangesHead>
        {count.files > 0 && <p className="review-hint muted small">{say('review.tap')}</p>}
        {scope === 'branch' ? (
          <Answer query={branch}>
            {(changes) => <BranchFiles sessionId={sessionId} folder={folder} changes={changes} folds={folds} />}
          </Answer>
        ) : files.length === 0 ? (
          <Empty icon={<GitCompareArrows size={20} />} title={say('changes.none')}>
            {say('changes.none.why')}
          </Empty>
        ) : (
          files.map((file) => (
            <ChangedFile
              key={file.path}
              sessionId={sessionId}
              folder={folder}
              file={file}
              isOpen={folds.isOpen(file.path)}
              toggle={(isOpen) => folds.toggle(file.path, isOpen)}
            />
          ))
        )}
      </div>
      <ReviewBar sessionId={sessionId} />
    </>
  );
}
