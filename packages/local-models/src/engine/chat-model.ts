import type { Ambient } from '@fucina/shared';
import type { ChatHistoryItem, ChatModelFunctions, LlamaChat, LlamaContextSequence, LlamaModel } from 'node-llama-cpp';
import { loadLibrary } from '../library/engine-library.ts';
import { chatFunctions, chatHistory, createRawCalls, type RawCalls } from './chat-history.ts';
import { type ChatRequest, RequestError } from './chat-request.ts';
import type { EngineConfig, EngineProps } from './engine-config.ts';
import { withoutNulls } from './grammar-schema.ts';

/** A loaded model. One answer at a time; other requests are queued. */
export interface ChatModel {
  props: EngineProps;
  /** Checks the request against the context size. Throws RequestError. */
  prepare(request: ChatRequest): PreparedChat;
  generate(chat: PreparedChat, watch: Watch): Promise<Finished>;
}

export interface PreparedChat {
  request: ChatRequest;
  history: ChatHistoryItem[];
  functions: ChatModelFunctions | undefined;
}

export interface Watch {
  onText(delta: string): void;
  onThought(delta: string): void;
  onCall(call: { index: number; id: string; name: string; arguments: string }): void;
  signal: AbortSignal;
}

export interface Finished {
  reason: 'stop' | 'length' | 'tool_calls';
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
}

/** Minimum tokens reserved for the answer, whatever was requested. */
const LEAST_ANSWER = 64;
/** Tokens that the library reserves. */
const SPARE = 32;
const SMALL_MODEL_BYTES = 64 * 1024 * 1024;
/** Defaults, as in other engines. */
const SAMPLING = { temperature: 0.7, topP: 0.95, topK: 40, minP: 0.05 };

class ContextFull extends Error {}

/** Loads the file; `onProgress` goes from 0 to 1. */
export async function openModel(
  ambient: Ambient,
  config: EngineConfig,
  onProgress: (share: number) => void,
): Promise<ChatModel> {
  const { library: url } = config;
  if (url === null) throw new Error('no library');
  const library = await loadLibrary(url);
  const llama = await library.getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    logLevel: library.LlamaLogLevel.error,
    logger: () => undefined,
    progressLogs: false,
    maxThreads: 0,
  });
  const model = await llama.loadModel({ modelPath: config.modelPath, gpuLayers: 0, onLoadProgress: onProgress });
  // For a small model, synchronizing more threads costs more than it gains.
  const threads = config.threads ?? (model.size < SMALL_MODEL_BYTES ? 1 : llama.cpuMathCores);
  const context = await model.createContext({
    contextSize: config.contextTokens,
    batchSize: Math.min(512, config.contextTokens),
    flashAttention: true,
    threads,
  });
  const sequence = context.getSequence();
  const chat = new library.LlamaChat({ contextSequence: sequence });
  const props = {
    build_info: `llama.cpp ${llama.llamaCppRelease.release}`,
    default_generation_settings: { n_ctx: context.contextSize },
  };
  return chatModel({ ambient, props, model, sequence, chat });
}

interface Parts {
  ambient: Ambient;
  props: EngineProps;
  model: LlamaModel;
  sequence: LlamaContextSequence;
  chat: LlamaChat;
}

function chatModel({ ambient, props, model, sequence, chat }: Parts): ChatModel {
  const raw = createRawCalls();
  const room = sequence.contextSize - SPARE;
  const promptTokens = ({ history, functions }: PreparedChat): number => {
    const asked: ChatHistoryItem[] =
      history.at(-1)?.type === 'model' ? history : [...history, { type: 'model', response: [] }];
    const { contextText } = chat.chatWrapper.generateContextState({
      chatHistory: asked,
      availableFunctions: functions,
      documentFunctionParams: true,
    });
    return contextText.tokenize(model.tokenizer).length;
  };
  let turn: Promise<unknown> = Promise.resolve();

  return {
    props,
    prepare(request) {
      const prepared = { request, history: chatHistory(request, raw), functions: chatFunctions(request) };
      // A token is at least one byte: a request this short fits, and need not be tokenized twice.
      const isSurelyShort = Buffer.byteLength(JSON.stringify([request.messages, request.tools])) < room / 2;
      if (!isSurelyShort && promptTokens(prepared) > room - LEAST_ANSWER) throw tooLong(sequence.contextSize);
      return prepared;
    },
    generate(prepared, watch) {
      const next = turn.then(() => answer({ ambient, chat, sequence, raw, room }, prepared, watch));
      turn = next.catch(() => undefined);
      return next;
    },
  };
}

function tooLong(contextTokens: number): RequestError {
  return new RequestError(
    400,
    'context_length_exceeded',
    `The conversation is longer than the context of ${contextTokens} tokens.`,
  );
}

interface Answering {
  ambient: Ambient;
  chat: Parts['chat'];
  sequence: LlamaContextSequence;
  raw: RawCalls;
  room: number;
}

async function answer(
  { ambient, chat, sequence, raw, room }: Answering,
  { request, history, functions }: PreparedChat,
  watch: Watch,
): Promise<Finished> {
  watch.signal.throwIfAborted();
  const meter = sequence.tokenMeter.getState();
  let calls = 0;
  const finished = (reason: Finished['reason']): Finished => {
    const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(meter);
    const all = Math.max(sequence.nextTokenIndex - usedOutputTokens, usedInputTokens);
    return { reason, promptTokens: all, cachedTokens: all - usedInputTokens, completionTokens: usedOutputTokens };
  };
  const limit = request.max_tokens ?? request.max_completion_tokens ?? room;
  try {
    const { metadata } = await chat.generateResponse(history, {
      ...sampling(request),
      ...(functions && {
        functions,
        documentFunctionParams: true,
        onFunctionCall(call) {
          const id = `call_${ambient.newId()}`;
          raw.add(id, call.raw);
          const schema = request.tools?.find(({ function: { name } }) => name === call.functionName)?.function
            .parameters;
          const given = JSON.stringify(withoutNulls(call.params ?? {}, schema ?? {}));
          watch.onCall({ index: calls++, id, name: call.functionName, arguments: given });
        },
      }),
      maxTokens: Math.min(limit, room),
      repeatPenalty: false,
      signal: watch.signal,
      stopOnAbortSignal: false,
      contextShift: { size: SPARE, strategy: refuseToForget },
      onResponseChunk({ type, segmentType, text }) {
        if (text === '') return;
        if (type === undefined) watch.onText(text);
        else if (segmentType === 'thought') watch.onThought(text);
      },
    });
    if (calls > 0) return finished('tool_calls');
    return finished(metadata.stopReason === 'maxTokens' ? 'length' : 'stop');
  } catch (error) {
    if (error instanceof ContextFull) return finished('length');
    throw error;
  }
}

function sampling({ temperature, top_p, seed }: ChatRequest) {
  return {
    ...SAMPLING,
    ...(temperature != null && { temperature }),
    ...(top_p != null && { topP: top_p }),
    ...(seed != null && { seed }),
  };
}

/** The library would silently drop the oldest messages; the client is responsible for compaction. */
function refuseToForget(): never {
  throw new ContextFull('context full');
}
