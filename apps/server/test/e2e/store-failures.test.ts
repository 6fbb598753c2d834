import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { startChild } from '../child-server.ts';
import { testServer } from '../harness.ts';

/** One write to each store besides the sessions': file, method, path, body, code. */
const WRITES: [string, string, string, unknown, string][] = [
  ['library.db', 'POST', '/me/notes', { titolo: 'a', contenuto: 'b' }, 'SESSION_STORE_WRITE_FAILED'],
  ['library.db', 'POST', '/me/tasks', { titolo: 'a' }, 'SESSION_STORE_WRITE_FAILED'],
  ['providers.db', 'POST', '/providers/lmstudio/runtime/reset', {}, 'PROVIDER_STORE_UNAVAILABLE'],
];

test.each(WRITES)('a damaged %s refuses %s %s with 503', async (...write) => {
  const [file, method, path, body, code] = write;
  await using place = await tempDir();
  await place.write({ [file]: 'no database, and long enough to be taken for one. '.repeat(100) });
  await using server = await testServer({ dataDir: place.path });
  const headers = { 'accept-language': 'en' };
  const reply = await server.call(method, path, { body, headers });
  expect([reply.status, reply.code]).toEqual([503, code]);
  if (code.startsWith('SESSION')) expect(reply.error).toMatchObject({ title: 'Damaged data file' });
});

test('a server with a damaged sessions.db answers 503, reports it in the doctor and stops cleanly', async () => {
  await using place = await tempDir();
  await place.write({ 'sessions.db': 'no database, and long enough to be taken for one. '.repeat(100) });
  await using server = await startChild({ dataDir: place.path });
  const headers = { 'accept-language': 'en' };
  expect(await server.call('GET', '/sessions')).toMatchObject({ status: 503, code: 'SESSION_STORE_AMBIGUOUS' });
  const { data } = await server.call('GET', '/doctor', { headers });
  const broken = data.voci.filter(({ stato }: { stato: string }) => stato === 'errore');
  expect(broken.map(({ id }: { id: string }) => id)).toEqual(['session-store', 'stores']);
  expect(broken[0].azione).toContain('fucina doctor --repair');
  expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
});
