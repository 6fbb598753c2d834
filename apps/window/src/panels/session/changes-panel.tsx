import { GitCompareArrows } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { Fold } from '../../parts/box.tsx';
import { DiffView } from '../../parts/diff.tsx';
import { Counts } from '../../parts/diff-counts.tsx';
import { diffTexts } from '../../parts/line-diff.ts';
import { Empty } from '../../parts/states.tsx';
import { type Conversation, netChanges } from '../../session/conversation.ts';
import { usePicked } from '../../session/use-session.tsx';
import { useWords } from '../../words/words.ts';

const changesOf = (conversation: Conversation) => conversation.changes;
const turnOf = (conversation: Conversation) => conversation.turn;
/** Beyond this many files they are all closed at first. */
const OPEN_AT_FIRST = 12;

/** Every file the session changed, from before its first change to now; or what the last turn alone did. */
export function ChangesPanel() {
  const { say } = useWords();
  const { hash } = useLocation();
  const changes = usePicked(changesOf);
  const turn = usePicked(turnOf);
  const [isTurn, setIsTurn] = useState(false);
  const files = useMemo(
    () =>
      netChanges(isTurn ? changes.filter((change) => change.turn === turn) : changes).map((change) => ({
        ...change,
        diff: diffTexts(change.before, change.after),
      })),
    [changes, isTurn, turn],
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
        <div className="choice" role="group" aria-label={say('changes.span')}>
          <button type="button" aria-pressed={!isTurn} onClick={() => setIsTurn(false)}>
            {say('changes.session')}
          </button>
          <button type="button" aria-pressed={isTurn} onClick={() => setIsTurn(true)}>
            {say('changes.turn')}
          </button>
        </div>
        <span className="muted">{say('changes.files', { count: files.length })}</span>
        {files.length > 0 && <Counts added={added} removed={removed} />}
      </header>
      {files.length === 0 ? (
        <Empty icon={<GitCompareArrows size={20} />} title={say('changes.none')}>
          {say('changes.none.why')}
        </Empty>
      ) : (
        files.map(({ path, before, after, diff, isUntold }) => (
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
                  <Counts added={diff.added} removed={diff.removed} />
                </>
              }
            >
              {() =>
                isUntold ? (
                  <p className="muted diff-same">{say('diff.untold', { path })}</p>
                ) : (
                  <DiffView diff={diff} label={path} />
                )
              }
            </Fold>
          </div>
        ))
      )}
    </div>
  );
}
