import { type ApprovalItem, isHiddenRead, isNetwork, type ToolAction } from '@fucina/conversation';
import { memo, type ReactNode } from 'react';
import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { ToolCall } from '../../parts/tool-call.tsx';
import { toolLabels } from '../../parts/tool-words.ts';
import { useWords, withWords } from '../../words/words.ts';
import { Prose, UserMessage } from './rows/message.tsx';
import { Reasoning } from './rows/reasoning.tsx';
import { End } from './rows/turn-end.tsx';
import type { TimelineItem } from './timeline-items.ts';

const Other = lazyPart(async () => (await import('./rows/other-row.tsx')).OtherRow);
const Reads = lazyPart(async () => (await withWords(import('./rows/read-group.tsx'))).ReadGroupRow);

function subjectOf(action: ToolAction): string {
  if (isNetwork(action)) return `${String(action.host)}:${String(action.port)}`;
  return (isHiddenRead(action) ? undefined : action.command) ?? action.path ?? '';
}

function Approval({ item }: { item: ApprovalItem }) {
  const { say } = useWords();
  // Approvals of calls are shown with the call; here are the other requests.
  if (item.state === 'waiting' || item.call !== undefined) return null;
  return (
    <p className="aside" data-tone={item.state}>
      {say(`ask.was.${item.state}`)} — {say(toolLabels(item.action.kind).name, { name: item.action.kind })}{' '}
      <code>{subjectOf(item.action)}</code>
    </p>
  );
}

function content(item: TimelineItem, isLast: boolean): ReactNode {
  switch (item.kind) {
    case 'user':
      return <UserMessage item={item} />;
    case 'text':
      return <Prose item={item} />;
    case 'reasoning':
      return <Reasoning item={item} />;
    case 'tool':
      return <ToolCall item={item} />;
    case 'reads':
      return (
        <Waiting fallback={<div className="row-coming" />}>
          <Reads calls={item.calls} />
        </Waiting>
      );
    case 'approval':
      return <Approval item={item} />;
    case 'end':
      return <End item={item} isLast={isLast} />;
    default:
      return (
        <Waiting fallback={<div className="row-coming" />}>
          <Other item={item} />
        </Waiting>
      );
  }
}

/** One row of the conversation, redrawn only when its item changed. */
export const Row = memo(function Row({ item, isLast }: { item: TimelineItem; isLast: boolean }) {
  return (
    <div className="row" data-kind={item.kind}>
      {content(item, isLast)}
    </div>
  );
});
