import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ambient } from '@fucina/shared';
import type { ChatModel } from './chat-model.ts';
import { RequestError, readChatRequest } from './chat-request.ts';
import { answerAsStream, answerAtOnce } from './completion.ts';

export interface EngineServerNeeds {
  ambient: Ambient;
  key: string;
  modelId: string;
  /** Undefined while it loads. */
  model(): ChatModel | undefined;
  /** Loading progress, from 0 to 1. */
  progress(): number;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The chat-completions interface on a loopback address, for clients with the key. Returns the port. */
export async function listen(needs: EngineServerNeeds): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    void answer(needs, request, response).catch((error: unknown) => refuse(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { server, port };
}

async function answer(needs: EngineServerNeeds, request: IncomingMessage, response: ServerResponse): Promise<void> {
  checkSender(needs, request);
  const route = `${request.method} ${request.url?.split('?', 1)[0]}`;
  const model = needs.model();
  if (route === 'GET /health')
    return json(
      response,
      model ? 200 : 503,
      model ? { status: 'ok' } : { status: 'loading', progress: needs.progress() },
    );
  if (route === 'GET /v1/models') return json(response, 200, modelList(needs));
  if (!model) throw new RequestError(503, 'loading', 'The model is still read into memory.');
  if (route === 'GET /props') return json(response, 200, model.props);
  if (route !== 'POST /v1/chat/completions') throw new RequestError(404, 'not_found', 'There is no such operation.');
  const chat = readChatRequest(await body(request));
  if (chat.model !== needs.modelId) throw new RequestError(404, 'model_not_found', 'Another model is in memory.');
  const prepared = model.prepare(chat);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const context = { ambient: needs.ambient, model, prepared, response, signal: gone.signal };
  await (chat.stream ? answerAsStream(context) : answerAtOnce(context));
}

function modelList({ modelId, model }: EngineServerNeeds): object {
  const contextTokens = model()?.props.default_generation_settings.n_ctx ?? null;
  const row = { id: modelId, object: 'model', created: 0, owned_by: 'local', meta: { n_ctx: contextTokens } };
  return { object: 'list', data: [row] };
}

/**
 * A page in a browser can reach any port of this computer: requests with a foreign Host or without the key are
 * rejected.
 */
function checkSender({ key }: EngineServerNeeds, { headers, socket }: IncomingMessage): void {
  if (headers.host !== `127.0.0.1:${socket.localPort}`) throw new RequestError(403, 'host', 'This Host is not ours.');
  const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(key))) throw new RequestError(401, 'key', 'The key is missing or wrong.');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function body(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RequestError(413, 'too_large', 'The request is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
}

/** Once the response has started, an error can only end it. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const known = error instanceof RequestError ? error : new RequestError(500, 'engine', 'The engine failed.');
  json(response, known.status, { error: { message: known.message, type: known.code, code: known.code } });
}
