import { type Conversation, cardOf } from '@fucina/conversation';
import { useEffect, useRef, useState } from 'react';
import { askTitle } from '../../parts/ask-title.ts';
import { plainText } from '../../parts/plain-text.ts';
import { useConversationFact } from '../../session/use-session.tsx';
import { useWords } from '../../words/words.ts';

const LONGEST = 400;
const phaseOf = ({ isRunning, waiting, items, isReplayed }: Conversation): string => {
  if (!isReplayed) return '';
  if (waiting.length > 0) return `ask ${waiting[0]}`;
  if (isRunning) return 'running';
  const last = items.at(-1);
  return last?.kind === 'end' ? `end ${last.key}` : '';
};
const itself = (conversation: Conversation) => conversation;

/** Announces events to screen readers, once per event and not per word. */
export function ScreenReaderAnnouncer() {
  const { say } = useWords();
  const phase = useConversationFact(phaseOf);
  const conversation = useConversationFact(itself);
  const latest = useRef(conversation);
  latest.current = conversation;
  const first = useRef(true);
  const [text, setText] = useState('');
  useEffect(() => {
    // Earlier events are not announced when the page opens.
    if (first.current) {
      first.current = phase === '';
      return;
    }
    const { waiting, items } = latest.current;
    const end = items.at(-1);
    const ask = cardOf(latest.current, waiting[0]);
    if (ask?.kind === 'approval') setText(askTitle(ask.action, say));
    else if (ask?.kind === 'question') {
      const { questions } = ask;
      setText(
        `${say('question.title', { count: questions.length })}. ${questions.map((one) => plainText(one.question)).join(' ')}`,
      );
    } else if (ask?.kind === 'elicitation') setText(plainText(ask.message));
    else if (ask) setText(say('plan.title'));
    else if (phase === 'running') setText(say('session.state.running'));
    else if (end?.kind === 'end') {
      const answer = items.findLast((item) => item.kind === 'text');
      const words = answer?.kind === 'text' ? plainText(answer.text.slice(0, 2 * LONGEST)).slice(0, LONGEST) : '';
      setText(`${say(`turn.${end.outcome}`)}. ${words}`);
    }
  }, [phase, say]);
  return (
    <p className="unseen" role="status" aria-live="polite">
      {text}
    </p>
  );
}
