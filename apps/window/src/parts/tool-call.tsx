import { Ban, Check, ChevronRight, Hand, LoaderCircle, ShieldCheck, X } from 'lucide-react';
import { memo, useEffect, useId, useMemo, useState } from 'react';
import { every, now } from '../ambient.ts';
import { readArguments, type ToolItem } from '../session/conversation.ts';
import { useWords } from '../words/words.ts';
import { CodeLines, languageOf } from './code.tsx';
import { Counts, DiffView } from './diff.tsx';
import { diffTexts, type FileDiff } from './line-diff.ts';
import { CopyButton } from './ref.tsx';
import { aboutOf, wordsOfTool } from './tool-words.ts';

const TAIL_LINES = 8;
const MOST_SHOWN = 20_000;

function tailOf(output: string): string {
  const text = output.trimEnd();
  let at = text.length;
  for (let line = 0; line < TAIL_LINES && at > 0; line += 1) at = text.lastIndexOf('\n', at - 1);
  return text.slice(at + 1);
}

/** Milliseconds since `from`, counted while `isOn`. */
export function useElapsed(from: number | undefined, isOn: boolean): number | undefined {
  const [at, setAt] = useState(now);
  useEffect(() => (isOn ? every(1_000, () => setAt(now())) : undefined), [isOn]);
  return from === undefined ? undefined : Math.max(0, at - from);
}

const isHeld = (item: ToolItem) => item.leave === 'waiting';
/** Not done so far, or not at all: "Wrote" would not be true. */
const isUndone = (item: ToolItem) =>
  isHeld(item) ||
  (item.isOver && (item.leave === 'denied' || (item.outcome?.fallito === true && item.outcome.exitCode === undefined)));

function State({ item }: { item: ToolItem }) {
  const { say } = useWords();
  if (isHeld(item)) return <Hand size={14} className="accent" aria-label={say('tool.held')} />;
  if (!item.isOver) return <LoaderCircle size={14} className="spin accent" aria-label={say('tool.running')} />;
  if (item.leave === 'denied') return <Ban size={14} className="danger" aria-label={say('ask.was.denied')} />;
  if (!item.outcome) return <Ban size={14} className="muted" aria-label={say('tool.cut')} />;
  if (item.outcome.fallito || (item.outcome.exitCode !== undefined && item.outcome.exitCode !== 0))
    return <X size={14} className="danger" aria-label={say('tool.failed')} />;
  return <Check size={14} className="muted" aria-label={say('tool.over')} />;
}

function Facts({ item, diffs }: { item: ToolItem; diffs: readonly { diff: FileDiff }[] }) {
  const { say, duration } = useWords();
  const elapsed = useElapsed(item.startedAt, !item.isOver && !isHeld(item));
  const took = item.isOver ? item.outcome?.durataMs : isHeld(item) ? undefined : elapsed;
  const exit = item.outcome?.exitCode;
  const added = diffs.reduce((sum, { diff }) => sum + diff.added, 0);
  const removed = diffs.reduce((sum, { diff }) => sum + diff.removed, 0);
  return (
    <span className="tool-facts tabular">
      {diffs.length > 0 && <Counts added={added} removed={removed} />}
      {exit !== undefined && exit !== 0 && <span className="danger">{say('tool.exit', { code: exit })}</span>}
      {item.leave === 'allowed' && <ShieldCheck size={14} aria-label={say('ask.was.allowed')} className="tool-leave" />}
      {item.leave === 'denied' && <span className="danger">{say('ask.was.denied')}</span>}
      {took !== undefined && took >= 100 && <span>{duration(took)}</span>}
    </span>
  );
}

function Output({ text, label }: { text: string; label: string }) {
  const { say, number } = useWords();
  const [isWhole, setIsWhole] = useState(false);
  const cut = !isWhole && text.length > MOST_SHOWN;
  return (
    <div className="output">
      <div className="output-head">
        <span>{label}</span>
        <CopyButton value={text} />
      </div>
      <pre tabIndex={0}>{cut ? text.slice(0, MOST_SHOWN) : text}</pre>
      {cut && (
        <button type="button" className="diff-more" onClick={() => setIsWhole(true)}>
          {say('tool.more', { count: number(text.length - MOST_SHOWN) })}
        </button>
      )}
    </div>
  );
}

interface Change {
  path: string;
  isUntold: boolean;
  diff: FileDiff;
}

function Details({ item, args, diffs }: { item: ToolItem; args: Record<string, unknown>; diffs: readonly Change[] }) {
  const { say } = useWords();
  const { outcome } = item;
  const command = outcome?.comando ?? (typeof args.comando === 'string' ? args.comando : undefined);
  const printed = outcome?.stdout !== undefined || outcome?.stderr !== undefined;
  const isReading = item.name === 'leggi' && typeof args.percorso === 'string';
  const isPlain = command === undefined && diffs.length === 0 && !isReading && item.args.length > 2;
  return (
    <div className="tool-body">
      {command !== undefined && <Output text={command} label={outcome?.cwd ?? say('tool.command')} />}
      {isPlain && <Output text={JSON.stringify(args, undefined, 2)} label={say('tool.asked')} />}
      {diffs.map(({ path, diff, isUntold }) =>
        isUntold ? (
          <p key={path} className="muted">
            {say('diff.untold', { path })}
          </p>
        ) : (
          <DiffView key={path} diff={diff} label={path} />
        ),
      )}
      {outcome?.stdout && <Output text={outcome.stdout} label={say('tool.output')} />}
      {outcome?.stderr && <Output text={outcome.stderr} label={say('tool.errors')} />}
      {!printed && outcome && diffs.length === 0 && !isReading && (
        <Output text={outcome.content} label={say('tool.answer')} />
      )}
      {isReading && outcome && (
        <pre className="output-code" tabIndex={0}>
          <CodeLines code={outcome.content} language={languageOf(String(args.percorso))} />
        </pre>
      )}
      {!outcome && item.isOver && <p className="muted">{say('tool.cut.why')}</p>}
      {!item.isOver && item.output && <Output text={item.output} label={say('tool.output')} />}
    </div>
  );
}

/** One call of a tool in a line: what it did, to what, how it went; the whole of it underneath on demand. */
export const ToolCall = memo(function ToolCall({ item, isOpen: opened }: { item: ToolItem; isOpen?: boolean }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(opened ?? false);
  const id = useId();
  const args = useMemo(() => readArguments(item.args), [item.args]);
  const diffs = useMemo(
    () => item.changes.map(({ path, before, after, isUntold }) => ({ path, isUntold, diff: diffTexts(before, after) })),
    [item.changes],
  );
  const words = wordsOfTool(item.name);
  const about = aboutOf(item.name, args);
  const Icon = words.icon;
  const isLive = !item.isOver && item.output !== '';
  const verb = isUndone(item) ? words.name : item.isOver ? words.done : words.now;
  return (
    <div className="tool" data-open={isOpen || undefined}>
      <button
        type="button"
        className="tool-head"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon size={14} className="tool-icon" aria-hidden />
        <span className="tool-verb">{say(verb, { name: item.name })}</span>
        <span className="tool-about">{about}</span>
        <Facts item={item} diffs={diffs} />
        <State item={item} />
        <ChevronRight size={14} className="fold-mark" aria-hidden />
      </button>
      {isOpen ? (
        <div id={id}>
          <Details item={item} args={args} diffs={diffs} />
        </div>
      ) : (
        isLive && <pre className="tool-tail">{tailOf(item.output)}</pre>
      )}
    </div>
  );
});
