import {
  type Ambient,
  type FinishReason,
  MAX_VENDOR_VALUE,
  type ModelEvent,
  type ModelFailure,
  type ModelNotice,
  type ModelUsage,
  type SessionEvent,
  type VendorValue,
} from '@fucina/shared';
import type { CallReader, CallReading, ReadCall } from '../calls/reading/call-reader.ts';
import { repairedText } from '../calls/reading/texts.ts';
import { USE_TOOL, unwrapped } from '../calls/use-tool.ts';
import type { StoredVendorValue } from '../store/store.ts';

/** One answer of the model, turned into session events as it streams. */
export interface ModelStep {
  text: string;
  toolCalls: ReadCall[];
  usage: ModelUsage | null;
  finish: FinishReason | null;
  failure: ModelFailure | null;
  vendorValues: StoredVendorValue[];
  /** False when none of the answer was visible to the user: only then may the call be retried. */
  hasOutput: boolean;
}

export interface StepNeeds {
  ambient: Ambient;
  /** Streams events to the journal as deltas. */
  emit(events: readonly SessionEvent[]): void;
  /** The end of a message: it may be committed with the next write. */
  emitLast(events: readonly SessionEvent[]): void;
  /** Ids of calls already used in the session: a repeated one gets a new id. */
  usedCallIds: Set<string>;
  reader: CallReader;
  /** Committed before the next batch is requested; a throw cancels what the notice announces. */
  onNotice(notice: ModelNotice): void;
}

const SAFE_CALL_ID = /^[\w-]{1,64}$/;
/** Beyond this limit the rest of an answer is ignored. */
const MAX_CALLS = 1_000;
/** Limit of one answer with reasoning and arguments; several times the longest realistic answer. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export async function readModelStep(
  stream: AsyncIterable<readonly ModelEvent[]>,
  needs: StepNeeds,
): Promise<ModelStep> {
  const translator = createTranslator(needs);
  const whatFits = createMeter();
  try {
    for await (const batch of stream) {
      if (!noticesKept(batch, needs, translator.step)) break;
      const fitting = whatFits(batch);
      const events = fitting.flatMap(translator.translate);
      if (events.length) needs.emit(events);
      if (fitting.length === batch.length) continue;
      // Leaving the stream ends the call.
      translator.step.failure = TOO_LONG;
      break;
    }
  } finally {
    const closing = translator.close();
    if (closing.length) needs.emitLast(closing);
  }
  return translator.step;
}

/**
 * A switch to another model that cannot be recorded is cancelled: leaving the stream prevents the call of the fallback.
 */
function noticesKept(batch: readonly ModelEvent[], { onNotice, ambient }: StepNeeds, step: ModelStep): boolean {
  try {
    for (const event of batch) if (event.type === 'notice') onNotice(event.notice);
    return true;
  } catch (error) {
    ambient.log.error('turn.fallback-not-noted', { error });
    step.failure = NOT_CONNECTED;
    return false;
  }
}

const TOO_LONG: ModelFailure = {
  class: 'stream-interrupted',
  code: 'risposta-troppo-lunga',
  message: `The answer was longer than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB and was cut there.`,
  httpStatus: null,
  retryAfterMs: null,
  isOutcomeKnown: false,
  isLasting: true,
};

/** The events of each batch that stay within the limit of the answer. */
function createMeter(): (batch: readonly ModelEvent[]) => readonly ModelEvent[] {
  let left = MAX_ANSWER_BYTES;
  return (batch) => {
    const over = batch.findIndex((event) => {
      if ('delta' in event) left -= Buffer.byteLength(event.delta);
      else if ('vendor' in event) left -= event.vendor?.data.length ?? 0;
      return left < 0;
    });
    return over === -1 ? batch : batch.slice(0, over);
  };
}

const NOT_CONNECTED: ModelFailure = {
  class: 'server',
  code: 'PROVIDER_FALLBACK_NOT_CONNECTED',
  message: 'The switch to another model could not be noted, so it was not made.',
  httpStatus: null,
  retryAfterMs: null,
  isOutcomeKnown: true,
};

