import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { FinishReason, ModelEvent, ModelUsage } from '@fucina/shared';
import { interrupted, WireFailure } from './failure.ts';
import type { SdkFetch } from './sdk-fetch.ts';
import { MAX_TOOL_CALLS } from './wire.ts';

interface SdkModel {
  doStream(options: LanguageModelV3CallOptions): PromiseLike<{ stream: ReadableStream<LanguageModelV3StreamPart> }>;
}

export interface SdkStream {
  model: SdkModel;
  options: LanguageModelV3CallOptions;
  exchange: SdkFetch;
  provider: string;
  /** The opaque text to keep from the metadata of reasoning parts, or undefined. */
  proofOf(metadata: Record<string, unknown>): string | undefined;
  /** Under which name the library files its metadata. */
  metadataName: string;
}

/** The events of a vendor's library in our words. Whatever it throws becomes a WireFailure. */
export async function* sdkStream(sdk: SdkStream): AsyncGenerator<ModelEvent[]> {
  const reader = createPartReader(sdk);
  try {
    const { stream } = await sdk.model.doStream(sdk.options);
    for await (const parts of gathered(stream)) {
      const events: ModelEvent[] = [];
      for (const part of parts) reader.read(part, events);
      if (events.length > 0) yield events;
    }
    if (!reader.isOver()) throw new WireFailure(interrupted());
  } catch (error) {
    if (error instanceof WireFailure) throw sdk.exchange.failure() ?? error;
    throw sdk.exchange.failure() ?? new WireFailure(interrupted('The answer cannot be read.'));
  }
}

const MAX_BATCH = 256;

/** All parts made in one turn of the event loop at once: a part alone would cost a commit of its own downstream. */
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
      // The libraries hand on a whole burst within one turn: without the limit the first word would wait for the last.
      while (parts.length < MAX_BATCH) {
        const more = await Promise.race([next, turnEnd]);
        if (!more || more.done) break;
        parts.push(more.value);
        next = reader.read();
      }
      yield parts;
    }
  } finally {
    // Leaving early must close the socket; after the end this does nothing.
    await reader.cancel().catch(() => {}); // The stream's own failure has been thrown already.
  }
}

interface PartReader {
  read(part: LanguageModelV3StreamPart, events: ModelEvent[]): void;
  isOver(): boolean;
}

function createPartReader(sdk: SdkStream): PartReader {
  const proofs = new Map<string, string>();
  const started = new Set<string>();
  let isOver = false;
  const note = (id: string, metadata: Record<string, Record<string, unknown>> | undefined): void => {
    const proof = sdk.proofOf(metadata?.[sdk.metadataName] ?? {});
    if (proof !== undefined) proofs.set(id, proof);
  };
  const start = (id: string, name: string, events: ModelEvent[]): void => {
    if (started.size >= MAX_TOOL_CALLS)
      throw new WireFailure(interrupted('The answer asks for more than 1,000 tool calls.'));
    started.add(id);
    events.push({ type: 'tool-start', id, name });
  };
  return {
    isOver: () => isOver,
    read(part, events) {
      switch (part.type) {
        case 'text-delta':
          if (part.delta) events.push({ type: 'text', delta: part.delta });
          return;
        case 'reasoning-start':
          return note(part.id, part.providerMetadata);
        case 'reasoning-delta':
          note(part.id, part.providerMetadata);
          if (part.delta) events.push({ type: 'reasoning', delta: part.delta });
          return;
        case 'reasoning-end': {
          note(part.id, part.providerMetadata);
          const data = proofs.get(part.id);
          events.push({
            type: 'reasoning-end',
            ...(data !== undefined && { proof: { provider: sdk.provider, data } }),
          });
          return;
        }
        case 'tool-input-start':
          return start(part.id, part.toolName, events);
        case 'tool-input-delta':
          if (part.delta) events.push({ type: 'tool-arguments', id: part.id, delta: part.delta });
          return;
        case 'tool-input-end':
          events.push({ type: 'tool-end', id: part.id });
          return;
        case 'tool-call':
          if (started.has(part.toolCallId)) return;
          start(part.toolCallId, part.toolName, events);
          events.push({ type: 'tool-arguments', id: part.toolCallId, delta: part.input });
          events.push({ type: 'tool-end', id: part.toolCallId });
          return;
        case 'error':
          throw part.error instanceof WireFailure ? part.error : new WireFailure(interrupted());
        case 'finish': {
          const { unified, raw } = part.finishReason;
          // The libraries end a stream that broke off as if it had ended.
          if (unified === 'error' || (unified === 'other' && raw === undefined)) throw new WireFailure(interrupted());
          isOver = true;
          const usage = toUsage(part.usage);
          if (usage) events.push({ type: 'usage', usage });
          events.push({ type: 'finish', reason: unified satisfies FinishReason });
          return;
        }
        case 'stream-start':
        case 'response-metadata':
        case 'text-start':
        case 'text-end':
        case 'source':
        case 'file':
        case 'tool-result':
        case 'tool-approval-request':
        case 'raw':
          return;
      }
    },
  };
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return {
    promptTokens: inputTokens.total ?? 0,
    completionTokens: outputTokens.total ?? 0,
    cachedTokens: inputTokens.cacheRead ?? null,
  };
}
