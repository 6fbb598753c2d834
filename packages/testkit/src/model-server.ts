import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAboutLoaded, type LoadedEngine, loadedAnswer } from './loaded-engine.ts';
import { modelList } from './model-list.ts';
import type { Reply } from './reply.ts';
import { lastMessage, type ModelServerRequest } from './request.ts';
import { send } from './send.ts';
import { anthropic } from './wires/anthropic.ts';
import { gemini } from './wires/gemini.ts';
import { openaiChat } from './wires/openai-chat.ts';
import { openaiResponses } from './wires/openai-responses.ts';
import type { Wire } from './wires/wire.ts';

/** Replies in the order of the requests, or a function of each request. */
export type Script = readonly Reply[] | ((request: ModelServerRequest) => Reply | Promise<Reply>);

export interface ModelServerOptions {
  /** Without one every request is answered with the text `ok`. */
  script?: Script;
  /** Names in every model list; default `scripted-1` and `scripted-2`. */
  models?: readonly string[];
  /** Of each model in lists of the common form, as `context_length`; default: none. */
  modelFacts?: Record<string, unknown>;
  /** If given, a request without one of these keys gets 401. */
  keys?: readonly string[];
  /** Replaces the default answer for model lists. */
  modelsReply?: Reply;
  /** Answers as this local engine does, about the size with which it loaded its models. */
  engine?: LoadedEngine;
}

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`; every wire is served under any prefix, including `/v1`. */
  readonly url: string;
  /** All requests so far but those for facts about models, oldest first. */
  readonly requests: readonly ModelServerRequest[];
  /** Requests for lists of models, and for the size of a loaded one: programs send them when they like. */
  readonly lists: readonly ModelServerRequest[];
  /** Replaces the rest of the script. An exhausted list answers 400 with a message that says so. */
  script(script: Script): void;
  /** The next request of either kind that arrives. */
  nextRequest(): Promise<ModelServerRequest>;
  /** Open connections. */
  connections(): number;
  close(): Promise<void>;
}

const MAX_BODY = 67_108_864;
/** In a busy process a shorter keep-alive would close a connection at the moment of its reuse. */
const RETENTION_MS = 600_000;

export async function createModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state: ServerState = {
    options,
    requests: [],
    lists: [],
    waiting: [],
    closing: new AbortController(),
    next: player(options.script ?? (() => ({ text: 'ok' }))),
  };
  let sockets = 0;
  const server = createServer(
    { keepAlive: true, noDelay: true, keepAliveTimeout: RETENTION_MS },
    (incoming, response) => {
      handle(state, incoming, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else answerJson(response, 500, { error: { message: `The scripted server failed: ${String(error)}` } });
      });
    },
  );
  server.on('connection', (socket) => {
    sockets += 1;
    socket.once('close', () => {
      sockets -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    state.closing.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    lists: state.lists,
    script(script) {
      state.next = player(script);
    },
    nextRequest: () => new Promise((resolve) => state.waiting.push(resolve)),
    connections: () => sockets,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface ServerState {
  options: ModelServerOptions;
  requests: ModelServerRequest[];
  lists: ModelServerRequest[];
  waiting: ((request: ModelServerRequest) => void)[];
  closing: AbortController;
  next(request: ModelServerRequest): Reply | Promise<Reply>;
}

async function handle(state: ServerState, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, requests } = state;
  const over = endOf(response);
  const request = await readRequest(incoming, over.ended);
  const isList = request.wire === 'models';
  (isList ? state.lists : requests).push(request);
  for (const wake of state.waiting.splice(0)) wake(request);
  const wire = WIRES[request.wire];
  if (options.keys && !options.keys.includes(keyOf(request))) {
    const body = (wire ?? openaiChat).error({ status: 401, kind: 'plain', message: 'Invalid API key.' });
    return answerJson(response, 401, body);
  }
  const signal = AbortSignal.any([over.signal, state.closing.signal]);
  const context = { id: `scripted-${requests.length}`, model: request.model, proof: 'scripted-proof' };
  if (request.wire === 'models') {
    const loaded = loadedAnswer(request, options);
    if (loaded) return answerJson(response, loaded.status, loaded.body);
    if (!options.modelsReply) return answerJson(response, 200, modelList(request.path, options));
    return send({ response, reply: options.modelsReply, wire: openaiChat, context, isStream: false, signal });
  }
  if (!wire) return answerJson(response, 404, { error: { message: 'No such path.' } });
  const reply = await state.next(request);
  const isStream = wire === gemini ? request.path.includes('streamGenerateContent') : request.body['stream'] === true;
  const proof = reply.proof ?? context.proof;
  await send({ response, reply, wire, context: { ...context, proof }, isStream, signal });
}

const WIRES: Partial<Record<ModelServerRequest['wire'], Wire>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
};

function wireOf(method: string, path: string): ModelServerRequest['wire'] {
  const [name = ''] = path.split('?');
  if (isAboutLoaded(name)) return 'models';
  if (method === 'GET') return /\/(models|tags)$/.test(name) ? 'models' : 'other';
  if (method !== 'POST') return 'other';
  if (name.endsWith('/chat/completions')) return 'openai-chat';
  if (name.endsWith('/responses')) return 'openai-responses';
  if (name.endsWith('/messages') || name.endsWith(':streamRawPredict')) return 'anthropic';
  return /\/models\/[^/]+:(stream)?generateContent$/i.test(name) ? 'gemini' : 'other';
}

function player(script: Script): (request: ModelServerRequest) => Reply | Promise<Reply> {
  if (typeof script === 'function') return script;
  const left = [...script];
  const total = left.length;
  return () =>
    left.shift() ?? {
      fault: { kind: 'status', status: 400, message: `The script had ${total} replies and all are used.` },
    };
}

async function readRequest(incoming: IncomingMessage, ended: ModelServerRequest['ended']): Promise<ModelServerRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('body too large');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  const path = incoming.url ?? '/';
  const method = incoming.method ?? 'GET';
  const inPath = /\/models\/([^/:]+):/.exec(path)?.[1];
  const model = typeof body['model'] === 'string' ? body['model'] : (inPath ?? '');
  return {
    wire: wireOf(method, path),
    method,
    path,
    headers: incoming.headers,
    body,
    model,
    ...lastMessage(body),
    ended,
  };
}

function keyOf({ headers, path }: ModelServerRequest): string {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'] ?? headers['api-key'] ?? headers['x-goog-api-key'];
  return bearer ?? (typeof header === 'string' ? header : (new URLSearchParams(path.split('?')[1]).get('key') ?? ''));
}

function endOf(response: ServerResponse): { ended: ModelServerRequest['ended']; signal: AbortSignal } {
  const controller = new AbortController();
  const ended = new Promise<'sent' | 'client-left'>((resolve) => {
    response.once('close', () => {
      resolve(response.writableFinished ? 'sent' : 'client-left');
      controller.abort();
    });
  });
  return { ended, signal: controller.signal };
}

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
