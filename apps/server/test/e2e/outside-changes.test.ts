import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionEvent } from '@fucina/shared';
import { type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { readStream, type TestServer, testServer } from '../harness.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Idle commands are detected only on Linux. */
const linuxOnly = process.platform === 'linux' ? test : test.skip;

interface Place extends AsyncDisposable {
  server: TestServer;
  id: string;
  write(path: string, text?: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the agent call a tool, and waits until it has started. */
  call(name: string, given: Record<string, unknown>): Promise<void>;
  /** Follows until `path` is reported; returns the reported paths and the events. */
  until(path: string): Promise<{ reported: string[]; events: SessionEvent[] }>;
}

async function place(): Promise<Place> {
  const dir: TempDir = await tempDir();
  const server = await testServer();
  await dir.write({ 'work/old.txt': 'x', 'work/src/deleted.txt': 'x' });
  const id = await server.startSession({ cartellaLibera: join(dir.path, 'work'), permessi: 'Full access' });
  await server.settled(id);
  await pause(50);
  return {
    server,
    id,
    async write(path, text = 'x') {
      await mkdir(join(dir.path, 'work', path, '..'), { recursive: true });
      await writeFile(join(dir.path, 'work', path), text);
    },
    remove: (path) => rm(join(dir.path, 'work', path)),
    async call(name, given) {
      server.model.script(({ lastRole }) =>
        lastRole === 'tool' ? { text: 'Done.' } : { toolCalls: [{ name, arguments: given }] },
      );
      await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'go' } });
    },
    async until(path) {
      const seen = await readStream(server, id, {
        isDone: (event) => event.type === 'WorkspaceChanged' && event.percorsi.includes(path),
      });
      const events = seen.map(({ event }) => event);
      return { events, reported: events.flatMap((event) => (event.type === 'WorkspaceChanged' ? event.percorsi : [])) };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const writtenBy = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'StateDelta' ? event.delta.map(({ path }) => path) : []));

test('reports changes right after a client starts listening', async () => {
  await using p = await place();
  const following = p.until('src/deleted.txt');
  await pause(150);
  await p.write('old.txt', 'changed');
  await p.remove('src/deleted.txt');
  const { reported } = await following;
  expect(reported.sort()).toEqual(['old.txt', 'src/deleted.txt']);
});

linuxOnly('reports what changes while a command of the agent sleeps, and leaves it out of the turn', async () => {
  await using p = await place();
  const following = p.until('outside.txt');
  await pause(700);
  await p.call('shell', { comando: 'echo x > by-command.txt; sleep 6; echo y > later.txt' });
  await pause(2_500);
  await p.write('outside.txt');
  const { reported, events } = await following;
  expect(events.some((event) => event.type === 'ToolCallResult')).toBe(false);
  expect(reported).toEqual(['outside.txt']);
  await p.server.settled(p.id);
  const all = await p.server.events(p.id);
  expect(writtenBy(all).filter((path) => path.startsWith('/file/'))).toEqual([
    '/file/by-command.txt',
    '/file/later.txt',
  ]);
});

test('reports changes while a background command runs', async () => {
  await using p = await place();
  const following = p.until('outside.txt');
  await pause(700);
  await p.call('shell', { comando: 'sleep 40', sfondo: true });
  await p.server.settled(p.id);
  // Until it sleeps: what changes while it is busy could be its own.
  await pause(1_500);
  await p.write('outside.txt');
  expect((await following).reported).toEqual(['outside.txt']);
});

test('reports changes right after a command ended, without those of the command', async () => {
  await using p = await place();
  const following = p.until('outside.txt');
  await pause(700);
  await p.call('shell', { comando: 'mkdir made && echo x > made/by-command.txt && rm old.txt' });
  await p.server.settled(p.id);
  await pause(100);
  await p.write('outside.txt');
  expect((await following).reported).toEqual(['outside.txt']);
});

test('reports a user’s change to a file the agent has just written', async () => {
  await using p = await place();
  const following = p.until('new/by-agent.txt');
  await pause(700);
  await p.call('scrivi', { percorso: 'new/by-agent.txt', contenuto: 'agent' });
  await p.server.settled(p.id);
  await pause(1_500);
  expect((await p.server.events(p.id)).filter(({ type }) => type === 'WorkspaceChanged')).toEqual([]);
  await p.write('new/by-agent.txt', 'user');
  expect((await following).reported).toEqual(['new/by-agent.txt']);
});
