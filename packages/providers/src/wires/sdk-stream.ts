import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { FinishReason, ModelEvent, ModelUsage, VendorValue } from '@fucina/shared';
import { interrupted, WireFailure } from './failure.ts';
import type { ReadUsage } from './partial-usage.ts';
import type { SdkFetch } from './sdk-fetch.ts';
import { vendorValue } from './vendor-value.ts';
import { MAX_TOOL_CALLS, type WireCall } from './wire.ts';

interface SdkModel {
  doStream(options: LanguageModelV3CallOptions): PromiseLike<{ stream: ReadableStream<LanguageModelV3StreamPart> }>;
}

export interface SdkStream {
  model: SdkModel;
  options: LanguageModelV3CallOptions;
  exchange: SdkFetch;
  call: WireCall;
  /** The library's key for the vendor's own values. */
  vendorName: string;
  /** For an answer that breaks off before the library has counted it. */
  usageIn: ReadUsage;
  /** What the vendor caches of the request stays for an hour. */
  isHourCache?: boolean;
}

/**
 * Converts the events of a vendor's library to ours. Its errors become a WireFailure; before it comes what is known of the
 * usage, if any output came.
 */
export async function* sdkStream(sdk: SdkStream): AsyncGenerator<ModelEvent[]> {
  const reader = createPartReader(sdk);
  let hasOutput = false;
  try {
    const { stream } = await sdk.model.doStream({ ...sdk.options, includeRawChunks: true });
    for await (const parts of gathered(stream)) {
      const { events, error } = readParts(reader, parts);
      if (events.length > 0) yield events;
      hasOutput ||= events.length > 0;
      if (error !== undefined) throw error;
    }
    if (!reader.isOver()) throw new WireFailure(interrupted());
  } catch (error) {
    const usage = hasOutput ? reader.partialUsage() : undefined;
    if (usage) yield [{ type: 'usage', usage }];
    throw sdk.exchange.failure() ?? sdk.exchange.reported(error);
  }
}

