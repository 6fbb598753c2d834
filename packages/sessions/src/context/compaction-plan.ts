import { type SessionEvent, textEnd, textStart } from '@fucina/shared';
import { CUSTOM_EVENTS } from '../state/custom-events.ts';
import type { ReadFile, TodoItem } from './compaction-text.ts';
import { userReference } from './conversation.ts';

/** What a compaction would cover and what it preserves verbatim. */
export interface CompactionPlan {
  coveredThrough: number;
  /** The covered part, as text for a model that cannot read the conversation itself. */
  transcript: string;
  /** All messages of the user that the model will no longer see, oldest first. */
  requests: string[];
  todo: TodoItem[];
  /** Files that the agent worked on, last one first. */
  files: ReadFile[];
}

/** Where more fits, a conversation that is compacted by hand keeps the last exchanges. */
const PRESERVED_EXCHANGES = 2;
const MAX_FILES = 30;
const MAX_RANGES = 6;
const MAX_RESULT = 600;
const MAX_MESSAGE = 6_000;

interface Line {
  seq: number;
  text: string;
  /** Characters of what the line stands for, which may be shortened in it. */
  size: number;
}

export interface PlanRequest {
  /** What an earlier compaction already covers, and its text. */
  covered: { through: number; text: string } | undefined;
  /** Characters that stay as they are, at most; the last message or answer stays whatever its size. */
  keptChars: number;
  /** Room is needed now: everything before the last message or answer may be covered. */
  isUrgent: boolean;
}

/**
 * Reads a session's events in order and finds the first point from which the rest fits into what stays as it is. Every
 * message of the user and every answer can be such a point. Where all of it would fit, the point is the second to last
 * exchange with calls, in a conversation of texts the second to last message. Undefined when there is too little before
 * it.
 */
export function planCompaction(
  events: Iterable<{ seq: number; event: SessionEvent }>,
  { covered, keptChars, isUrgent }: PlanRequest,
): CompactionPlan | undefined {
  const through = covered?.through ?? 0;
  const reader = createReader();
  for (const { seq, event } of events) reader.apply(event, seq);
  const start = startOfKept(reader.after(through), { keptChars, isUrgent });
  if (start === undefined) return undefined;
  const lines = reader.after(through).lines.filter(({ seq }) => seq < start);
  const requests = reader.after(0).requests.filter(({ seq }) => seq < start);
  return {
    coveredThrough: start - 1,
    transcript: [covered?.text ?? '', ...lines.map(({ text }) => text)].filter(Boolean).join('\n\n'),
    requests: requests.map(({ text }) => text),
    todo: reader.todo(),
    files: filesOf(reader.reads),
  };
}

function startOfKept(
  { lines, requests, exchanges, answers }: Read,
  { keptChars, isUrgent }: Pick<PlanRequest, 'keptChars' | 'isUrgent'>,
): number | undefined {
  const messages = requests.map(({ seq }) => seq);
  const points = [...new Set([...messages, ...answers])].sort((one, other) => one - other);
  const [oldest] = lines;
  const usable = points.filter((point) => oldest !== undefined && oldest.seq < point);
  const sizeFrom = (point: number): number =>
    lines.reduce((sum, { seq, size }) => (seq >= point ? sum + size : sum), 0);
  if (isUrgent || sizeFrom(0) > keptChars) return usable.find((point) => sizeFrom(point) <= keptChars) ?? usable.at(-1);
  return [exchanges, messages].find((starts) => starts.length > PRESERVED_EXCHANGES)?.at(-PRESERVED_EXCHANGES);
}

/** What was read after a point of the journal, without the messages that the user removed since. */
interface Read {
  lines: Line[];
  /** The user's messages. */
  requests: Line[];
  /** Start of each model answer that contains calls. */
  exchanges: number[];
  /** Start of each model answer. */
  answers: number[];
}

interface FileUse {
  path: string;
  range: string | undefined;
}

/** One entry per file, the last one that was used first. */
function filesOf(uses: readonly FileUse[]): ReadFile[] {
  const byPath = new Map<string, string[]>();
  for (const { path, range } of uses.toReversed()) {
    const ranges = byPath.get(path) ?? [];
    byPath.set(path, ranges);
    if (range && ranges.length < MAX_RANGES && !ranges.includes(range)) ranges.unshift(range);
  }
  return [...byPath].slice(0, MAX_FILES).map(([path, lines]) => ({ path, lines }));
}

