import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { activityMark, leaveOutOfActivity, type SessionEvent } from '@fucina/shared';
import { type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { readStream, type TestServer, testServer, until } from '../harness.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Idle commands are detected only on Linux. */
const linuxOnly = process.platform === 'linux' ? test : test.skip;

interface Following {
  /** The reported paths and the events, once all wanted paths are among them. */
  over: Promise<{ reported: string[]; events: SessionEvent[] }>;
}

interface Place extends AsyncDisposable {
  path: string;
  server: TestServer;
  id: string;
  write(path: string, text?: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the agent call a tool, and waits until it has started. */
  call(name: string, given: Record<string, unknown>): Promise<void>;
  /** Follows until these paths are reported; resolves once the folder is watched. */
  follow(...paths: string[]): Promise<Following>;
}

async function place(): Promise<Place> {
  const dir: TempDir = await tempDir();
  const server = await testServer();
  await dir.write({ 'work/old.txt': 'x', 'work/src/deleted.txt': 'x' });
  const id = await server.startSession({ cartellaLibera: join(dir.path, 'work'), permessi: 'Full access' });
  await server.settled(id);
  await pause(50);
  return {
    path: dir.path,
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
    async follow(...paths) {
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const reported: string[] = [];
      const over = readStream(server, id, {
        isDone(event) {
          if (event.type === 'CUSTOM' && event.name === 'svc.coda') begin();
          if (event.type === 'WorkspaceChanged') reported.push(...event.percorsi);
          return paths.every((path) => reported.includes(path));
        },
      }).then((seen) => ({ reported, events: seen.map(({ event }) => event) }));
      await begun;
      return { over };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Until nothing below this process has moved for longer than the samples of the server are apart. */
async function untilIdle(): Promise<void> {
  let last: string | undefined;
  await until(async () => {
    leaveOutWatching();
    const mark = await activityMark(0, Date.now());
    const isIdle = mark !== undefined && mark === last;
    last = mark;
    if (!isIdle) await pause(700);
    return isIdle || undefined;
  });
}

/** The process that watches folders wakes now and then. The server leaves it out by itself. */
function leaveOutWatching(): void {
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'latin1').split(' ').filter(Boolean),
  );
  for (const pid of children)
    if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('watch-main')) leaveOutOfActivity(Number(pid));
}

const writtenBy = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'StateDelta' ? event.delta.map(({ path }) => path) : []));

test('reports changes right after a client starts listening', async () => {
  await using p = await place();
  const { over } = await p.follow('old.txt', 'src/deleted.txt');
  await pause(150);
  await p.write('old.txt', 'changed');
  await p.remove('src/deleted.txt');
  const { reported } = await over;
  expect(reported.sort()).toEqual(['old.txt', 'src/deleted.txt']);
});

linuxOnly('reports what changes while a command of the agent sleeps, and leaves it out of the turn', async () => {
  await using p = await place();
  const gate = join(p.path, 'gate');
  execFileSync('mkfifo', [gate]);
  const { over } = await p.follow('outside.txt');
  await p.call('shell', { comando: 'echo x > by-command.txt; read line < ../gate; echo y > later.txt' });
  await until(() => stat(join(p.path, 'work/by-command.txt')).catch(() => undefined));
  await untilIdle();
  await p.write('outside.txt');
  const { reported, events } = await over;
  expect(events.some((event) => event.type === 'ToolCallResult')).toBe(false);
  expect(reported).toEqual(['outside.txt']);
  await writeFile(gate, 'go on\n');
  await p.server.settled(p.id);
  const files = async () => writtenBy(await p.server.events(p.id)).filter((path) => path.startsWith('/file/'));
  await until(async () => (await files()).includes('/file/later.txt') || undefined);
  expect(await files()).toEqual(['/file/by-command.txt', '/file/later.txt']);
});

test('reports changes while a background command runs', async () => {
  await using p = await place();
  const { over } = await p.follow('outside.txt');
  await p.call('shell', { comando: 'sleep 40', sfondo: true });
  await p.server.settled(p.id);
  // Until it sleeps: what changes while it is busy could be its own.
  await pause(1_500);
  await p.write('outside.txt');
  expect((await over).reported).toEqual(['outside.txt']);
});

test('reports changes right after a command ended, without those of the command', async () => {
  await using p = await place();
  const { over } = await p.follow('outside.txt');
  await pause(700);
  await p.call('shell', { comando: 'mkdir made && echo x > made/by-command.txt && rm old.txt' });
  await p.server.settled(p.id);
  await pause(100);
  await p.write('outside.txt');
  expect((await over).reported).toEqual(['outside.txt']);
});

test('reports a user’s change to a file the agent has just written', async () => {
  await using p = await place();
  const { over } = await p.follow('new/by-agent.txt');
  await pause(700);
  await p.call('scrivi', { percorso: 'new/by-agent.txt', contenuto: 'agent' });
  await p.server.settled(p.id);
  await pause(1_500);
  expect((await p.server.events(p.id)).filter(({ type }) => type === 'WorkspaceChanged')).toEqual([]);
  await p.write('new/by-agent.txt', 'user');
  expect((await over).reported).toEqual(['new/by-agent.txt']);
});
