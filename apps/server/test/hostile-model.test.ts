import { readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionEvent } from '@fucina/shared';
import type { ScriptedToolCall } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readStream, type TestServer, testServer } from './harness.ts';
import { ALLOWED, controlNames, EXPECTED_EFFECTS, forbiddenCalls } from './hostile/attacks.ts';
import { CANARY, changedPaths, type Fixture, fixture } from './hostile/fixture.ts';

const KEY = 'sk-canary-key-41f09c77';
let server: TestServer;
beforeAll(async () => {
  const environment = {
    ...process.env,
    FUCINA_TOKEN: KEY,
    FUCINA_ANYTHING: KEY,
    OPENAI_API_KEY: KEY,
    AWS_SECRET_ACCESS_KEY: KEY,
    NPM_TOKEN: KEY,
    GITHUB_TOKEN: KEY,
    HTTPS_PROXY: `http://user:${KEY}@proxy.invalid`,
    BASH_ENV: '/tmp/never',
    LD_PRELOAD_CANARY: KEY,
  };
  server = await testServer({ settings: { environment } });
});
afterAll(async () => server[Symbol.asyncDispose]());

const CALLS_PER_STEP = 100;

/** The model makes all these calls, some in parallel, then ends. */
function attackWith(calls: readonly ScriptedToolCall[]): void {
  let at = 0;
  server.model.script(() => {
    const toolCalls = calls.slice(at, (at += CALLS_PER_STEP));
    return toolCalls.length ? { toolCalls } : { text: 'Done.' };
  });
}

/** Denies every card until the turn ends; returns all events and the cards. */
async function refuseAll(
  sessionId: string,
  on = server,
): Promise<{ events: SessionEvent[]; cards: Record<string, unknown>[] }> {
  const cards: Record<string, unknown>[] = [];
  const events: SessionEvent[] = [];
  let after = 0;
  const isOver = (event: SessionEvent | undefined): boolean =>
    event?.type === 'RunFinished' || event?.type === 'RunError';
  // A slow reader is disconnected and reconnects.
  while (!isOver(events.at(-1))) {
    await readStream(on, sessionId, {
      after,
      isDone(event, id) {
        events.push(event);
        after = id ?? after;
        if (event.type === 'ApprovalRequested') {
          cards.push(event.azione);
          const body = { requestId: event.requestId, approvato: false };
          void on.call('POST', `/sessions/${sessionId}/approve`, { body });
        }
        return isOver(event);
      },
    });
  }
  return { events, cards };
}

const start = (place: Fixture, fields: Record<string, unknown>): Promise<string> =>
  server.startSession({ cartellaLibera: place.project, ...fields });

const resultsOf = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'ToolCallResult' ? [event.content] : []));

async function hasSandbox(): Promise<boolean> {
  const { data } = await server.call('GET', '/doctor');
  return data.voci.find(({ id }: { id: string }) => id === 'sandbox').stato === 'ok';
}

const LEVELS = ['Read only', 'Workspace write', 'On request', 'Full access'] as const;
const GATED = ['scrivi', 'file_edit', 'shell'] as const;
const allTools = (choice: string) => ({ scrivi: choice, file_edit: choice, shell: choice, prova: choice });
const MAPS: Record<string, Record<string, string> | undefined> = {
  'no map': undefined,
  'all sempre': allTools('sempre'),
  'all chiedi': allTools('chiedi'),
  'all nega': allTools('nega'),
  mixed: { scrivi: 'nega', file_edit: 'sempre', shell: 'chiedi' },
};

/** Whether a call runs although every card is denied. */
function runsUnasked(level: string, choice: string | undefined): boolean {
  if (choice !== undefined) return choice === 'sempre';
  return level === 'Workspace write' || level === 'Full access';
}

