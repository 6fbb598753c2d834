import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ProgramFault = 'none' | 'status' | 'json' | 'shape' | 'cut' | 'missing' | 'deaf-to-loading';

/** An external program that runs models, with its HTTP interface; failures can be selected at any time. */
export interface ModelProgram extends AsyncDisposable {
  url: string;
  /** Failures of the following requests. */
  fault: ProgramFault;
  held: Set<string>;
  /** `METHOD /path {body}` of each request. */
  asked: string[];
}

interface Call {
  path: string;
  body: Record<string, unknown>;
  program: ModelProgram;
}

type Speak = (call: Call) => { status?: number; body: unknown } | undefined;

const MODELS = ['small', 'large'];

const ollama: Speak = ({ path, body, program }) => {
  const row = (name: string) => ({ name, model: name, size: 1_000, details: { quantization_level: 'Q4_K_M' } });
  if (path === '/api/tags') return { body: { models: MODELS.map(row) } };
  if (path === '/api/ps')
    return {
      body: { models: [...program.held].map((name) => ({ ...row(name), context_length: 4_096, size_vram: 0 })) },
    };
  if (path !== '/api/generate') return undefined;
  const model = String(body['model']);
  if (!MODELS.includes(model)) return { status: 404, body: { error: `model '${model}' not found` } };
  const isLoad = body['keep_alive'] !== 0;
  keep(program, model, isLoad);
  return { body: { model, response: '', done: true, done_reason: isLoad ? 'load' : 'unload' } };
};

const lmstudio: Speak = ({ path, body, program }) => {
  const instances = (key: string) =>
    program.held.has(key) ? [{ id: `${key}:1`, config: { context_length: 2_048 } }] : [];
  const row = (key: string) => ({
    type: 'llm',
    key,
    display_name: key,
    size_bytes: 1_000,
    loaded_instances: instances(key),
  });
  if (path === '/api/v1/models')
    return { body: { models: [...MODELS.map(row), { ...row('vectors'), type: 'embedding' }] } };
  if (path === '/api/v1/models/load') {
    const model = String(body['model']);
    if (!MODELS.includes(model))
      return { status: 404, body: { error: { type: 'model_not_found', message: 'Model not found' } } };
    keep(program, model, true);
    return { body: { type: 'llm', instance_id: `${model}:1`, status: 'loaded', load_time_seconds: 1 } };
  }
  if (path !== '/api/v1/models/unload') return undefined;
  keep(program, String(body['instance_id']).split(':')[0] ?? '', false);
  return { body: { instance_id: body['instance_id'] } };
};

function keep(program: ModelProgram, model: string, isLoad: boolean): void {
  if (program.fault === 'deaf-to-loading') return;
  if (isLoad) program.held.add(model);
  else program.held.delete(model);
}

export async function modelProgram(kind: 'ollama' | 'lmstudio'): Promise<ModelProgram> {
  const speak = kind === 'ollama' ? ollama : lmstudio;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const program: ModelProgram = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: 'none',
    held: new Set(),
    asked: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const path = request.url ?? '';
    program.asked.push(`${request.method} ${path} ${text}`.trim());
    const isChange = request.method === 'POST';
    const send = (status: number, body: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    };
    if (program.fault === 'status') return send(500, '{"error":"out of memory"}');
    if (program.fault === 'json') return send(200, '<html>');
    if (program.fault === 'shape') return send(200, '{"models":[{"rows":1}]}');
    if (program.fault === 'cut') return void response.destroy();
    if (program.fault === 'missing' && isChange) return send(404, 'Unexpected endpoint or method.');
    const said = speak({ path, body: text ? JSON.parse(text) : {}, program });
    send(said?.status ?? (said ? 200 : 404), JSON.stringify(said?.body ?? { error: 'not found' }));
  };
  return program;
}
