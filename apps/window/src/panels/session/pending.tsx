import { type Conversation, cardOf } from '@fucina/conversation';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import type { SessionRow } from '../../wire/records.ts';
import { withWords } from '../../words/words.ts';

export const Card = lazyPart(async () => (await withWords(import('./cards/card.tsx'))).Card);
const DescendantCard = lazyPart(async () => (await withWords(import('./cards/descendant-card.tsx'))).DescendantCard);

const firstWaiting = (conversation: Conversation) => cardOf(conversation, conversation.waiting[0]);
const howManyWait = (conversation: Conversation) => conversation.waiting.length;

/** The oldest pending request, above the message field: the session's own before those of its sub-agents. */
export function Pending({ row }: { row: SessionRow }) {
  const item = useConversationFact(firstWaiting);
  const count = useConversationFact(howManyWait);
  const { sessionId } = row;
  if (!item && !row.waitsForDescendant) return null;
  return (
    <div className="pending">
      {item ? (
        <Card key={item.key} asked={{ sessionId, from: undefined }} item={item} more={count - 1} />
      ) : (
        <DescendantCard sessionId={sessionId} />
      )}
    </div>
  );
}
