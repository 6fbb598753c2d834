import { type AnswerPart, type ModelEvent, wantsReasoningOnEveryCall } from '@fucina/shared';
import { familyValues, ownValues, vendorValue } from './vendor-value.ts';
import type { WireCall } from './wire.ts';

/** The fields in which hosts send reasoning. */
export interface ReasoningDelta {
  reasoning_content?: string | null;
  reasoning?: string | null;
  /** The aggregator's own form, with signatures and encrypted parts. */
  reasoning_details?: ReasoningDetail[] | null;
}

type ReasoningDetail = Record<string, unknown>;

/** Mistral sends a list of chunks, thinking among them. */
export type ChatContent = string | { type?: string; text?: string; thinking?: string | { text?: string }[] }[] | null;

/** Where the readable reasoning of a part came in, and so where it goes back: `think` is a tag in the text. */
type Field = 'reasoning_content' | 'reasoning' | 'think' | 'thinking';

export interface ChatReasoning {
  read(delta: ReasoningDelta, events: ModelEvent[]): void;
  add(text: string, field: Field, events: ModelEvent[]): void;
  end(events: ModelEvent[]): void;
}

export function createChatReasoning(call: WireCall): ChatReasoning {
  let field: Field | undefined;
  let details: ReasoningDetail[] = [];
  const add = (text: string, into: Field, events: ModelEvent[]): void => {
    field = into;
    events.push({ type: 'reasoning', delta: text });
  };
  return {
    add,
    read(delta, events) {
      if (delta.reasoning_content) add(delta.reasoning_content, 'reasoning_content', events);
      else if (delta.reasoning) add(delta.reasoning, 'reasoning', events);
      for (const detail of delta.reasoning_details ?? []) addDetail(details, detail);
    },
    end(events) {
      if (field === undefined && details.length === 0) return;
      const vendor = vendorValue(call, details.length > 0 ? { reasoning_details: details } : { field });
      events.push({ type: 'reasoning-end', ...(vendor && { vendor }) });
      field = undefined;
      details = [];
    },
  };
}

/** The pieces of one block have its type and index; their texts are joined, the signature comes with the last. */
function addDetail(details: ReasoningDetail[], detail: ReasoningDetail): void {
  const last = details.at(-1);
  if (!last || last['type'] !== detail['type'] || last['index'] !== detail['index'] || detail['type'] === undefined) {
    details.push({ ...detail });
    return;
  }
  for (const [key, value] of Object.entries(detail)) {
    if (value === null || value === undefined) continue;
    const before = last[key];
    const isJoined = JOINED.has(key) && typeof before === 'string' && typeof value === 'string';
    last[key] = isJoined ? before + value : value;
  }
}

const JOINED = new Set(['text', 'summary', 'data']);

const OPENING = '<think>';
const CLOSING = '</think>';

/** Reads the text of an answer: what stands in `<think>` at its beginning is reasoning. */
export function createChatContent(reasoning: ChatReasoning): {
  read(content: NonNullable<ChatContent>, events: ModelEvent[]): void;
  end(events: ModelEvent[]): void;
} {
  let state: 'beginning' | 'thinking' | 'thought' | 'text' = 'beginning';
  /** What may be the beginning of a tag. */
  let held = '';
  const say = (text: string, events: ModelEvent[]): void => {
    if (text === '') return;
    state = 'text';
    reasoning.end(events);
    events.push({ type: 'text', delta: text });
  };
  const think = (text: string, events: ModelEvent[]): void => {
    const end = text.indexOf(CLOSING);
    const thought = end === -1 ? text.slice(0, text.length - tailOf(text, CLOSING)) : text.slice(0, end);
    if (thought) reasoning.add(thought, 'think', events);
    held = end === -1 ? text.slice(thought.length) : '';
    if (end === -1) return;
    state = 'thought';
    reasoning.end(events);
    say(text.slice(end + CLOSING.length).trimStart(), events);
  };
  const begin = (text: string, events: ModelEvent[]): void => {
    const start = text.trimStart();
    if (start.startsWith(OPENING)) {
      state = 'thinking';
      return think(start.slice(OPENING.length), events);
    }
    if (OPENING.startsWith(start)) held = text;
    else say(text, events);
  };
  const readText = (delta: string, events: ModelEvent[]): void => {
    const text = held + delta;
    held = '';
    if (state === 'text') return say(text, events);
    // Blank lines separate the tag from the text.
    if (state === 'thought') return say(text.trimStart(), events);
    return state === 'thinking' ? think(text, events) : begin(text, events);
  };
  return {
    read(content, events) {
      if (typeof content === 'string') return readText(content, events);
      for (const { type, text, thinking } of content) {
        if (type !== 'thinking') readText(text ?? '', events);
        else reasoning.add(thinkingText(thinking), 'thinking', events);
      }
    },
    end(events) {
      const rest = held;
      held = '';
      if (rest && state === 'thinking') reasoning.add(rest, 'think', events);
      else say(rest, events);
    },
  };
}

