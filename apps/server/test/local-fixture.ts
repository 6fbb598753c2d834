import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sqliteDriver } from '@fucina/shared/testing';
import { type TinyModelOptions, tinyModel } from '@fucina/testkit';
import { type TestServer, type TestServerOptions, TOKEN, testServer } from './harness.ts';

/** Simulates the user's llama-server; the id of a model selects a failure. */
const PROGRAM = fileURLToPath(
  new URL('../../../packages/local-models/test/fixtures/llama-server.mjs', import.meta.url),
);
if (!existsSync(PROGRAM)) throw new Error('the stand-in for llama-server is gone');

/** A server with a simulated engine: quick to start, with selectable failures. */
export function serverWithProgram(program = PROGRAM, options: TestServerOptions = {}): Promise<TestServer> {
  const environment = { ...process.env, FUCINA_LLAMA_SERVER: program };
  return testServer({ ...options, settings: { environment, ...options.settings } });
}

/** Imports a model as a client does; returns its record. */
export async function importModel(
  server: TestServer,
  id: string,
  made: TinyModelOptions | Buffer<ArrayBuffer> = {},
): Promise<any> {
  const body = Buffer.isBuffer(made) ? made : Buffer.from(tinyModel(made));
  const response = await fetch(`${server.url}api/v1/local-models/import`, {
    method: 'POST',
    headers: {
      cookie: `svc_token=${TOKEN}`,
      'content-type': 'application/octet-stream',
      'x-svc-model-id': id,
      'x-svc-model-filename': 'model.gguf',
      'x-svc-model-bytes': String(body.length),
    },
    body,
  });
  const { data, error } = (await response.json()) as any;
  if (!response.ok) throw new Error(error.code);
  return data;
}

/** The state left by an unfinished download. */
export function makeIncomplete(server: TestServer, id: string): void {
  const db = new (sqliteDriver())(`${server.dataDir}/local-models.db`);
  db.prepare("UPDATE models SET record = json_set(record, '$.state', 'incomplete') WHERE id = ?").run(id);
  db.close();
}
