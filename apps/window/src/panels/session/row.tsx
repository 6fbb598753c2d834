import { Button } from '@mantine/core';
import { Brain, Play, RotateCw, Shrink } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { Fold } from '../../parts/box.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { CopyButton } from '../../parts/ref.tsx';
import { Failure } from '../../parts/states.tsx';
import { ToolCall } from '../../parts/tool-call.tsx';
import { wordsOfTool } from '../../parts/tool-words.ts';
import type { ApprovalItem, EndItem, Item, ProseItem } from '../../session/conversation.ts';
import { useSessionAct } from '../../wire/queries.ts';
import { isWordKey, useWords } from '../../words/words.ts';

function Reasoning({ item }: { item: ProseItem }) {
  const { say } = useWords();
  return (
    <Fold
      className="reasoning"
      head={
        <>
          <Brain size={14} aria-hidden />
          <span className={item.isOpen ? 'thinking' : undefined}>
            {say(item.isOpen ? 'session.thinking' : 'session.thought')}
          </span>
        </>
      }
    >
      {() => <Markdown text={item.text} isOpen={item.isOpen} />}
    </Fold>
  );
}

function Approval({ item }: { item: ApprovalItem }) {
  const { say } = useWords();
  // A call shows what was answered about it; here is what was asked about something else.
  if (item.state === 'waiting' || item.call !== undefined) return null;
  return (
    <p className="aside" data-tone={item.state}>
      {say(`ask.was.${item.state}`)} — {say(wordsOfTool(item.action.tipo).name, { name: item.action.tipo })}{' '}
      <code>{item.action.comando ?? item.action.percorso ?? ''}</code>
    </p>
  );
}

function Resume() {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const resume = useSessionAct(sessionId, 'resume');
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

/** What helps after a failure: the same request again, and the settings where the provider is to blame. */
function AfterFailure({ item }: { item: EndItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const again = useSessionAct<{ messaggio: string }>(sessionId, 'resume');
  const { request } = item;
  return (
    <div className="turn-acts">
      {request && (
        <Button
          leftSection={<RotateCw size={14} aria-hidden />}
          loading={again.isPending}
          onClick={() => again.mutate({ messaggio: request })}
        >
          {say('act.retry')}
        </Button>
      )}
      {item.code?.startsWith('PROVIDER_') && (
        <Button component={Link} to="/settings/providers">
          {say('settings.providers')}
        </Button>
      )}
      {again.error && <Failure error={again.error} />}
    </div>
  );
}

function End({ item, isLast }: { item: EndItem; isLast: boolean }) {
  const { say, short } = useWords();
  const facts = [
    item.tools > 0 ? say('turn.tools', { count: item.tools }) : undefined,
    item.usage
      ? say('turn.tokens', { in: short(item.usage.prompt_tokens), out: short(item.usage.completion_tokens) })
      : undefined,
  ].filter((fact) => fact !== undefined);
  // Of a call that failed the class can be said in the person's language; the message is English.
  const known = item.code === 'MODEL_CALL_FAILED' ? `failure.${item.failureClass}` : '';
  const why = isWordKey(known) ? say(known) : item.message;
  const isPlain = item.outcome === 'done' || item.outcome === 'stopped';
  return (
    <div className="turn-end" data-outcome={item.outcome}>
      <p className="turn-words tabular">
        <span className="turn-outcome">{say(`turn.${item.outcome}`)}</span>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {!isPlain && why && item.outcome !== 'interrupted' && <p className="turn-why">{why}</p>}
      {item.outcome === 'interrupted' && <p className="turn-why">{say('turn.interrupted.why')}</p>}
      {isLast && item.outcome === 'interrupted' && <Resume />}
      {isLast && item.outcome === 'failed' && <AfterFailure item={item} />}
    </div>
  );
}

function content(item: Item, isLast: boolean): ReactNode {
  switch (item.kind) {
    case 'person':
      return <div className="person">{item.text}</div>;
    case 'text':
      return (
        <article className="answer">
          <Markdown text={item.text} isOpen={item.isOpen} />
          {!item.isOpen && (
            <div className="answer-tools">
              <CopyButton value={item.text} />
            </div>
          )}
        </article>
      );
    case 'reasoning':
      return <Reasoning item={item} />;
    case 'tool':
      return <ToolCall item={item} />;
    case 'approval':
      return <Approval item={item} />;
    case 'end':
      return <End item={item} isLast={isLast} />;
    case 'compaction':
      return <Compaction before={item.before} after={item.after} />;
  }
}

function Compaction({ before, after }: { before: number | undefined; after: number | undefined }) {
  const { say, short } = useWords();
  return (
    <p className="aside">
      <Shrink size={14} aria-hidden /> {say('session.compacted')}
      {before !== undefined && after !== undefined && ` (${short(before)} → ${short(after)})`}
    </p>
  );
}

/** One row of the conversation, drawn again only when its item is a new value. */
export const Row = memo(function Row({ item, isLast }: { item: Item; isLast: boolean }) {
  return (
    <div className="row" data-kind={item.kind}>
      {content(item, isLast)}
    </div>
  );
});
