import type { Conversation, Item } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { ChevronDown, Cpu, Hourglass, MessageSquare } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { every, now } from '../../ambient.ts';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { LevelMenu } from '../../parts/level-menu.tsx';
import { ModelName } from '../../parts/model-name.tsx';
import { PlanToggle } from '../../parts/plan-toggle.tsx';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { isLive } from '../../session/session-state.ts';
import { useConversationFact } from '../../session/use-session.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import { usePageShortcut } from '../../shell/shortcuts.ts';
import { api } from '../../wire/client.ts';
import { useSettings } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { Composer } from './composer/composer.tsx';
import { Pending } from './pending.tsx';
import { ScreenReaderAnnouncer } from './screen-reader-announcer.tsx';
import { Timeline } from './timeline.tsx';

const TodoStrip = lazyPart(async () => (await import('./todo-strip.tsx')).TodoStrip);

const openTodo = ({ todo }: Conversation) => (todo.some(({ status }) => status !== 'completed') ? todo : undefined);
const retryOf = ({ retry }: Conversation) => (retry?.phase === 'waiting' ? retry : undefined);
const isReady = (conversation: Conversation) => conversation.isReplayed || conversation.items.length > 0;
const WORK: ReadonlySet<Item['kind']> = new Set(['user', 'text', 'reasoning', 'tool']);
/** The turn runs without output: the model was called and has not answered yet. */
const isQuiet = ({ isRunning, items, waiting }: Conversation) => {
  if (!isRunning || waiting.length > 0) return false;
  const last = items.findLast((item) => WORK.has(item.kind));
  if (last?.kind === 'text' || last?.kind === 'reasoning') return !last.isOpen;
  return last?.kind !== 'tool' || last.isOver;
};

function Retry({ sessionId }: { sessionId: string }) {
  const { say, duration } = useWords();
  const [isAsked, setAsked] = useState<number>();
  const retry = useConversationFact(retryOf);
  const [at, setAt] = useState(now);
  useEffect(() => (retry ? every(1_000, () => setAt(now())) : undefined), [retry]);
  if (!retry) return null;
  const left = Math.max(0, (retry.at ?? at + retry.waitMs) - at);
  return (
    <p className="notice" role="status">
      <Hourglass size={14} className="warning" aria-hidden />
      {say(`session.retry.${retry.cause}`)}{' '}
      {say('session.retry', { try: retry.attempt, of: retry.maxAttempts, in: duration(left) })}
      <Button
        size="compact-xs"
        variant="subtle"
        disabled={isAsked === retry.attempt}
        onClick={() => {
          setAsked(retry.attempt);
          // Refused when the wait is just over: the line then says what came of it.
          api.post('/ext/sessions/{sessionId}/try-now', { path: { sessionId } }).catch(() => undefined);
        }}
      >
        {say('session.tryNow')}
      </Button>
    </p>
  );
}

function Waiting() {
  const { say } = useWords();
  const isThinking = useConversationFact(isQuiet);
  return isThinking ? <p className="thinking waiting">{say('session.working')}</p> : null;
}

function Choices({ row }: { row: SessionRow }) {
  const { say } = useWords();
  const settings = useSettings(row.sessionId);
  const { mutate } = settings;
  const isPlanning = row.mode === 'plan';
  const chooseModel = useCallback(
    () => openOverlay({ kind: 'model', value: row.model ?? '', choose: (model) => mutate({ model }) }),
    [row.model, mutate],
  );
  usePageShortcut('model', chooseModel);
  return (
    <>
      <button type="button" className="chip" aria-haspopup="dialog" onClick={chooseModel} title={say('model.choose')}>
        <Cpu size={14} aria-hidden />
        <span className="chip-name">
          <ModelName id={row.model} />
        </span>
        <ChevronDown size={12} aria-hidden />
      </button>
      <LevelMenu value={row.permissions} choose={(permissions) => mutate({ permissions })} />
      <PlanToggle
        isOn={isPlanning}
        isDisabled={isLive(row)}
        change={(isOn) => mutate({ mode: isOn ? 'plan' : 'normal' })}
      />
      {settings.error && <Failure error={settings.error} />}
    </>
  );
}

/** The conversation and the message field. */
export function ConversationPanel({ row }: { row: SessionRow }) {
  const { say } = useWords();
  const hasStory = useConversationFact(isReady);
  const todo = useConversationFact(openTodo);
  return (
    <div className="conversation">
      {todo && <TodoStrip todo={todo} />}
      {hasStory ? (
        <Timeline
          foot={
            <>
              <Waiting />
              <Retry sessionId={row.sessionId} />
            </>
          }
          empty={
            <Empty icon={<MessageSquare size={20} />} title={say('session.empty')}>
              {say('session.empty.why')}
            </Empty>
          }
        />
      ) : (
        <div className="timeline-frame">
          <Loading lines={6} />
        </div>
      )}
      <ScreenReaderAnnouncer />
      <Pending row={row} />
      <Composer sessionId={row.sessionId} choices={<Choices row={row} />} />
    </div>
  );
}