/** How many characters at the end of `text` may begin `tag`. */
function tailOf(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

function thinkingText(thinking: string | { text?: string }[] | undefined): string {
  return typeof thinking === 'string' ? thinking : (thinking ?? []).map(({ text = '' }) => text).join('');
}

/** What goes back with an answer. */
export interface SentReasoning {
  fields: Record<string, unknown>;
  /** In front of the text: a thinking tag. */
  prefix: string;
  /** Chunks in front of the text. */
  chunks: readonly unknown[];
}

const NOTHING: SentReasoning = { fields: {}, prefix: '', chunks: [] };

/**
 * The reasoning of an answer in the fields in which it came: to the same family of models, between the calls of the
 * running turn. The aggregator's details go back in all turns, and Kimi and DeepSeek get their text in all turns, an
 * empty one for what another model called.
 * @param isOfTurn whether the answer belongs to the running turn
 */
export function sentReasoning(call: WireCall, parts: readonly AnswerPart[], isOfTurn: boolean): SentReasoning {
  const hasCalls = parts.some(({ type }) => type === 'call');
  const isDemanded = hasCalls && wantsReasoningOnEveryCall(call.model);
  const details = parts.flatMap((part) => detailsOf(ownValues(call, part.vendor)));
  const sentDetails = details.length > 0 && { reasoning_details: details };
  if (isDemanded) return { ...NOTHING, fields: { reasoning_content: familyText(call, parts), ...sentDetails } };
  if (sentDetails) return { ...NOTHING, fields: sentDetails };
  if (!isOfTurn) return NOTHING;
  const texts = textsByField(call, parts);
  const think = texts.get('think');
  const thinking = texts.get('thinking');
  return {
    fields: Object.fromEntries([...texts].filter(([field]) => field !== 'think' && field !== 'thinking')),
    prefix: think === undefined ? '' : `${OPENING}${think}${CLOSING}\n\n`,
    chunks: thinking === undefined ? [] : [{ type: 'thinking', thinking: [{ type: 'text', text: thinking }] }],
  };
}

function detailsOf(values: Readonly<Record<string, unknown>> | undefined): unknown[] {
  const details = values?.['reasoning_details'];
  return Array.isArray(details) ? details : [];
}

function familyText(call: WireCall, parts: readonly AnswerPart[]): string {
  const own = parts.filter((part) => part.type === 'reasoning' && familyValues(call, part.vendor) !== undefined);
  return own.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
}

function textsByField(call: WireCall, parts: readonly AnswerPart[]): Map<Field, string> {
  const texts = new Map<Field, string>();
  for (const part of parts) {
    const field = part.type === 'reasoning' ? familyValues(call, part.vendor)?.['field'] : undefined;
    if (part.type === 'reasoning' && isField(field)) texts.set(field, (texts.get(field) ?? '') + part.text);
  }
  return texts;
}

function isField(value: unknown): value is Field {
  return value === 'reasoning_content' || value === 'reasoning' || value === 'think' || value === 'thinking';
}
