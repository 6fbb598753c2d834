import { endOfAgent, isStopped, readArguments, type ToolItem } from '@fucina/conversation';
import { Ban, Check, ChevronRight, Hand, Hourglass, LoaderCircle, ShieldCheck, X } from 'lucide-react';
import { memo, useId, useMemo, useRef, useState } from 'react';
import { useWords, withWords } from '../words/words.ts';
import { Images } from './images.tsx';
import { lazyPart } from './lazy-part.tsx';
import { callSummary, toolLabels } from './tool-words.ts';
import { useBegunAt, useElapsed } from './use-elapsed.ts';

const ChangeCounts = lazyPart(async () => (await import('./diff-counts.tsx')).ChangeCounts, { isQuiet: true });
const ChangePreview = lazyPart(async () => (await import('./change-preview.tsx')).ChangePreview, { isQuiet: true });
const InstructionNote = lazyPart(async () => (await import('./instruction-note.tsx')).InstructionNote, {
  isQuiet: true,
});
const Details = lazyPart(async () => (await withWords(import('./tool-details.tsx'))).ToolDetails);
const Acts = lazyPart(async () => (await import('./tool-details.tsx')).ToolActions);

const MediaList = lazyPart(async () => (await import('./media.tsx')).MediaList);
const Proposal = lazyPart(async () => (await withWords(import('./workflow-card.tsx'))).WorkflowCard);

const TAIL_LINES = 8;
/** Calls shown as a separate card. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['ask_user', 'present_plan', 'artifact_create']);

function tailOf(output: string): string {
  const text = output.trimEnd();
  let at = text.length;
  for (let line = 0; line < TAIL_LINES && at > 0; line += 1) at = text.lastIndexOf('\n', at - 1);
  return text.slice(at + 1);
}

const isHeld = (item: ToolItem) => item.approval === 'waiting';
/** Not done yet, or not at all: "Wrote" would be wrong. */
const isUndone = (item: ToolItem) =>
  isHeld(item) ||
  item.isQueued ||
  isStopped(item) ||
  (item.isOver && (item.approval === 'denied' || (item.outcome?.isFailed && item.outcome.command === undefined)));
const isLive = (item: ToolItem) =>
  (!item.isOver && !isHeld(item) && !item.isQueued) || item.background?.isRunning === true;

const hasFailed = (item: ToolItem) =>
  item.approval !== 'denied' &&
  !isStopped(item) &&
  (item.outcome?.isFailed || (exitOf(item) ?? 0) !== 0 || endOfAgent(item) === 'failed');

function State({ item }: { item: ToolItem }) {
  const { say } = useWords();
  if (isHeld(item)) return <Hand size={14} className="accent" aria-label={say('tool.sandbox')} />;
  if (item.isQueued) return <Hourglass size={14} className="muted" aria-label={say('tool.queued')} />;
  if (isLive(item)) return <LoaderCircle size={14} className="spin accent" aria-label={say('tool.running')} />;
  if (item.approval === 'denied') return <Ban size={14} className="danger" aria-label={say('ask.was.denied')} />;
  if (isStopped(item)) return <Ban size={14} className="muted" aria-label={say('tool.cut')} />;
  if (hasFailed(item)) return <X size={14} className="danger" aria-label={say('tool.failed')} />;
  return <Check size={14} className="muted" aria-label={say('tool.over')} />;
}

const exitOf = ({ outcome, background }: ToolItem) => outcome?.exitCode ?? background?.exitCode ?? undefined;

function Facts({ item }: { item: ToolItem }) {
  const { say, duration } = useWords();
  const begunAt = useBegunAt(item.startedAt, isHeld(item) || item.isQueued);
  const elapsed = useElapsed(begunAt, isLive(item));
  const took = isLive(item) ? elapsed : item.background ? undefined : item.outcome?.durationMs;
  const exit = exitOf(item);
  return (
    <span className="tool-facts tabular">
      {item.changes.length > 0 && <ChangeCounts changes={item.changes} />}
      {item.background && <span>{say(item.background.isRunning ? 'tool.inBackground' : 'tool.wasInBackground')}</span>}
      {exit !== undefined && exit !== 0 && <span className="danger">{say('tool.exit', { code: exit })}</span>}
      {!exit && hasFailed(item) && <span className="danger">{say('tool.failed')}</span>}
      {item.approval === 'allowed' && (
        <ShieldCheck size={14} aria-label={say('ask.was.allowed')} className="tool-leave" />
      )}
      {item.approval === 'denied' && <span className="danger">{say('ask.was.denied')}</span>}
      {item.isQueued && <span>{say('tool.queued')}</span>}
      {isStopped(item) && <span>{say('tool.cut')}</span>}
      {took !== undefined && took >= 100 && <span>{duration(took)}</span>}
    </span>
  );
}

/** The preview of a call: the end of its output, then its changes. */
function Glance({ item, showAll }: { item: ToolItem; showAll: () => void }) {
  if (!item.isOver) return item.output === '' ? null : <pre className="tool-tail">{tailOf(item.output)}</pre>;
  if (item.changes.length === 0) return null;
  return <ChangePreview changes={item.changes} showAll={showAll} />;
}

interface ToolCallProps {
  item: ToolItem;
  isOpen?: boolean;
}

/** One tool call as a row: action, subject and outcome; expands to all details. */
export const ToolCall = memo(function ToolCall({ item, isOpen: opened }: ToolCallProps) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(opened ?? false);
  const id = useId();
  const head = useRef<HTMLButtonElement>(null);
  const showAll = () => {
    setIsOpen(true);
    head.current?.focus(); // the pressed button disappears
  };
  const args = useMemo(() => readArguments(item), [item]);
  const words = toolLabels(item.name);
  const Icon = words.icon;
  const images = item.outcome?.images;
  const media = item.outcome?.media;
  if (SHOWN_ELSEWHERE.has(item.name) && !item.outcome?.isFailed) return null;
  const verb = isUndone(item) ? words.name : item.isOver ? words.done : words.now;
  return (
    <div className="tool" data-open={isOpen || undefined}>
      <div className="tool-line">
        <button
          ref={head}
          type="button"
          className="tool-head"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon size={14} className="tool-icon" aria-hidden />
          <span className="tool-verb">{say(verb, { name: item.name })}</span>
          <span className="tool-about">{callSummary(item.name, args)}</span>
          <Facts item={item} />
          <State item={item} />
          <ChevronRight size={14} className="fold-mark" aria-hidden />
        </button>
        {isLive(item) && words.isCommand && <Acts item={item} />}
      </div>
      {item.changes.length > 0 && <InstructionNote changes={item.changes} />}
      {isOpen ? (
        <div id={id}>
          <Details item={item} args={args} />
        </div>
      ) : (
        <Glance item={item} showAll={showAll} />
      )}
      {item.name.startsWith('workflow_') && item.outcome && !item.outcome.isFailed && (
        <Proposal content={item.outcome.content} />
      )}
      {images && images.length > 0 && <Images images={images} />}
      {media && media.length > 0 && <MediaList media={media} />}
    </div>
  );
});
