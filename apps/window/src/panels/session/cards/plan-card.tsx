import { PLAN_DECISIONS, type PlanItem } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { ListChecks } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { AskCard } from '../../../parts/ask-card.tsx';
import { Markdown } from '../../../parts/markdown.tsx';
import { CopyButton } from '../../../parts/ref.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useCardKeys } from '../../../parts/use-card-keys.ts';
import { useWords } from '../../../words/words.ts';
import { type AskedSession, decidePlan, type PlanReply, useReply } from './use-reply.ts';

const LONGEST_FEEDBACK = 4_000;

interface PlanCardProps {
  asked: AskedSession;
  item: PlanItem;
  more: number;
  from: ReactNode;
}

/** A plan and its four actions; the last one sends requested changes. */
export function PlanCard({ asked, item, more, from }: PlanCardProps) {
  const { say } = useWords();
  const [feedback, setFeedback] = useState('');
  const reply = useReply((answer: PlanReply) => decidePlan(asked, item, answer));
  const replyOf = (decision: PlanReply['decision']): PlanReply => {
    const words = feedback.trim();
    return decision === 'keep-planning' && words ? { decision, feedback: words } : { decision };
  };
  // With requested changes in the field, the plan cannot be approved.
  const isOffered = (decision: PlanReply['decision']) => decision === 'keep-planning' || feedback.trim() === '';
  const { card, leave, choose } = useCardKeys<PlanReply>({
    answerOf: (key) => {
      const decision = PLAN_DECISIONS[Number(key) - 1];
      return decision && isOffered(decision) ? replyOf(decision) : undefined;
    },
    answer: reply.mutate,
    isSending: reply.isPending,
  });
  return (
    <AskCard
      card={card}
      icon={ListChecks}
      title={say('plan.title')}
      facts={item.revision > 1 && <span className="muted small">{say('plan.revision', { count: item.revision })}</span>}
      tools={<CopyButton value={item.content} />}
      from={from}
      more={more}
      press={leave}
    >
      <div className="ask-action plan-text" role="region" aria-label={say('plan.text')} tabIndex={0}>
        <Markdown text={item.content} />
      </div>
      <textarea
        className="input question-words"
        rows={1}
        aria-label={say('plan.feedback')}
        placeholder={say('plan.feedback')}
        maxLength={LONGEST_FEEDBACK}
        value={feedback}
        onChange={(event) => setFeedback(event.currentTarget.value)}
      />
      {reply.error && <Failure error={reply.error} />}
      <div className="ask-answers" data-answers>
        {PLAN_DECISIONS.map((decision, at) => (
          <Button
            key={decision}
            variant={at === 0 ? 'filled' : 'default'}
            {...(at === 0 ? {} : { color: 'gray' })}
            disabled={reply.isPending || !isOffered(decision)}
            title={say(`plan.${decision}.why`)}
            rightSection={<kbd className="key-hint">{at + 1}</kbd>}
            aria-keyshortcuts={String(at + 1)}
            onClick={() => choose(replyOf(decision))}
          >
            {say(`plan.${decision}`)}
          </Button>
        ))}
      </div>
    </AskCard>
  );
}
