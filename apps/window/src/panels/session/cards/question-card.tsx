import type { QuestionItem } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { MessageCircleQuestionMark } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { AskCard } from '../../../parts/ask-card.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useCardKeys } from '../../../parts/use-card-keys.ts';
import { type AnswerBody, bodyOf, draftFor, type QuestionDraft } from '../../../session/question-answer.ts';
import { isMac } from '../../../shell/shortcuts.ts';
import { useWords } from '../../../words/words.ts';
import { QuestionFields } from './question-fields.tsx';
import { type AskedSession, answerQuestions, useReply } from './use-reply.ts';

interface QuestionCardProps {
  asked: AskedSession;
  item: QuestionItem;
  more: number;
  from: ReactNode;
}

/** A question of the agent. */
export function QuestionCard({ asked, item, more, from }: QuestionCardProps) {
  const { say } = useWords();
  const { questions } = item;
  const [drafts, setDrafts] = useState<Record<string, QuestionDraft>>({});
  const reply = useReply((answer: AnswerBody) => answerQuestions(asked, item, answer));
  const { card, leave, choose } = useCardKeys<AnswerBody>({
    answerOf: () => undefined,
    answer: reply.mutate,
    isSending: reply.isPending,
  });
  const body = bodyOf(questions, drafts);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (body) choose(body);
  };
  const press = (event: KeyboardEvent) => {
    leave(event);
    if (event.key === 'Enter' && (isMac ? event.metaKey : event.ctrlKey)) submit(event);
  };
  return (
    <AskCard
      card={card}
      icon={MessageCircleQuestionMark}
      title={say('question.title', { count: questions.length })}
      from={from}
      more={more}
      press={press}
    >
      <form className="ask-form" onSubmit={submit}>
        <div className="ask-action" data-answers>
          {questions.map((question) => (
            <QuestionFields
              key={question.id}
              question={question}
              draft={drafts[question.id] ?? draftFor(question)}
              change={(draft) => setDrafts((before) => ({ ...before, [question.id]: draft }))}
              canSkip={questions.length > 1}
            />
          ))}
        </div>
        {reply.error && <Failure error={reply.error} />}
        <div className="ask-answers">
          <Button type="submit" variant="filled" disabled={!body || reply.isPending}>
            {say('question.answer')}
          </Button>
          <Button disabled={reply.isPending} onClick={() => choose({ status: 'skipped' })}>
            {say(questions.length > 1 ? 'question.skipAll' : 'act.skip')}
          </Button>
        </div>
      </form>
    </AskCard>
  );
}
