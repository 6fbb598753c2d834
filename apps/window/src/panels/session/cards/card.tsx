import '../../../styles/cards.css';
import '../../../styles/forms.css';
import type { CardItem } from '@fucina/conversation';
import { type ReactNode } from 'react';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { withWords } from '../../../words/words.ts';
import { ApprovalCard } from './approval-card.tsx';
import { PlanCard } from './plan-card.tsx';
import { QuestionCard } from './question-card.tsx';
import type { AskedSession } from './use-reply.ts';

const ElicitationCard = lazyPart(async () => (await withWords(import('./elicitation-card.tsx'))).ElicitationCard);

interface CardProps {
  asked: AskedSession;
  item: CardItem;
  /** Number of further requests. */
  more: number;
  from?: ReactNode;
}

/** A pending request of any kind. */
export function Card({ asked, item, more, from }: CardProps) {
  switch (item.kind) {
    case 'approval':
      return <ApprovalCard asked={asked} item={item} more={more} from={from} />;
    case 'question':
      return <QuestionCard asked={asked} item={item} more={more} from={from} />;
    case 'plan':
      return <PlanCard asked={asked} item={item} more={more} from={from} />;
    case 'elicitation':
      return <ElicitationCard asked={asked} item={item} more={more} from={from} />;
  }
}
