import { expect, jest } from '@jest/globals';
import { refuses, refusesEach } from '../covers.ts';

// The native module, as on a computer that it was not built for.
jest.unstable_mockModule('node-pty', () => {
  throw new Error('Failed to load native module: pty.node');
});
const { testServer } = await import('../harness.ts');
const { terminalClient } = await import('../terminal-client.ts');

refusesEach('TERMINAL_STORE_UNAVAILABLE', ['terminals.list', 'terminals.open'], async (operation) => {
  await using server = await testServer();
  const id = await server.startSession();
  const method = operation === 'terminals.list' ? 'GET' : 'POST';
  expect(await server.call(method, `/sessions/${id}/terminals`)).toMatchObject({
    status: 503,
    code: 'TERMINAL_STORE_UNAVAILABLE',
  });
});

refuses('terminals.close', 'TERMINAL_STORE_UNAVAILABLE', 'and closes a connection with the reason', async () => {
  await using server = await testServer();
  const id = await server.startSession();
  expect(await server.call('POST', `/sessions/${id}/terminals/${id}/close`)).toMatchObject({
    status: 503,
    code: 'TERMINAL_STORE_UNAVAILABLE',
  });
  const client = await terminalClient(server, id);
  expect(await client.closed).toEqual({ code: 1011, reason: 'TERMINAL_STORE_UNAVAILABLE' });
});
