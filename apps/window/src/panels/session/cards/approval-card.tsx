import type { ApprovalItem } from '@fucina/conversation';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Ask } from '../../../parts/ask.tsx';
import { Failure } from '../../../parts/states.tsx';
import { fileQuery } from '../../../wire/folders.ts';
import { type AskedSession, approve, useReply } from './use-reply.ts';

interface ApprovalCardProps {
  asked: AskedSession;
  item: ApprovalItem;
  more: number;
  from: ReactNode;
}

export function ApprovalCard({ asked, item, more, from }: ApprovalCardProps) {
  const path = item.action.path ?? '';
  const isWrite = (item.action.content ?? item.action.newText) !== undefined && path !== '';
  // For an unreadable or missing file, only the new content is shown.
  const current = useQuery({ ...fileQuery(asked.sessionId, path), enabled: isWrite, staleTime: 0, retry: false });
  const answer = useReply((choice: Parameters<typeof approve>[2]) => approve(asked, item, choice));
  return (
    <Ask
      action={item.action}
      before={isWrite && current.isSuccess ? current.data.content : undefined}
      more={more}
      from={from}
      isSending={answer.isPending}
      answer={answer.mutate}
      failure={answer.error ? <Failure error={answer.error} /> : undefined}
    />
  );
}