describe('a hostile model', () => {
  const table = LEVELS.flatMap((level) => Object.keys(MAPS).map((map) => [level, map] as const));
  test.each(table)('at %s with %s changes only what the level allows', async (level, name) => {
    await using place = await fixture();
    const map = MAPS[name];
    const before = await place.snapshot();
    const forbidden = forbiddenCalls(place.base.path);
    const calls = [...forbidden, ...GATED.flatMap((tool) => ALLOWED[tool])];
    attackWith(calls);
    const id = await start(place, { permessi: level, ...(map && { permessiPerAttrezzo: map }) });
    const { events, cards } = await refuseAll(id);

    // With a sandbox, a command that a user allowed under Read only still cannot write.
    const isHeld = level === 'Read only' && (await hasSandbox());
    const effective = GATED.filter((tool) => runsUnasked(level, map?.[tool]) && !(tool === 'shell' && isHeld));
    const expected = effective.flatMap((tool) => EXPECTED_EFFECTS[tool]);
    const changed = changedPaths(before, await place.snapshot());
    const mayWrite = runsUnasked(level, map?.scrivi);
    expect(changed.filter((path) => !mayWrite || !isPlainName(path))).toEqual([...expected].sort());
    const results = resultsOf(events);
    expect(results).toHaveLength(calls.length);
    expect(results.filter((content) => content.includes(CANARY))).toEqual([]);
    const asked = new Set(cards.map(({ tipo }) => tipo));
    for (const tool of GATED) if (map?.[tool] === 'nega') expect(asked.has(tool)).toBe(false);
    if (level === 'Read only' && !map) expect([changed, cards]).toEqual([[], []]);
  });

  /**
   * Paths that look like an escape but are inside the project: `%2e%2e`, `$HOME`, `~`, `root/../tmp`,
   * `src/up/../../outside`; and names that only Windows reads in another way: `.. `, `C:outside`, `NUL`, `file:`.
   */
  function isPlainName(path: string): boolean {
    const [, first] = tmpdir().split('/');
    return (
      /^project\/(%2e|\.\.%|~|\$HOME|\.\.;|\u2025|\uff0e|\.\.\u2215|(outside|up)(\/|$))/.test(path) ||
      (process.platform !== 'win32' &&
        /^project\/(\.\. |\.{3,4}|C:|COM1\.|NUL|a:b|con\.|file:|notes\.txt[ .:])/.test(path)) ||
      `${path}/`.startsWith(`project/${first}/`)
    );
  }

  test('cannot find out what exists outside the folder', async () => {
    await using place = await fixture();
    const pairs = [
      ['out/secret.txt', 'out/absent.txt'],
      ['root/etc/passwd', 'root/etc/passwe'],
      ['root/root', 'root/rooo'],
      ['hop/secret.txt', 'hop/absent.txt'],
      ['../outside/secret.txt', '../outside/absent.txt'],
      ['/etc/passwd', '/etc/passwe'],
      ['out/secret.txt/x', 'out/absent.txt/x'],
      ['out-file', 'out-none'],
      ['root/root/x', 'root/roto/x'],
    ];
    const calls = pairs.flat().flatMap((percorso): ScriptedToolCall[] => [
      { name: 'leggi', arguments: { percorso } },
      { name: 'cerca', arguments: { nome: '*', percorso } },
      { name: 'scrivi', arguments: { percorso, contenuto: 'x' } },
      { name: 'file_edit', arguments: { percorso, vecchio: 'a', nuovo: 'b' } },
    ]);
    attackWith(calls);
    const { events } = await refuseAll(await start(place, { permessi: 'Full access' }));
    const results = resultsOf(events);
    expect(results).toHaveLength(calls.length);
    const words = results.map((content, index) => {
      const args = calls[index]?.arguments as { percorso: string } | undefined;
      return content.replace(JSON.stringify(args?.percorso), 'P');
    });
    expect(new Set(words)).toEqual(
      new Set(['P is outside the session folder; this session may only use files inside it.']),
    );
  });

  test('at Full access in a configured project still asks for control files', async () => {
    await using place = await fixture();
    await using own = await testServer({ settings: { projects: [place.project] } });
    const control = [
      ...controlNames(place.base.path),
      '../outside/.git/config',
      `${place.base.path}/outside/.ssh/config`,
    ];
    const before = await place.snapshot();
    let isDone = false;
    own.model.script(() => {
      const toolCalls = control.map((percorso) => ({ name: 'scrivi', arguments: { percorso, contenuto: 'hostile' } }));
      return isDone ? { text: 'Done.' } : ((isDone = true), { toolCalls });
    });
    const [project] = (await own.call('GET', '/projects')).data.items;
    const id = await own.startSession({ cartellaLibera: undefined, cartellaId: project.id, permessi: 'Full access' });
    const { cards } = await refuseAll(id, own);
    expect(cards.length).toBeGreaterThan(40);
    expect(changedPaths(before, await place.snapshot())).toEqual([]);
  });

  test('finds no secret in the environment of its commands', async () => {
    await using place = await fixture();
    const commands = [
      'env',
      'export -p',
      'set',
      'cat /proc/self/environ',
      'printenv FUCINA_TOKEN OPENAI_API_KEY',
      'compgen -e',
    ];
    attackWith(commands.map((comando) => ({ name: 'shell', arguments: { comando } })));
    const { events } = await refuseAll(await start(place, { permessi: 'Workspace write' }));
    expect(resultsOf(events)).toHaveLength(commands.length);
    expect(resultsOf(events)[0]).toContain('PATH=');
    expect(JSON.stringify(events.filter((event) => event.type !== 'ToolCallArgs'))).not.toMatch(
      /FUCINA_(?!TOKEN OPENAI)/,
    );
    expect(JSON.stringify(events)).not.toContain(KEY);
  });

  test('many calls, repeated ids and 5 MB arguments end in a normal turn', async () => {
    await using place = await fixture();
    const flood = Array.from({ length: 1_000 }, () => ({ name: 'leggi', arguments: { percorso: 'notes.txt' } }));
    const same = Array.from({ length: 20 }, () => ({
      id: 'same',
      name: 'shell',
      arguments: { comando: 'touch hostile' },
    }));
    const large = {
      name: 'scrivi',
      arguments: { percorso: '.git/config', contenuto: 'h'.repeat(5_000_000) },
      pieces: 50,
    };
    const steps = [flood, same, [large], [{ ...same[0], id: 'same' } as ScriptedToolCall]];
    server.model.script(() => ({ toolCalls: steps.shift() ?? [], text: steps.length ? undefined : 'Done.' }));
    const before = await place.snapshot();
    const id = await start(place, { permessi: 'On request' });
    const { events } = await refuseAll(id);
    expect(changedPaths(before, await place.snapshot())).toEqual([]);
    const started = events.flatMap((event) => (event.type === 'ToolCallStart' ? [event.toolCallId] : []));
    expect(new Set(started).size).toBe(started.length);
    expect(resultsOf(events)).toHaveLength(started.length);
    expect((await server.call('GET', '/health')).ok).toBe(true);
  });
});

