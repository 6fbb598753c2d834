import { type Conversation, netChanges } from '@fucina/conversation';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { Panel } from '../../../parts/box.tsx';
import { CleanText } from '../../../parts/clean-text.tsx';
import { DiffCounts } from '../../../parts/diff-counts.tsx';
import { InstructionTag } from '../../../parts/instruction-note.tsx';
import { diffTexts } from '../../../parts/line-diff.ts';
import { useConversationFact } from '../../../session/use-session.tsx';
import { useWords } from '../../../words/words.ts';

const changesOf = (conversation: Conversation) => conversation.changes;
const turnOf = (conversation: Conversation) => conversation.turn;

/** The files of the last turn, or of the whole session, with links to their changes. */
export function ChangedFileList({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const changes = useConversationFact(changesOf);
  const turn = useConversationFact(turnOf);
  const [isWhole, setIsWhole] = useState(false);
  const files = useMemo(
    () =>
      netChanges(isWhole ? changes : changes.filter((change) => change.turn === turn)).map((change) => ({
        path: change.path,
        ...diffTexts(change.before, change.after),
      })),
    [changes, turn, isWhole],
  );
  return (
    <Panel
      title={say('inspector.files')}
      aside={
        <div className="choice" role="group" aria-label={say('changes.span')}>
          <button type="button" aria-pressed={!isWhole} onClick={() => setIsWhole(false)}>
            {say('inspector.files.turn')}
          </button>
          <button type="button" aria-pressed={isWhole} onClick={() => setIsWhole(true)}>
            {say('inspector.files.session')}
          </button>
        </div>
      }
    >
      {files.length === 0 ? (
        <p className="muted small">{say('inspector.files.none')}</p>
      ) : (
        <ul className="rows">
          {files.map((file) => (
            <li key={file.path}>
              <Link className="line-row" to={`/sessions/${sessionId}/changes#${encodeURIComponent(file.path)}`}>
                <span className="path" title={file.path}>
                  <CleanText text={file.path} />
                </span>
                <InstructionTag path={file.path} />
                <DiffCounts added={file.added} removed={file.removed} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
