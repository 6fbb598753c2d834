import type { SessionEvent } from '@fucina/shared';
import { CUSTOM_EVENTS } from '../state/custom-events.ts';

/** What a compaction would cover and what it preserves verbatim. */
export interface CompactionPlan {
  coveredThrough: number;
  /** The covered part, as text for the model that summarizes it. */
  transcript: string;
  /** The user's last requests in the covered part. */
  requests: string[];
  /** Files that the agent worked on, last one first. */
  files: string[];
}

const PRESERVED_REQUESTS = 3;
const PRESERVED_EXCHANGES = 2;
const MAX_FILES = 5;
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
 * Reads a session's events in order and finds the last point before which everything can be summarized. Every message of
 * the user and every answer can be such a point: the second to last exchange with calls, in a conversation of texts the
 * second to last message, and a later one where more would stay than there is room for. Undefined when there is too
 * little before it.
 */
export function planCompaction(
  events: Iterable<{ seq: number; event: SessionEvent }>,
  { covered, keptChars, isUrgent }: PlanRequest,
): CompactionPlan | undefined {
  const reader = createReader();
  for (const { seq, event } of events) if (seq > (covered?.through ?? 0)) reader.apply(event, seq);
  const { lines, requests, files } = reader;
  const start = startOfKept(reader, { keptChars, isUrgent });
  if (start === undefined) return undefined;
  const before = lines.filter(({ seq }) => seq < start);
  return {
    coveredThrough: start - 1,
    transcript: [covered?.text ?? '', ...before.map(({ text }) => text)].filter(Boolean).join('\n\n'),
    requests: requests.slice(-PRESERVED_REQUESTS).flatMap(({ seq, text }) => (seq < start ? [text] : [])),
    files: [...new Set(files.toReversed())].slice(0, MAX_FILES),
  };
}

function startOfKept(
  { lines, requests, exchanges, answers }: ReturnType<typeof createReader>,
  { keptChars, isUrgent }: Pick<PlanRequest, 'keptChars' | 'isUrgent'>,
): number | undefined {
  const messages = requests.map(({ seq }) => seq);
  const points = [...new Set([...messages, ...answers])].sort((one, other) => one - other);
  const [oldest] = lines;
  const isAfterAny = (point: number): boolean => oldest !== undefined && oldest.seq < point;
  const wanted = [exchanges, messages]
    .filter((starts) => starts.length > PRESERVED_EXCHANGES)
    .map((starts) => starts.at(-PRESERVED_EXCHANGES) as number)[0];
  const total = lines.reduce((sum, { size }) => sum + size, 0);
  const urgent = isUrgent || total > keptChars ? points.findLast(isAfterAny) : undefined;
  const first = wanted ?? urgent;
  if (first === undefined) return undefined;
  const sizeFrom = (point: number): number =>
    lines.reduce((sum, { seq, size }) => (seq >= point ? sum + size : sum), 0);
  const later = points.filter((point) => point >= first && isAfterAny(point));
  return later.find((point) => sizeFrom(point) <= keptChars) ?? later.at(-1);
}

function createReader() {
  const lines: Line[] = [];
  const requests: Line[] = [];
  /** Start of each model answer that contains calls. */
  const exchanges: number[] = [];
  /** Start of each model answer. */
  const answers: number[] = [];
  const files: string[] = [];
  const calls = new Map<string, { name: string; text: string }>();
  const removed = new Set<string>();
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
    const [, path] = /"percorso"\s*:\s*"([^"\\]+)"/.exec(call.text) ?? [];
    if (path) files.push(path);
    const result = shortened(event.content, MAX_RESULT);
    const size = call.text.length + event.content.length;
    lines.push({ seq, text: `Tool ${call.name} ${shortened(call.text, MAX_RESULT)}\n→ ${result}`, size });
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
      case 'TextMessageContent': {
        const last = lines.at(-1);
        if (!last) return;
        last.size += event.delta.length;
        if (last.text.length < MAX_MESSAGE) last.text += event.delta;
        return;
      }
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
        if (event.name === CUSTOM_EVENTS.removedMessage)
          removed.add((event.value as { riferimento: string }).riferimento);
        return;
      default:
        return;
    }
  };
  const isKept = ({ seq }: Line): boolean => !removed.has(`giro:${seq}`);
  return {
    apply,
    exchanges,
    answers,
    files,
    get lines() {
      return lines.filter(isKept);
    },
    get requests() {
      return requests.filter(isKept);
    },
  };
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)} […] ${text.slice(-half)}`;
}