function createReader() {
  const lines: Line[] = [];
  const requests: Line[] = [];
  const exchanges: number[] = [];
  const answers: number[] = [];
  const reads: FileUse[] = [];
  const calls = new Map<string, { name: string; text: string }>();
  const removed = new Set<string>();
  let todo: TodoItem[] = [];
  let answerStart = 0;
  let isLocalTurn = false;

  const userLine = (text: string, seq: number): void => {
    answerStart = 0;
    requests.push({ seq, text, size: text.length });
    lines.push({ seq, text: `User: ${shortened(text, MAX_MESSAGE)}`, size: text.length });
  };
  const answering = (seq: number): void => {
    if (answerStart) return;
    answerStart = seq;
    answers.push(seq);
  };
  const finishCall = (event: Extract<SessionEvent, { type: 'ToolCallResult' }>, seq: number): void => {
    const call = calls.get(event.toolCallId);
    if (!call) return;
    if (answerStart && exchanges.at(-1) !== answerStart) exchanges.push(answerStart);
    if (exchanges.at(-1) === answerStart) answerStart = 0;
    const use = fileUse(call.text);
    if (use) reads.push(use);
    const result = shortened(event.content, MAX_RESULT);
    const size = call.text.length + event.content.length;
    lines.push({ seq, text: `Tool ${call.name} ${shortened(call.text, MAX_RESULT)}\n→ ${result}`, size });
  };
  const addText = (delta: string): void => {
    const last = lines.at(-1);
    if (!last) return;
    last.size += delta.length;
    if (last.text.length < MAX_MESSAGE) last.text += delta;
  };
  const custom = ({ name, value }: Extract<SessionEvent, { type: 'CUSTOM' }>): void => {
    if (name === CUSTOM_EVENTS.removedMessage) removed.add((value as { riferimento: string }).riferimento);
    if (name === CUSTOM_EVENTS.todo) todo = (value as { items: TodoItem[] }).items;
  };

  const apply = (event: SessionEvent, seq: number): void => {
    if (event.type === 'RunStarted') isLocalTurn = event.input?.comando !== undefined;
    if (isLocalTurn) return;
    switch (event.type) {
      case 'RunStarted':
        return event.input ? userLine(event.input.testoModello ?? event.input.consegna, seq) : undefined;
      case 'RunRedirectApplied':
      case 'QueuedMessageDelivered':
        return userLine(event.testoModello ?? event.testo, seq);
      case 'ReasoningMessageStart':
        return answering(seq);
      case 'TextMessageStart':
        answering(seq);
        lines.push({ seq, text: 'Agent: ', size: 0 });
        return;
      case 'TextMessageContent':
        return addText(event.delta);
      case 'ToolCallStart':
        answering(seq);
        calls.set(event.toolCallId, { name: event.toolCallName, text: '' });
        return;
      case 'ToolCallArgs': {
        const call = calls.get(event.toolCallId);
        if (call && call.text.length < MAX_MESSAGE) call.text += event.delta;
        return;
      }
      case 'ToolCallResult':
        return finishCall(event, seq);
      case 'CUSTOM':
        return custom(event);
      default:
        return;
    }
  };
  const after = (through: number): Read => {
    const isKept = ({ seq }: Line): boolean => seq > through && !removed.has(userReference(seq));
    return {
      lines: lines.filter(isKept),
      requests: requests.filter(isKept),
      exchanges: exchanges.filter((seq) => seq > through),
      answers: answers.filter((seq) => seq > through),
    };
  };
  return { apply, after, reads, todo: () => todo };
}

/** The file of a call, and the lines that it asked for; the arguments may be cut. */
function fileUse(args: string): FileUse | undefined {
  const [, path] = /"percorso"\s*:\s*"([^"\\]+)"/.exec(args) ?? [];
  if (!path) return undefined;
  const from = numberIn(args, 'da');
  const count = numberIn(args, 'righe');
  const first = from ?? 1;
  const range = from === undefined && count === undefined ? undefined : `${first}-${count ? first + count - 1 : ''}`;
  return { path, range };
}

function numberIn(args: string, name: string): number | undefined {
  const [, digits] = new RegExp(`"${name}"\\s*:\\s*(\\d{1,9})`).exec(args) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${textStart(text, half)} […] ${textEnd(text, half)}`;
}
