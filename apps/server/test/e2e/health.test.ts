import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { SHUTDOWN_TOKEN, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

covers('health.read', 'answers ok, and HEAD without a body', async () => {
  expect((await server.call('GET', '/health')).data).toEqual({ status: 'ok' });
  expect(await server.call('HEAD', '/health')).toMatchObject({ status: 200, text: '' });
});

covers('doctor.report', 'lists one row per check, worst first, in the requested language', async () => {
  const { data } = await server.call('GET', '/doctor');
  expect(data).toMatchObject({ schema: 'svc.doctor.v1', stato: 'attenzione', versione: expect.any(String) });
  const order = ['errore', 'attenzione', 'non-disponibile', 'ok'];
  const ranks = data.voci.map((row: any) => order.indexOf(row.stato));
  expect(ranks.toSorted((a: number, b: number) => a - b)).toEqual(ranks);
  expect(data.voci.map((row: any) => row.id)).toEqual(
    expect.arrayContaining(['data-folder', 'key-store', 'git', 'providers']),
  );
  const english = await server.call('GET', '/doctor', { headers: { 'accept-language': 'en-GB,en;q=0.9' } });
  const title = (report: any) => report.voci.find((row: any) => row.id === 'data-folder').titolo;
  expect([title(data), title(english.data)]).toEqual(['Cartella dei dati', 'Data folder']);
});

covers('doctor.reference', 'returns the details of an error without secrets or paths', async () => {
  const failed = await server.call('GET', '/sessions/nobody/metrics');
  const reference = failed.error?.doctorReference ?? '';
  expect(reference).toMatch(/^doctor-[a-f0-9]{12}$/);
  const { data } = await server.call('GET', `/doctor/${reference}`);
  expect(data).toMatchObject({
    riferimento: reference,
    codice: 'NOT_FOUND',
    operazione: 'GET /sessions/{sessionId}/metrics',
  });
  for (const unknown of ['doctor-000000000000', 'doctor-xyz', 'x']) {
    expect((await server.call('GET', `/doctor/${unknown}`)).code).toBe('NOT_FOUND');
  }
});

covers('setup.state', 'is ready when one model can be used', async () => {
  const { data } = await server.call('GET', '/setup/stato');
  expect(data).toEqual({
    introDisattivato: false,
    provider: { pronto: true, conChiave: [], conIndirizzo: ['ollama'], agenteEsterno: false, localeConfigurato: false },
    cartelleProgetto: 0,
  });
});

refuses('setup.state', 'REPORT_UNAVAILABLE', 'when its sources cannot be read', async () => {
  await using dir = await tempDir();
  await writeFile(
    join(dir.path, 'providers.db'),
    'not a database, and long enough to be looked at as one: '.repeat(100),
  );
  await using broken = await testServer({ dataDir: dir.path });
  expect(await broken.call('GET', '/setup/stato')).toMatchObject({ status: 404, code: 'REPORT_UNAVAILABLE' });
});

covers('admin.shutdown', 'answers and stops the server with the right secret only', async () => {
  await using own = await testServer();
  for (const secret of [undefined, '', 'wrong', `${SHUTDOWN_TOKEN}x`]) {
    const headers: Record<string, string> = secret === undefined ? {} : { 'x-svc-shutdown-token': secret };
    expect(await own.call('POST', '/admin/shutdown', { headers })).toMatchObject({
      status: 401,
      code: 'AUTH_REQUIRED',
    });
  }
  const asked = own.shutdownAsked;
  const reply = await own.call('POST', '/admin/shutdown', { headers: { 'x-svc-shutdown-token': SHUTDOWN_TOKEN } });
  expect([reply.status, reply.data]).toEqual([202, { spegnimento: 'avviato' }]);
  await asked;
});

refuses('admin.shutdown', 'AUTH_REQUIRED', 'when no secret is configured', async () => {
  await using own = await testServer({ settings: { shutdownToken: undefined } });
  const reply = await own.call('POST', '/admin/shutdown', { headers: { 'x-svc-shutdown-token': SHUTDOWN_TOKEN } });
  expect([reply.status, reply.code]).toEqual([401, 'AUTH_REQUIRED']);
});
