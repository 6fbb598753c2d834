import type { PlanItem, QuestionItem } from '@fucina/conversation';
import { ListChecks, MessageCircleQuestionMark } from 'lucide-react';
import { Link } from 'react-router';
import { Fold } from '../../../parts/box.tsx';
import { Markdown } from '../../../parts/markdown.tsx';
import { useWords } from '../../../words/words.ts';

/** An answered question of the agent. */
export function AnsweredQuestion({ item }: { item: QuestionItem }) {
  const { say } = useWords();
  const { state } = item;
  if (state === 'waiting') return null;
  return (
    <section className="answered" aria-label={say('question.past')}>
      {item.questions.map(({ id, question }) => {
        const answer = item.answers[id];
        const note = item.notes[id];
        return (
          <div key={id}>
            <p className="answered-ask">
              <MessageCircleQuestionMark size={14} aria-hidden /> {question}
            </p>
            <p className={answer === undefined ? 'muted' : 'answered-words'}>
              {answer === undefined
                ? say(`question.was.${state === 'answered' ? 'skipped' : state}`)
                : [answer].flat().join(' · ')}
            </p>
            {note && <p className="muted small">{note}</p>}
          </div>
        );
      })}
    </section>
  );
}

export function AnsweredPlan({ item }: { item: PlanItem }) {
  const { say } = useWords();
  if (item.state === 'waiting') return null;
  const outcome = item.decision ? say(`plan.was.${item.decision}`) : say(`plan.was.${item.state}`);
  return (
    <section className="answered" aria-label={say('plan.name')}>
      <Fold
        head={
          <>
            <ListChecks size={14} aria-hidden />
            <span>{item.revision > 1 ? say('plan.revised', { count: item.revision }) : say('plan.name')}</span>
            <span className={item.state === 'approved' ? 'success' : 'muted'}>{outcome}</span>
          </>
        }
      >
        {() => <Markdown text={item.content} />}
      </Fold>
      {item.feedback && <p className="answered-words">{item.feedback}</p>}
      {item.newSessionId && <Link to={`/sessions/${item.newSessionId}`}>{say('plan.newSession')}</Link>}
    </section>
  );
}
