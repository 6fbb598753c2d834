import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ask, type AskAnswer } from '../../parts/ask.tsx';
import { Failure } from '../../parts/states.tsx';
import { type ApprovalItem, approvalOf, type Conversation } from '../../session/conversation.ts';
import { usePicked } from '../../session/use-session.tsx';
import { address, send } from '../../wire/call.ts';
import { fileQuery, sessionsQuery } from '../../wire/queries.ts';
import { GATED_TOOLS } from '../../wire/records.ts';

const firstWaiting = (conversation: Conversation) => approvalOf(conversation, conversation.waiting[0]);
const howManyWait = (conversation: Conversation) => conversation.waiting.length;

async function reply(sessionId: string, item: ApprovalItem, answer: AskAnswer): Promise<void> {
  const tool = GATED_TOOLS.find((name) => name === item.action.tipo);
  if (answer === 'session' && tool) {
    const settings = { unisciPermessiPerAttrezzo: { [tool]: 'sempre' }, rispettaNega: true };
    await send(address(['sessions', sessionId, 'settings']), settings);
  }
  await send(address(['sessions', sessionId, 'approve']), {
    requestId: item.key,
    approvato: answer !== 'deny',
    ...(answer === 'folder' ? { ambito: 'cartella' } : {}),
  });
}

/** The oldest request that waits, above the place where the person writes. */
export function Pending({ sessionId }: { sessionId: string }) {
  const item = usePicked(firstWaiting);
  const count = usePicked(howManyWait);
  const client = useQueryClient();
  const path = item?.action.percorso ?? '';
  const isWrite = typeof item?.action.contenuto === 'string' && path !== '';
  // A file that cannot be read, or is not there yet, is shown as what will be written alone.
  const current = useQuery({ ...fileQuery(sessionId, path), enabled: isWrite, staleTime: 0, retry: false });
  const answer = useMutation({
    mutationFn: (choice: AskAnswer) => (item ? reply(sessionId, item, choice) : Promise.resolve()),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  if (!item) return null;
  return (
    <div className="pending">
      <Ask
        key={item.key}
        action={item.action}
        before={isWrite && current.isSuccess ? current.data.contenuto : undefined}
        more={count - 1}
        isSending={answer.isPending}
        answer={answer.mutate}
        failure={answer.error ? <Failure error={answer.error} /> : undefined}
      />
    </div>
  );
}