/** What came before an error counts: it arrived in the same read. */
function readParts(
  reader: PartReader,
  parts: readonly LanguageModelV3StreamPart[],
): { events: ModelEvent[]; error?: unknown } {
  const events: ModelEvent[] = [];
  try {
    for (const part of parts) reader.read(part, events);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

const MAX_BATCH = 256;

/** Collects all parts of one tick: separate parts would each cost a commit downstream. */
async function* gathered<Part>(stream: ReadableStream<Part>): AsyncGenerator<Part[]> {
  const reader = stream.getReader();
  try {
    let next = reader.read();
    for (;;) {
      const first = await next;
      if (first.done) return;
      const parts = [first.value];
      next = reader.read();
      const turnEnd = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
      // The libraries emit a whole burst in one tick: without the limit the first text would wait for the last.
      while (parts.length < MAX_BATCH) {
        const more = await Promise.race([next, turnEnd]);
        if (!more || more.done) break;
        parts.push(more.value);
        next = reader.read();
      }
      yield parts;
    }
  } finally {
    // Leaving early must close the socket; after the end this has no effect.
    await reader.cancel().catch(() => {}); // The stream's own failure was already thrown.
  }
}

interface PartReader {
  read(part: LanguageModelV3StreamPart, events: ModelEvent[]): void;
  isOver(): boolean;
  /** Of an answer that is not over. */
  partialUsage(): ModelUsage | undefined;
}

function createPartReader(sdk: SdkStream): PartReader {
  const values = createValues(sdk);
  const calls = createCallReader(sdk, values);
  let isOver = false;
  let counted: ReturnType<ReadUsage>;
  /** A library may end a text only after the calls that follow it. */
  let openText: string | undefined;
  const endText = (events: ModelEvent[]): void => {
    if (openText !== undefined) events.push({ type: 'text-end', ...values.take(openText) });
    openText = undefined;
  };
  return {
    isOver: () => isOver,
    partialUsage: () => (counted && !isOver ? toUsage(counted, sdk.isHourCache === true) : undefined),
    read(part, events) {
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
          openText = part.id;
          values.note(part.id, part.providerMetadata);
          if (part.type === 'text-delta' && part.delta) events.push({ type: 'text', delta: part.delta });
          return;
        case 'text-end':
          values.note(part.id, part.providerMetadata);
          if (openText === part.id) endText(events);
          return;
        case 'reasoning-start':
          endText(events);
          return values.note(part.id, part.providerMetadata);
        case 'reasoning-delta':
          values.note(part.id, part.providerMetadata);
          if (part.delta) events.push({ type: 'reasoning', delta: part.delta });
          return;
        case 'reasoning-end':
          values.note(part.id, part.providerMetadata);
          events.push({ type: 'reasoning-end', ...values.take(part.id) });
          return;
        case 'tool-input-start':
        case 'tool-input-delta':
        case 'tool-input-end':
        case 'tool-call':
          endText(events);
          return calls.read(part, events);
        case 'error':
          throw sdk.exchange.reported(part.error);
        case 'finish': {
          const { unified, raw } = part.finishReason;
          // The libraries end a stream that was cut off as if it were complete.
          const isMalformed = raw === 'MALFORMED_FUNCTION_CALL' || raw === 'UNEXPECTED_TOOL_CALL';
          if ((unified === 'error' && !isMalformed) || (unified === 'other' && raw === undefined))
            throw new WireFailure(interrupted());
          isOver = true;
          const usage = toUsage(part.usage, sdk.isHourCache === true);
          if (usage) events.push({ type: 'usage', usage });
          events.push({ type: 'finish', reason: reasonOf(unified, raw) });
          return;
        }
        case 'stream-start':
        case 'response-metadata':
        case 'source':
        case 'file':
        case 'tool-result':
        case 'tool-approval-request':
          return;
        case 'raw':
          counted = sdk.usageIn(part.rawValue, counted) ?? counted;
          return;
      }
    },
  };
}

/** Anthropic pauses long turns; Gemini drops calls that it cannot read. */
function reasonOf(
  unified: Exclude<FinishReason, 'pause' | 'malformed-call'> | 'error',
  raw: string | undefined,
): FinishReason {
  if (raw === 'pause_turn') return 'pause';
  return unified === 'error' ? 'malformed-call' : unified;
}

type Metadata = Record<string, Record<string, unknown>> | undefined;
type CallPart = Extract<
  LanguageModelV3StreamPart,
  { type: 'tool-input-start' | 'tool-input-delta' | 'tool-input-end' | 'tool-call' }
>;

/** The vendor's own values of each part, which come with any of its events. */
interface Values {
  note(id: string, metadata: Metadata): void;
  take(id: string): { vendor?: VendorValue };
}

function createValues({ call, vendorName }: SdkStream): Values {
  const known = new Map<string, Record<string, unknown>>();
  return {
    note(id, metadata) {
      const given = metadata?.[vendorName];
      if (given) known.set(id, { ...known.get(id), ...given });
    },
    take(id) {
      const vendor = vendorValue(call, known.get(id) ?? {});
      known.delete(id);
      return vendor ? { vendor } : {};
    },
  };
}

/**
 * A library sends a call as it streams and once more whole; some send it only whole. An id that is reused for another
 * call gets a new one.
 */
function createCallReader(
  { call: { ambient } }: SdkStream,
  values: Values,
): { read(part: CallPart, events: ModelEvent[]): void } {
  /** The library's id → ours, and whether the whole call that repeats the streamed one is still expected. */
  const open = new Map<string, { id: string; isRepeatDue: boolean }>();
  let count = 0;
  const start = (given: string, name: string, events: ModelEvent[]) => {
    if (count >= MAX_TOOL_CALLS) throw new WireFailure(interrupted('The answer asks for more than 1,000 tool calls.'));
    count += 1;
    const call = { id: given && !open.has(given) ? given : `call_${ambient.newId()}`, isRepeatDue: true };
    open.set(given, call);
    events.push({ type: 'tool-start', id: call.id, name });
    return call;
  };
  return {
    read(part, events) {
      const given = part.type === 'tool-call' ? part.toolCallId : part.id;
      values.note(given, part.providerMetadata);
      if (part.type === 'tool-input-start') {
        start(given, part.toolName, events);
        return;
      }
      const known = open.get(given);
      if (part.type === 'tool-input-delta') {
        if (part.delta && known) events.push({ type: 'tool-arguments', id: known.id, delta: part.delta });
        return;
      }
      // The whole call follows, with all of the vendor's values.
      if (part.type === 'tool-input-end') return;
      const isRepeat = known?.isRepeatDue === true;
      const call = isRepeat ? known : start(given, part.toolName, events);
      call.isRepeatDue = false;
      if (!isRepeat) events.push({ type: 'tool-arguments', id: call.id, delta: part.input });
      events.push({ type: 'tool-end', id: call.id, ...values.take(given) });
    },
  };
}

function toUsage(
  { inputTokens, outputTokens }: Pick<LanguageModelV3Usage, 'inputTokens' | 'outputTokens'>,
  isHourCache: boolean,
): ModelUsage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return {
    promptTokens: inputTokens.total ?? 0,
    completionTokens: outputTokens.total ?? 0,
    cachedTokens: inputTokens.cacheRead ?? null,
    ...(inputTokens.cacheWrite && { cacheWriteTokens: inputTokens.cacheWrite }),
    ...(inputTokens.cacheWrite && isHourCache && { isHourCache }),
  };
}
