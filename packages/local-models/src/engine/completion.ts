import type { ServerResponse } from 'node:http';
import type { Ambient } from '@fucina/shared';
import type { ChatModel, Finished, PreparedChat } from './chat-model.ts';

export interface Answering {
  ambient: Ambient;
  model: ChatModel;
  prepared: PreparedChat;
  response: ServerResponse;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** Evaluating a long prompt takes minutes on a CPU; without keep-alives the client would time out. */
const SIGN_OF_LIFE_MS = 10_000;

/** Server-sent chunks, each written as soon as it is generated. */
export async function answerAsStream({ ambient, model, prepared, response, signal }: Answering): Promise<void> {
  const { request } = prepared;
  const base = identity(ambient, request.model, 'chat.completion.chunk');
  const chunk = (delta: object, more: object = {}): void => {
    const choices = [{ index: 0, delta, finish_reason: null, ...more }];
    response.write(`data: ${JSON.stringify({ ...base, choices })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  const stopSigns = giveSigns(ambient, response);
  try {
    const finished = await model.generate(prepared, {
      signal,
      onText: (content) => chunk({ content }),
      onThought: (reasoning_content) => chunk({ reasoning_content }),
      onCall: ({ index, id, name, arguments: given }) =>
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: given } }] }),
    });
    chunk({}, { finish_reason: finished.reason });
    const usage = JSON.stringify({ ...base, choices: [], usage: usageOf(finished) });
    response.end(`data: ${usage}\n\ndata: [DONE]\n\n`);
  } catch (error) {
    if (signal.aborted) return;
    const failed = { error: { message: 'The engine failed.', type: 'engine', code: 'engine' } };
    response.end(`data: ${JSON.stringify(failed)}\n\n`);
    throw error;
  } finally {
    stopSigns();
  }
}

export async function answerAtOnce({ ambient, model, prepared, response, signal }: Answering): Promise<void> {
  let content = '';
  let thought = '';
  const calls: object[] = [];
  const finished = await model.generate(prepared, {
    signal,
    onText: (delta) => (content += delta),
    onThought: (delta) => (thought += delta),
    onCall: ({ id, name, arguments: given }) =>
      calls.push({ id, type: 'function', function: { name, arguments: given } }),
  });
  const message = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(thought && { reasoning_content: thought }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  const choices = [{ index: 0, message, finish_reason: finished.reason }];
  response.end(
    JSON.stringify({
      ...identity(ambient, prepared.request.model, 'chat.completion'),
      choices,
      usage: usageOf(finished),
    }),
  );
}

function giveSigns(ambient: Ambient, response: ServerResponse): () => void {
  let stop: () => void = () => undefined;
  const next = (): void => {
    stop = ambient.timer(SIGN_OF_LIFE_MS, () => {
      response.write(': working\n\n');
      next();
    });
  };
  next();
  return () => stop();
}

function identity(ambient: Ambient, model: string, object: string): object {
  return { id: `chatcmpl-${ambient.newId()}`, object, created: Math.floor(ambient.now() / 1000), model };
}

function usageOf({ promptTokens, completionTokens, cachedTokens }: Finished): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}