function createTranslator({ ambient, usedCallIds, reader }: StepNeeds) {
  const step: ModelStep = {
    text: '',
    toolCalls: [],
    usage: null,
    finish: null,
    failure: null,
    vendorValues: [],
    hasOutput: false,
  };
  const calls = new Map<string, OpenCall>();
  /** Of the open text, or the last one: each part of the text is a message of its own. */
  let textId = ambient.newId();
  let isTextOpen = false;
  let hasText = false;
  let reasoningId: string | undefined;
  /** Calls of `use_tool` by the provider's id, until they are whole. */
  const held = new Map<string, string>();

  const keep = (partId: string, vendor: VendorValue | undefined): void => {
    if (!vendor) return;
    if (vendor.data.length <= MAX_VENDOR_VALUE) step.vendorValues.push({ partId, ...vendor });
    else ambient.log.warn('model.vendor-value-too-large', { provider: vendor.provider, length: vendor.data.length });
  };

  const closeReasoning = (): SessionEvent[] => {
    if (!reasoningId) return [];
    const closed = reasoningId;
    reasoningId = undefined;
    return [{ type: 'ReasoningMessageEnd', messageId: closed }];
  };
  const closeText = (): SessionEvent[] => {
    if (!isTextOpen) return [];
    isTextOpen = false;
    return [{ type: 'TextMessageEnd', messageId: textId }];
  };

  const text = (delta: string): SessionEvent[] => {
    step.text += delta;
    const opening: SessionEvent[] = closeReasoning();
    if (!isTextOpen) {
      if (hasText) textId = ambient.newId();
      opening.push({ type: 'TextMessageStart', messageId: textId, role: 'assistant' });
    }
    isTextOpen = true;
    hasText = true;
    opening.push({ type: 'TextMessageContent', messageId: textId, delta });
    return opening;
  };
  const reasoning = (delta: string): SessionEvent[] => {
    const opening: SessionEvent[] = closeText();
    if (!reasoningId) {
      reasoningId = ambient.newId();
      opening.push({ type: 'ReasoningMessageStart', messageId: reasoningId, role: 'reasoning' });
    }
    opening.push({ type: 'ReasoningMessageContent', messageId: reasoningId, delta });
    return opening;
  };
  const startCall = (providerId: string, reading: CallReading): SessionEvent[] => {
    if (calls.size >= MAX_CALLS || calls.has(providerId)) return [];
    const id = SAFE_CALL_ID.test(providerId) && !usedCallIds.has(providerId) ? providerId : ambient.newId();
    usedCallIds.add(id);
    const call = reading.call(id);
    calls.set(providerId, { call, reading, isEnded: false });
    step.toolCalls.push(call);
    const opened: SessionEvent = {
      type: 'ToolCallStart',
      toolCallId: id,
      toolCallName: reading.name,
      parentMessageId: textId,
      avviatoA: ambient.now(),
    };
    return [...closeReasoning(), ...closeText(), opened];
  };
  const callArguments = (providerId: string, delta: string): SessionEvent[] => {
    const before = held.get(providerId);
    if (before !== undefined) {
      held.set(providerId, before + delta);
      return [];
    }
    const open = calls.get(providerId);
    if (!open || open.isEnded || !delta) return [];
    return argumentsEvent(open.call, open.reading.push(delta));
  };
  const endReasoning = (vendor: VendorValue | undefined): SessionEvent[] => {
    // Some providers send a signature without any readable text: it must still be sent back.
    const opening = vendor && !reasoningId ? reasoning('') : [];
    if (reasoningId) keep(reasoningId, vendor);
    return [...opening.filter((event) => event.type !== 'ReasoningMessageContent'), ...closeReasoning()];
  };
  const endText = (vendor: VendorValue | undefined): SessionEvent[] => {
    if (isTextOpen) keep(textId, vendor);
    return closeText();
  };
  const release = (providerId: string): SessionEvent[] => {
    const text = held.get(providerId);
    if (text === undefined) return [];
    held.delete(providerId);
    const inner = unwrapped(repairedText(text)?.text ?? text) ?? { name: USE_TOOL, arguments: text };
    const started = startCall(providerId, reader.begin(inner.name));
    return [...started, ...callArguments(providerId, inner.arguments)];
  };
  /** @param isWhole false for a call in an answer that broke off */
  const finishCall = (open: OpenCall, isWhole = true): SessionEvent[] => {
    if (open.isEnded) return [];
    open.isEnded = true;
    const rest = isWhole ? open.reading.end() : open.reading.giveUp();
    const events = argumentsEvent(open.call, rest);
    Object.assign(open.call, open.reading.call(open.call.id));
    return events;
  };
  const endCall = (providerId: string, vendor: VendorValue | undefined): SessionEvent[] => {
    const released = release(providerId);
    const open = calls.get(providerId);
    if (!open) return released;
    keep(open.call.id, vendor);
    return [...released, ...finishCall(open)];
  };
  const beginCall = (providerId: string, name: string): SessionEvent[] => {
    if (calls.has(providerId) || held.has(providerId)) return [];
    const reading = reader.begin(name);
    if (reading.name !== USE_TOOL) return startCall(providerId, reading);
    held.set(providerId, '');
    return [];
  };

  const translate = (event: ModelEvent): SessionEvent[] => {
    if (event.type !== 'usage' && event.type !== 'finish' && event.type !== 'failure') step.hasOutput = true;
    switch (event.type) {
      case 'text':
        return event.delta ? text(event.delta) : [];
      case 'text-end':
        return endText(event.vendor);
      case 'reasoning':
        return event.delta ? reasoning(event.delta) : [];
      case 'reasoning-end':
        return endReasoning(event.vendor);
      case 'tool-start':
        return beginCall(event.id, event.name);
      case 'tool-arguments':
        return callArguments(event.id, event.delta);
      case 'tool-end':
        return endCall(event.id, event.vendor);
      case 'notice':
        return [];
      case 'usage':
        step.usage = event.usage;
        return [];
      case 'finish':
        step.finish = event.reason;
        return [];
      case 'failure':
        step.failure = event.failure;
        return [];
    }
  };

  const close = (): SessionEvent[] => [
    ...[...held.keys()].flatMap(release),
    ...[...calls.values()].flatMap((open) => finishCall(open, !step.failure)),
    ...closeReasoning(),
    ...closeText(),
  ];
  return { step, translate, close };
}

interface OpenCall {
  call: ReadCall;
  reading: CallReading;
  isEnded: boolean;
}

function argumentsEvent(call: ReadCall, delta: string): SessionEvent[] {
  if (!delta) return [];
  call.arguments += delta;
  return [{ type: 'ToolCallArgs', toolCallId: call.id, delta }];
}
