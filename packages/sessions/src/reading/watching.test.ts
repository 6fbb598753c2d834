import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionEvent } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';
import type { TurnHooks } from '../turn/turn-context.ts';
import type { FolderChange } from './outside-changes.ts';

/** Follows a session; `reported` resolves with all reported paths once this one is among them. */
function follow({ sessions }: TestSessions, id: string) {
  const stop = new AbortController();
  const paths: string[] = [];
  let wake = (): void => undefined;
  const reading = (async () => {
    for await (const item of sessions.follow(id, 0, stop.signal)) {
      if (item.kind !== 'events') continue;
      const events = item.events.map(({ json }) => JSON.parse(json) as SessionEvent);
      paths.push(...events.flatMap((event) => (event.type === 'WorkspaceChanged' ? event.percorsi : [])));
      wake();
    }
  })();
  return {
    async reported(path: string): Promise<readonly string[]> {
      while (!paths.includes(path)) await new Promise<void>((resolve) => (wake = resolve));
      return paths;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await reading;
    },
  };
}

test('a file that the agent wrote is not reported as changed by others while a hook runs after its call', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isCalled = (): void => undefined;
  const called = new Promise<void>((resolve) => (isCalled = resolve));
  const hooks: TurnHooks = {
    beforeCall: async () => undefined,
    async afterCall() {
      isCalled();
      await released;
    },
    sessionBegins: async () => undefined,
    turnOver: async () => undefined,
  };
  let onChange = (_changes: readonly FolderChange[]): void => undefined;
  const watchFolder = (_folder: string, listener: typeof onChange) => {
    onChange = listener;
    return () => undefined;
  };
  const answers = [{ events: call('c1', 'scrivi', { percorso: 'new/a.txt' }) }, { events: say('done') }];
  await using setup = await testSessions(answers, { hooks, watchFolder });
  const id = await setup.start();
  await using following = follow(setup, id);
  await called;
  const changed = (path: string, kind: FolderChange['kind']): FolderChange => ({ path, kind, changedAt: Date.now() });
  await mkdir(join(setup.dir, 'new'));
  await writeFile(join(setup.dir, 'new/a.txt'), 'new text');
  await writeFile(join(setup.dir, 'by-user.txt'), 'x');
  onChange([changed('new', 'folder'), changed('new/a.txt', 'file'), changed('by-user.txt', 'file')]);
  expect(await following.reported('by-user.txt')).toEqual(['by-user.txt']);
  release();
  await setup.sessions.turns.settled(id);
  await writeFile(join(setup.dir, 'later.txt'), 'x');
  onChange([changed('later.txt', 'file')]);
  expect(await following.reported('later.txt')).toEqual(['by-user.txt', 'later.txt']);
});
