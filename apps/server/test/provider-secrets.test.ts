import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createModelServer, type Fault, sampleProject, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { type ChildServer, startChild } from './child-server.ts';
import { readStream } from './harness.ts';

const CANARY = 'sk-canary/4f1c+9d2e=77aa.Zq';
const MODELS = ['deepseek:m', 'openai:gpt-5.6', 'minimax-anthropic:m'];
/** The provider echoes the key wherever it can; none of these responses is retried, so the test is quick. */
const FAULTS: (Fault | undefined)[] = [
  undefined,
  ...[400, 401, 402, 403, 404].map((status): Fault => ({ kind: 'status', status, message: `bad key ${CANARY}` })),
  { kind: 'html' },
  { kind: 'cut' },
  { kind: 'broken-json' },
  { kind: 'redirect', location: `http://127.0.0.2:9/?key=${encodeURIComponent(CANARY)}` },
];

/** Plain, escaped, and as base64 at each of the three alignments. */
const SPELLINGS = [
  CANARY,
  encodeURIComponent(CANARY),
  Buffer.from(CANARY).toString('hex'),
  ...['', 'x', 'xx'].flatMap((before) => {
    const text = Buffer.from(before + CANARY).toString('base64');
    const inner = text.slice(before ? 4 : 0, -4);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  }),
];

test('a key appears in no response, stream, export, log or file, even after kill -9', async () => {
  await using dir = await tempDir();
  await using project = await sampleProject();
  let fault: Fault | undefined;
  await using model = await createModelServer({ script: () => ({ text: ['a', 'b'], ...(fault && { fault }) }) });
  await using child = await startChild({ dataDir: dir.path, env: { FUCINA_MODEL_TRIES: '1' } });
  const seen: string[] = [];
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const reply = await child.call(method, path, { body });
    seen.push(reply.text, JSON.stringify([...reply.headers]));
    return reply.data;
  };

  for (const provider of MODELS.map((id) => id.split(':')[0])) {
    await call('POST', `/providers/${provider}/runtime`, { endpoint: `${model.url}/v1` });
    await call('POST', `/providers/${provider}/key`, { key: CANARY });
    await call('POST', `/providers/${provider}/keys`, { key: `${CANARY}\n${CANARY}` });
    await call('POST', `/providers/${provider}/keys/remove`, { impronta: CANARY });
    const intestazioni = [{ nome: 'x-canary', valore: `Bearer ${CANARY}` }];
    await call('POST', `/ext/providers/${provider}/connection`, { intestazioni });
    await call('GET', `/ext/providers/${provider}/connection`);
    await call('POST', `/providers/${provider}/test`);
    await call('GET', `/providers/${provider}/models`);
  }
  let turns = 0;
  for (fault of FAULTS) {
    for (const modello of MODELS) {
      const body = { cartellaLibera: project.path, consegna: 'x', modello };
      const { sessionId } = await call('POST', '/sessions/custom', body);
      const stream = await readStream(child, sessionId, { isDone: ({ type }) => /^Run(Finished|Error)$/.test(type) });
      seen.push(JSON.stringify(stream));
      await call('GET', `/sessions/${sessionId}/export`);
      await call('GET', `/sessions/${sessionId}/metrics`);
      turns += 1;
    }
  }
  for (const path of ['/providers', '/sessions', '/models?forza=1', '/setup/stato', '/doctor', '/projects']) {
    await call('GET', path);
  }
  await followReferences(child, seen, call);
  const { signal } = await child.kill('SIGKILL');
  expect(signal).toBe('SIGKILL');

  const files = await everyFile(dir.path);
  expect(files.names).toEqual(expect.arrayContaining(['providers.db', 'sessions.db', 'sessions.db-wal']));
  expect(child.stderr()).toContain('model.call-failed');
  const text = [...seen, child.stderr(), files.text].join('\n');
  for (const spelling of SPELLINGS) expect(text.includes(spelling)).toBe(false);
  const sent = model.requests;
  expect(sent).toHaveLength(turns);
  expect(sent.every(({ headers }) => headers['x-canary'] === `Bearer ${CANARY}`)).toBe(true);
  expect(sent.every(({ headers }) => JSON.stringify(headers).split(CANARY).length === 3)).toBe(true);
});

/** The details behind all errors so far. */
async function followReferences(
  child: ChildServer,
  seen: readonly string[],
  call: (method: string, path: string) => Promise<unknown>,
): Promise<void> {
  const references = new Set(seen.flatMap((text) => text.match(/doctor-[0-9a-f]{12}/g) ?? []));
  expect(references.size).toBeGreaterThan(0);
  for (const reference of references) await call('GET', `/doctor/${reference}`);
  expect((await child.call('GET', '/health')).ok).toBe(true);
}

async function everyFile(folder: string): Promise<{ names: string[]; text: string }> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(entries.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')));
  return { names: entries.map(({ name }) => name), text: texts.join('\n') };
}
