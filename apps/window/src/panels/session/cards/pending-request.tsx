import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Answer } from '../../../parts/states.tsx';
import type { SessionRow } from '../../../wire/records.ts';
import { pendingQuery } from '../../../wire/session-details.ts';
import { Card } from './card.tsx';
import { itemOf } from './pending-item.ts';

interface PendingRequestProps {
  row: SessionRow;
  /** Shown in the card's header. */
  from: ReactNode;
  /** In place of a request that can only be answered in its session. */
  elicitation: ReactNode;
}

/** The oldest request of a session that is not on screen, to be answered here. */
export function PendingRequest({ row, from, elicitation }: PendingRequestProps) {
  const { sessionId } = row;
  const pending = useQuery(pendingQuery(sessionId));
  return (
    <Answer query={pending} lines={3}>
      {(card) => {
        const item = card && itemOf(card);
        if (item)
          return <Card key={item.key} asked={{ sessionId, from: undefined }} item={item} more={0} from={from} />;
        return row.waitsForElicitation && elicitation;
      }}
    </Answer>
  );
}
