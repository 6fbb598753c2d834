import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await testServer();
  id = await server.startSession();
  await server.settled(id);
});
afterAll(async () => server[Symbol.asyncDispose]());

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const at = (name: string) => join(server.project.path, name);
const save = (body: object, session = id) => server.call('POST', `/ext/sessions/${session}/files`, { body });

covers('ext.files.write', 'saves a text that did not change since it was read', async () => {
  await writeFile(at('note.txt'), 'old\n');
  const reply = await save({ percorso: 'note.txt', contenuto: 'new\n', impronta: hashOf('old\n') });
  expect(reply).toMatchObject({ status: 200, data: { impronta: hashOf('new\n'), dimensione: 4 } });
  expect(await readFile(at('note.txt'), 'utf8')).toBe('new\n');
});

refuses('ext.files.write', 'FILE_EXISTS', 'when the file changed since it was read', async () => {
  await writeFile(at('changed.txt'), 'theirs');
  const reply = await save({ percorso: 'changed.txt', contenuto: 'mine', impronta: hashOf('older') });
  expect(reply).toMatchObject({ status: 409, code: 'FILE_EXISTS', reason: 'changed' });
  expect(await save({ percorso: 'changed.txt', contenuto: 'mine', impronta: null })).toMatchObject({
    code: 'FILE_EXISTS',
  });
  expect(await readFile(at('changed.txt'), 'utf8')).toBe('theirs');
});

refuses('ext.files.write', 'FILE_NOT_FOUND', 'for a file that is gone', async () => {
  const reply = await save({ percorso: 'gone.txt', contenuto: 'x', impronta: hashOf('x') });
  expect(reply).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
});

refuses('ext.files.write', 'FILE_TOO_LARGE', 'above 2 MiB', async () => {
  const contenuto = 'x'.repeat(2 * 1024 * 1024 + 1);
  const reply = await save({ percorso: 'large.txt', contenuto, impronta: null });
  expect(reply).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' });
});

refuses('ext.files.write', 'QUERY_INVALID', 'for a path outside, a broken hash and broken text', async () => {
  for (const body of [
    { percorso: '../x', contenuto: 'x', impronta: null },
    { percorso: 'x', contenuto: 'x', impronta: 'abc' },
    { percorso: 'x', contenuto: '\ud800', impronta: null },
    { percorso: 'x', contenuto: 'x' },
  ]) {
    expect(await save(body)).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  }
});

refuses('ext.files.write', 'NOT_FOUND', 'for an unknown session', async () => {
  const reply = await save({ percorso: 'x', contenuto: 'x', impronta: null }, 'unknown');
  expect(reply).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
