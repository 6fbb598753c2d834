import { type Conversation, type FileChange, type Item, netChanges } from '@fucina/conversation';
import { ArrowDown, ArrowUp, GitCompareArrows } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { diffTexts } from '../../parts/line-diff.ts';
import { Empty } from '../../parts/states.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import { useWords } from '../../words/words.ts';
import { useChangeSteps } from './change-steps.ts';
import { ChangedFile, type ChangedFileFacts } from './changed-file.tsx';
import { ReviewBar } from './review-bar.tsx';
import { walkLines } from './use-line-parts.tsx';

const changesOf = (conversation: Conversation) => conversation.changes;
const folderOf = (conversation: Conversation) => conversation.folder;
const itemsOf = (conversation: Conversation) => conversation.items;
/** With more files than this, all are closed at first. */
const OPEN_AT_FIRST = 12;

interface Turn {
  turn: number;
  /** What the user asked for in it. */
  name: string;
}

const LONGEST_NAME = 60;

/** The turns that changed files, the latest first. */
function turnsOf(changes: readonly FileChange[], items: readonly Item[]): Turn[] {
  const numbers = [...new Set(changes.map(({ turn }) => turn))].reverse();
  return numbers.map((turn) => {
    const asked = items.find((item) => item.kind === 'person' && item.turn === turn);
    const text = asked?.kind === 'person' ? asked.text.replaceAll(/\s+/g, ' ') : '';
    return { turn, name: text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text };
  });
}

interface HeadProps {
  turns: readonly Turn[];
  turn: number | undefined;
  setTurn: (turn: number | undefined) => void;
  files: readonly ChangedFileFacts[];
  steps: ReturnType<typeof useChangeSteps>;
}

function Step({ name, keys, icon, go }: { name: string; keys: string; icon: ReactNode; go: () => void }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={name}
      aria-keyshortcuts={keys}
      title={`${name} (${keys})`}
      onClick={go}
    >
      {icon}
    </button>
  );
}

function Head({ turns, turn, setTurn, files, steps }: HeadProps) {
  const { say } = useWords();
  const { sessionId } = useParams();
  const [added, removed] = files.reduce(
    ([plus, minus], { diff }) => [plus + diff.added, minus + diff.removed] as [number, number],
    [0, 0] as [number, number],
  );
  return (
    <header className="changes-head">
      <select
        className="chip"
        aria-label={say('changes.span')}
        value={turn ?? ''}
        onChange={(event) => setTurn(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))}
      >
        <option value="">{say('changes.session')}</option>
        {turns.map((one) => (
          <option key={one.turn} value={one.turn}>
            {say('changes.turn', { count: one.turn, name: one.name })}
          </option>
        ))}
      </select>
      <span className="muted">{say('changes.files', { count: files.length })}</span>
      {files.length > 0 && (
        <>
          <DiffCounts added={added} removed={removed} />
          <span className="changes-steps">
            <Step
              name={say('review.previous')}
              keys="Shift+F7"
              icon={<ArrowUp size={14} aria-hidden />}
              go={steps.previous}
            />
            <Step name={say('review.next')} keys="F7" icon={<ArrowDown size={14} aria-hidden />} go={steps.next} />
          </span>
        </>
      )}
      <Link className="changes-git" to={`/sessions/${sessionId}/git`}>
        {say('session.git')}
      </Link>
    </header>
  );
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

/**
 * Every file the session changed, from before its first change to now, or the changes of one turn. Lines can have
 * comments, which are sent to the agent together.
 */
export function ChangesPanel({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const changes = useConversationFact(changesOf);
  const items = useConversationFact(itemsOf);
  const folder = useConversationFact(folderOf);
  const [turn, setTurn] = useState<number>();
  const turns = useMemo(() => turnsOf(changes, items), [changes, items]);
  const files = useMemo(
    () =>
      netChanges(turn === undefined ? changes : changes.filter((change) => change.turn === turn)).map((change) => ({
        ...change,
        diff: diffTexts(change.before, change.after),
      })),
    [changes, turn],
  );
  const frame = useRef<HTMLDivElement>(null);
  const steps = useChangeSteps(frame);
  const folds = useFolds(files.length);
  return (
    <>
      <div ref={frame} className="changes" onKeyDown={walkLines}>
        <Head turns={turns} turn={turn} setTurn={setTurn} files={files} steps={steps} />
        {files.length > 0 && <p className="review-hint muted small">{say('review.tap')}</p>}
        {files.length === 0 ? (
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
