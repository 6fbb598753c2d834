import {
  type Conversation,
  type Cost,
  type EndItem,
  isConnectionFailure,
  netChanges,
  undoPlaces,
} from '@fucina/conversation';
import { messageReference } from '@fucina/conversation/reader';
import { Button } from '@mantine/core';
import { FileX, MessageSquareX, Play, Redo2, Undo2 } from 'lucide-react';
import { useParams } from 'react-router';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { Menu, type MenuEntry } from '../../../parts/menu.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useFirstPaint } from '../../../parts/use-after-paint.ts';
import { useConversationFact } from '../../../session/use-session.tsx';
import { useResume } from '../../../wire/queries.ts';
import { type SessionRow, type Usage } from '../../../wire/records.ts';
import { isWordKey, useWords, type Words, withWords } from '../../../words/words.ts';

const branches = () => withWords(import('../branches/turn-branches.tsx'));
const TurnBranches = lazyPart(async () => (await branches()).TurnBranches, { isQuiet: true });
const RedoAll = lazyPart(async () => (await branches()).RedoAll, { isQuiet: true });
const TurnTime = lazyPart(async () => (await import('./turn-time.tsx')).TurnTime, { isQuiet: true });
const TraceButton = lazyPart(async () => (await withWords(import('../trace/trace-button.tsx'))).TraceButton, {
  isQuiet: true,
});
const AfterFailure = lazyPart(async () => (await import('./after-failure.tsx')).AfterFailure);

function Resume() {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const resume = useResume(sessionId);
  return (
    <Button
      variant="filled"
      leftSection={<Play size={14} aria-hidden />}
      loading={resume.isPending}
      onClick={() => resume.mutate()}
    >
      {say('session.resume')}
    </Button>
  );
}

/** The reported values, and how complete they are; undefined when no model was called. */
export function costWords({ usd, declared, calls }: Cost, { say, money }: Words): string | undefined {
  if (calls === 0) return undefined;
  if (declared === 0) return say('cost.undeclared');
  return declared === calls ? money(usd) : say('cost.partial', { cost: money(usd), declared, calls });
}

export function usageWords(usage: Usage | SessionRow['sessionUsage'], { say, short, percent }: Words): string {
  if (!usage) return '';
  const counts = { in: short(usage.prompt_tokens), out: short(usage.completion_tokens) };
  if (usage.cached_tokens === null || usage.prompt_tokens === 0) return say('turn.tokens', counts);
  return say('turn.tokens.cached', { ...counts, share: percent(usage.cached_tokens / usage.prompt_tokens) });
}

const undoOf = (conversation: Conversation) => undoPlaces(conversation).undo;
const redoOf = (conversation: Conversation) => undoPlaces(conversation).redo;
const changesOf = (conversation: Conversation) => conversation.changes;
const isRunningNow = (conversation: Conversation) => conversation.isRunning;

/** What was undone of the turn, with undo and redo buttons: the server runs both as commands. */
function Undo({ item }: { item: EndItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const isNext = useConversationFact(undoOf) === item.key;
  const isLatest = useConversationFact(redoOf) === item.key;
  const isRunning = useConversationFact(isRunningNow);
  const act = useResume(sessionId);
  const { files, chat } = item.undone;
  const send = (message: string) => () => act.mutate({ message });
  const canAct = !isRunning && !act.isPending;
  // For a turn without file changes the command would undo an earlier one.
  const hasFiles = netChanges(useConversationFact(changesOf).filter(({ turn }) => turn === item.turn)).length > 0;
  const entries: MenuEntry[] = [
    { id: 'files', icon: <FileX size={14} aria-hidden />, name: say('undo.files'), act: send('/undo file') },
    { id: 'chat', icon: <MessageSquareX size={14} aria-hidden />, name: say('undo.chat'), act: send('/undo chat') },
    { id: 'both', icon: <Undo2 size={14} aria-hidden />, name: say('undo.both'), act: send('/undo tutto') },
  ];
  return (
    <>
      {(files || chat) && (
        <span className="warning">
          {say(files && chat ? 'undo.both.done' : files ? 'undo.files.done' : 'undo.chat.done')}
        </span>
      )}
      {isLatest && canAct && (
        <>
          <button type="button" className="text-button" onClick={send('/redo')}>
            <Redo2 size={12} aria-hidden /> {say('undo.redo')}
          </button>
          <RedoAll />
        </>
      )}
      {isNext && canAct && (
        <Menu
          className="turn-undo"
          label={say('undo.title')}
          icon={<Undo2 size={14} aria-hidden />}
          entries={entries.filter(({ id }) => hasFiles || id === 'chat')}
        />
      )}
      {act.error && <Failure error={act.error} />}
    </>
  );
}

function factsOf(item: EndItem, words: Words): string[] {
  const { say } = words;
  const facts = [
    item.tools > 0 ? say('turn.tools', { count: item.tools }) : undefined,
    item.usage ? usageWords(item.usage, words) : undefined,
    costWords(item.cost, words),
  ];
  return facts.filter((fact) => fact !== undefined);
}

export function End({ item, isLast }: { item: EndItem; isLast: boolean }) {
  const words = useWords();
  const { say } = words;
  const { sessionId = '' } = useParams();
  const isPainted = useFirstPaint();
  // After the paint: the browser takes 12 ms to load its first formatter of compact counts.
  const facts = isPainted ? factsOf(item, words) : [];
  // For a failed call the class can be translated; the message is English.
  const known = [`failure.${item.code}`, `failure.${item.failureClass}`].find(isWordKey);
  const why = known ? say(known) : item.message;
  const said = isConnectionFailure(item.code) ? item.message : item.providerMessage;
  // A command that the server answered itself called no model.
  const reference = messageReference(item.start);
  const isTraced = reference !== undefined && (item.usage !== undefined || item.cost.calls > 0 || item.tools > 0);
  const isPlain = item.outcome === 'done' || item.outcome === 'stopped';
  return (
    <div className="turn-end" data-outcome={item.outcome}>
      <div className="turn-words tabular">
        <span className="turn-outcome">{say(`turn.${item.outcome}`)}</span>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {reference !== undefined && <TurnTime reference={reference} edge="end" />}
        {isPainted && <Undo item={item} />}
        {isPainted && isTraced && <TraceButton sessionId={sessionId} reference={reference} />}
        <TurnBranches item={item} />
      </div>
      {!isPlain && why && item.outcome !== 'interrupted' && <p className="turn-why">{why}</p>}
      {said && (
        <blockquote className="turn-said" title={item.providerMessage && say('failure.said')}>
          {said}
        </blockquote>
      )}
      {item.outcome === 'interrupted' && <p className="turn-why">{say('turn.interrupted.why')}</p>}
      {isLast && item.outcome === 'interrupted' && <Resume />}
      {isLast && item.outcome === 'failed' && <AfterFailure item={item} />}
    </div>
  );
}