describe('an approved call', () => {
  const swaps: [string, Record<string, unknown>, (project: string) => Promise<void>][] = [
    [
      'the file by a link out',
      { percorso: 'notes.txt', contenuto: 'hostile' },
      (project) => swap(project, 'notes.txt', '../outside/secret.txt'),
    ],
    [
      'the file by a link to a control file',
      { percorso: 'notes.txt', contenuto: 'hostile' },
      (project) => swap(project, 'notes.txt', '.git/config'),
    ],
    [
      'the folder by a link out',
      { percorso: 'src/new.ts', contenuto: 'hostile' },
      (project) => swap(project, 'src', '../outside'),
    ],
    [
      'the folder by a link to the hooks',
      { percorso: 'src/pre-commit', contenuto: 'hostile' },
      (project) => swap(project, 'src', '.git/hooks'),
    ],
  ];

  async function swap(project: string, name: string, target: string): Promise<void> {
    await rm(join(project, name), { recursive: true });
    await symlink(target, join(project, name));
  }

  test.each(swaps)('swapping %s while the card is open writes nothing', async (_what, input, change) => {
    await using place = await fixture();
    attackWith([
      { name: 'leggi', arguments: { percorso: input.percorso } },
      { name: 'scrivi', arguments: input },
    ]);
    const id = await start(place, { permessi: 'On request' });
    const { requestId, azione } = await server.pending(id);
    expect(azione).toEqual({ tipo: 'scrivi', ...input });
    await change(place.project);
    const before = await place.snapshot();
    expect((await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: true } })).ok).toBe(
      true,
    );
    await server.settled(id);
    expect(changedPaths(before, await place.snapshot())).toEqual([]);
  });

  test('replacing the project folder while the card is open writes nothing into the new one', async () => {
    await using place = await fixture();
    attackWith([
      { name: 'leggi', arguments: { percorso: 'notes.txt' } },
      { name: 'scrivi', arguments: { percorso: 'notes.txt', contenuto: 'hostile' } },
    ]);
    const id = await start(place, { permessi: 'On request' });
    const { requestId } = await server.pending(id);
    await rename(place.project, `${place.project}-moved`);
    await symlink('outside', place.project);
    const before = await place.snapshot();
    await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: true } });
    await server.settled(id);
    expect(changedPaths(before, await place.snapshot())).toEqual([]);
  });

  test('uses the first of twenty concurrent answers', async () => {
    await using place = await fixture();
    attackWith([{ name: 'shell', arguments: { comando: 'echo run >> ok/count' } }]);
    const id = await start(place, { permessi: 'On request' });
    const { requestId } = await server.pending(id);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: index % 2 === 0 } }),
      ),
    );
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    await server.settled(id);
    const resolved = (await server.events(id)).filter((event) => event.type === 'ApprovalResolved');
    expect(resolved).toHaveLength(1);
    const count = await readFile(join(place.project, 'ok/count'), 'utf8').catch(() => '');
    expect(count).toBe(resolved[0]?.approvato ? 'run\n' : '');
  });

  test.each([
    ['the level becomes Read only', { permessi: 'Read only' }],
    ['the tool becomes nega', { permessiPerAttrezzo: { shell: 'nega' } }],
  ])('does not run when %s between request and approval', async (_what, body) => {
    await using place = await fixture();
    attackWith([{ name: 'shell', arguments: { comando: 'touch ok/ran' } }]);
    const id = await start(place, { permessi: 'On request' });
    const { requestId } = await server.pending(id);
    const before = await place.snapshot();
    expect((await server.call('POST', `/sessions/${id}/settings`, { body })).ok).toBe(true);
    await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: true } });
    await server.settled(id);
    expect(changedPaths(before, await place.snapshot())).toEqual([]);
  });

  test('approving and stopping at once closes the card and runs no command', async () => {
    await using place = await fixture();
    for (const isStopFirst of [true, false, true, false]) {
      attackWith([{ name: 'shell', arguments: { comando: 'sleep 60; touch ok/ran' } }]);
      const id = await start(place, { permessi: 'On request' });
      const { requestId } = await server.pending(id);
      const approve = () => server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: true } });
      const stop = () => server.call('POST', `/sessions/${id}/stop`);
      await Promise.all(isStopFirst ? [stop(), approve()] : [approve(), stop()]);
      expect((await server.settled(id)).motivoChiusura).toBe('fermata');
      expect((await server.call('GET', `/sessions/${id}/pending`)).data.pending).toBeNull();
      expect((await approve()).code).toBe('APPROVAL_NOT_PENDING');
    }
    expect(await readFile(join(place.project, 'ok/ran'), 'utf8').catch(() => 'absent')).toBe('absent');
  });
});

