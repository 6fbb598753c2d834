import type { Conversation } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Telescope } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Link } from 'react-router';
import { Failure } from '../../parts/states.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import { sessionToolsQuery } from '../../wire/queries.ts';
import { useWords } from '../../words/words.ts';
import { ChoiceField } from '../notes-tasks-memories/field.tsx';
import { sendAs } from '../session/composer/use-send.ts';

const DEPTHS = ['quick', 'deep', 'exhaustive'] as const;
type Depth = (typeof DEPTHS)[number];

const LONGEST_QUESTION = 500;
const COMMAND = 'research';

const isRunningOf = ({ isRunning }: Conversation) => isRunning;

interface StartProps {
  sessionId: string;
  /** Initial content of the field. */
  first: string;
  /** Called with the question, once the conversation accepted it. */
  onAsked: (question: string) => void;
}

/** The question on one line, as the command requires. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Starts a research run through the conversation. */
export function StartResearch({ sessionId, first, onAsked }: StartProps) {
  const { say } = useWords();
  const id = useId();
  const [text, setText] = useState(first);
  const [depth, setDepth] = useState<Depth>('deep');
  const isRunning = useConversationFact(isRunningOf);
  const tools = useQuery(sessionToolsQuery(sessionId));
  const isOffered = tools.data?.commands.some(({ name }) => name === COMMAND);
  const question = oneLine(text);
  const ask = useMutation({
    mutationFn: () => {
      const option = depth === 'deep' ? '' : `--${depth} `;
      return sendAs(sessionId, isRunning ? 'queue' : 'resume', { message: `/${COMMAND} ${option}${question}` });
    },
    onSuccess() {
      setText('');
      onAsked(question);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question !== '' && isOffered && !ask.isPending) ask.mutate();
  };
  if (isOffered === false) return <p className="muted research-unoffered">{say('research.unoffered')}</p>;
  return (
    <form className="research-start" onSubmit={submit}>
      <label className="field-label" htmlFor={id}>
        {say('research.question')}
      </label>
      <textarea
        id={id}
        className="input"
        rows={2}
        maxLength={LONGEST_QUESTION}
        placeholder={say('research.question.placeholder')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <div className="research-start-foot">
        <ChoiceField
          className="chip"
          label={say('research.depth')}
          value={depth}
          values={DEPTHS}
          nameOf={(name) => say(`research.depth.${name}`)}
          pick={setDepth}
        />
        <span className="small muted research-depth-why">{say(`research.depth.${depth}.why`)}</span>
        <Button
          variant="filled"
          type="submit"
          leftSection={<Telescope size={14} aria-hidden />}
          loading={ask.isPending}
          disabled={question === '' || !isOffered}
        >
          {say('research.start')}
        </Button>
      </div>
      {isRunning && <p className="small muted">{say('research.afterTurn')}</p>}
      {ask.error && <Failure error={ask.error} />}
    </form>
  );
}

/** Requested but not started. */
export function ResearchStarting({ sessionId, question }: { sessionId: string; question: string }) {
  const { say } = useWords();
  return (
    <p className="notice" role="status">
      <Telescope size={14} aria-hidden />
      <span>
        {say('research.asked', { name: question })}{' '}
        <Link to={`/sessions/${sessionId}`}>{say('research.asked.look')}</Link>
      </span>
    </p>
  );
}
