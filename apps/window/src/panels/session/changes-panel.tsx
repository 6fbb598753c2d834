import { type Conversation, type FileChange, type Item, netChanges } from '@fucina/conversation';
import { GitCompareArrows } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { Fold } from '../../parts/box.tsx';
import { languageOf } from '../../parts/code.tsx';
import { DiffView } from '../../parts/diff.tsx';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { diffTexts } from '../../parts/line-diff.ts';
import { Empty } from '../../parts/states.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import { useWords } from '../../words/words.ts';

const changesOf = (conversation: Conversation) => conversation.changes;
const itemsOf = (conversation: Conversation) => conversation.items;
/** Above this many files all are collapsed at first. */
const OPEN_AT_FIRST = 12;

interface Turn {
  turn: number;
  /** The user's message of the turn. */
  name: string;
}

const LONGEST_NAME = 60;

/** The turns that changed files, latest first. */
function turnsOf(changes: readonly FileChange[], items: readonly Item[]): Turn[] {
  const numbers = [...new Set(changes.map(({ turn }) => turn))].reverse();
  return numbers.map((turn) => {
    const asked = items.find((item) => item.kind === 'person' && item.turn === turn);
    const text = asked?.kind === 'person' ? asked.text.replaceAll(/\s+/g, ' ') : '';
    return { turn, name: text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text };
  });
}

/** Every file that the session changed, from before its first change to now; or the changes of one turn. */
export function ChangesPanel() {
  const { say } = useWords();
  const { hash } = useLocation();
  const { sessionId } = useParams();
  const changes = useConversationFact(changesOf);
  const items = useConversationFact(itemsOf);
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
  const wanted = decodeURIComponent(hash.slice(1));
  useEffect(() => {
    if (wanted) document.getElementById(`change-${wanted}`)?.scrollIntoView({ block: 'start' });
  }, [wanted]);
  const [added, removed] = files.reduce(
    ([plus, minus], { diff }) => [plus + diff.added, minus + diff.removed] as [number, number],
    [0, 0] as [number, number],
  );
  return (
    <div className="changes">
      <header className="changes-head">
        <select
          className="chip"
          aria-label={say('changes.span')}
          value={turn ?? ''}
          onChange={(event) =>
            setTurn(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))
          }
        >
          <option value="">{say('changes.session')}</option>
          {turns.map((one) => (
            <option key={one.turn} value={one.turn}>
              {say('changes.turn', { count: one.turn, name: one.name })}
            </option>
          ))}
        </select>
        <span className="muted">{say('changes.files', { count: files.length })}</span>
        {files.length > 0 && <DiffCounts added={added} removed={removed} />}
        <Link className="changes-git" to={`/sessions/${sessionId}/git`}>
          {say('session.git')}
        </Link>
      </header>
      {files.length === 0 ? (
        <Empty icon={<GitCompareArrows size={20} />} title={say('changes.none')}>
          {say('changes.none.why')}
        </Empty>
      ) : (
        files.map(({ path, before, after, diff, isTooLarge }) => (
          <div key={path} id={`change-${path}`} className="change">
            <Fold
              isOpen={files.length <= OPEN_AT_FIRST || path === wanted}
              head={
                <>
                  <span className="path">
                    <bdi>{path}</bdi>
                  </span>
                  {before === null && <span className="tag success">{say('changes.new')}</span>}
                  {after === null && <span className="tag danger">{say('changes.gone')}</span>}
                  <DiffCounts added={diff.added} removed={diff.removed} />
                </>
              }
            >
              {() =>
                isTooLarge ? (
                  <p className="muted diff-same">{say('diff.unknown', { path })}</p>
                ) : (
                  <DiffView diff={diff} label={path} language={languageOf(path)} />
                )
              }
            </Fold>
          </div>
        ))
      )}
    </div>
  );
}