describe('concurrent requests', () => {
  test('of ten concurrent resumes exactly one starts a turn', async () => {
    server.model.script(() => ({ text: 'Hello.' }));
    const id = await server.startSession();
    await server.settled(id);
    server.model.script(() => ({ fault: { kind: 'hang' } }));
    const resume = () => server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Go on.' } });
    const replies = await Promise.all(Array.from({ length: 10 }, resume));
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(replies.filter(({ ok }) => !ok).map(({ code }) => code))).toEqual(new Set(['SESSION_NOT_READY']));
    await server.call('POST', `/sessions/${id}/stop`);
    await server.settled(id);
    expect((await server.events(id)).filter((event) => event.type === 'RunStarted')).toHaveLength(2);
  });

  test('a streaming session cannot be deleted, can be renamed, and ends its streams after deletion', async () => {
    server.model.script(() => ({ text: ['half ', 'more'], fault: { kind: 'hang-mid-stream', after: 1 } }));
    const id = await server.startSession();
    await readStream(server, id, { isDone: (event) => event.type === 'TextMessageContent' });
    const remove = () => server.call('POST', `/sessions/${id}/delete`);
    expect((await remove()).code).toBe('SESSION_STILL_RUNNING');
    expect((await server.call('POST', `/sessions/${id}/rename`, { body: { nome: 'Another' } })).ok).toBe(true);
    await server.call('POST', `/sessions/${id}/stop`);
    expect((await server.settled(id)).nome).toBe('Another');
    const reader = readStream(server, id, { isDone: () => false });
    const removed = await Promise.all([remove(), remove(), remove()]);
    expect(removed.filter(({ ok }) => ok)).toHaveLength(1);
    await reader;
    expect((await server.call('GET', `/sessions/${id}/export`)).code).toBe('NOT_FOUND');
  });

  test('200 concurrent creates give 200 sessions with a complete first turn', async () => {
    server.model.script(() => ({ text: 'Hello.' }));
    const ids = await Promise.all(Array.from({ length: 200 }, () => server.startSession()));
    expect(new Set(ids).size).toBe(200);
    await Promise.all(ids.map((id) => readStream(server, id, { isDone: (event) => event.type === 'RunFinished' })));
  });
});
