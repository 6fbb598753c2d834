import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realFolder, systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { type OwnReference, placeName } from '../own/reference.ts';
import { createSwitches } from '../own/switches.ts';
import { createTrustStore } from '../trust/trust-store.ts';
import { createConfiguredHooks } from './configured-hooks.ts';
import { createHooks, type HooksNeeds } from './hooks.ts';
import type { HookDefinition, HookEvent } from './hooks-file.ts';
import { createOwnHooks } from './own-hooks.ts';

const ambient = systemAmbient('silent');
const guard: HookDefinition = { events: ['pre_tool_call'], command: 'node guard.cjs' };

async function fixture() {
  const dir = await tempDir();
  await mkdir(join(dir.path, 'project', '.svc'), { recursive: true });
  await mkdir(join(dir.path, 'home'));
  const folder = await realFolder(join(dir.path, 'project'));
  const homeDir = await realFolder(join(dir.path, 'home'));
  const dataDir = join(dir.path, 'data');
  const needs: HooksNeeds = {
    ambient,
    environment: { PATH: process.env.PATH },
    homeDir,
    isEnabled: () => true,
    trust: createTrustStore({ ambient, dataDir }),
    own: createOwnHooks(dataDir),
    switches: createSwitches(dataDir, 'hooks'),
    pluginHooks: async () => [],
  };
  const hooks = createHooks(needs);
  const configured = createConfiguredHooks(needs);
  const reference = (id: string, scope: 'everywhere' | 'project' = 'project'): OwnReference => ({
    scope,
    folder: scope === 'project' ? folder : null,
    id,
  });
  return {
    configured,
    folder,
    homeDir,
    dataDir,
    reference,
    write: (path: string, content: string) => writeFile(join(folder, path), content),
    add: (definition: HookDefinition, scope?: 'everywhere' | 'project') =>
      configured.add({ ...reference('guard', scope), definition }, folder),
    state: async () => (await configured.list(folder)).rows.map(({ id, scope, state }) => [id, scope, state]),
    tell: (evento: HookEvent = 'pre_tool_call', more: object = {}) =>
      hooks.tell({ evento, sessionId: 's', cartella: folder, ...more }),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

const REFUSES = 'process.stderr.write("not today"); process.exit(1)';

describe('a hook of the user', () => {
  test('for one project runs at once there, and not in another project', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', REFUSES);
    await place.add(guard);
    expect(await place.state()).toEqual([['guard', 'project', 'active']]);
    expect(await place.tell()).toEqual({ hookId: 'guard', reason: 'not today' });
    expect((await place.configured.list(place.homeDir)).rows).toEqual([]);
  });

  test('refuses the calls that it checks until the user reviews what changed in it', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', '');
    await place.add(guard);
    expect(await place.tell()).toBeUndefined();
    await place.write('guard.cjs', '// weakened');
    expect(await place.state()).toEqual([['guard', 'project', 'untrusted']]);
    expect((await place.tell())?.reason).toContain('has changed');
    expect(await place.tell('post_tool_call')).toBeUndefined();
    await place.configured.trust(place.reference('guard'), place.folder);
    expect(await place.tell()).toBeUndefined();
  });

  test('for every project starts in the home folder', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', 'process.exit(0)');
    await writeFile(join(place.homeDir, 'guard.cjs'), 'process.stderr.write(process.cwd()); process.exit(1)');
    await place.add(guard, 'everywhere');
    expect(await place.tell()).toEqual({ hookId: 'guard', reason: place.homeDir });
  });

  test('may run any program, also a script of its folder', async () => {
    await using place = await fixture();
    await place.write('guard.sh', '#!/bin/sh\nexit 1\n');
    await chmod(join(place.folder, 'guard.sh'), 0o755);
    await place.add({ ...guard, command: './guard.sh' });
    expect(await place.tell()).toEqual({ hookId: 'guard', reason: '' });
  });

  test.each<[string | undefined, string, boolean]>([
    [undefined, 'shell', true],
    ['shell', 'shell', true],
    ['shell', 'shell_more', false],
    ['scrivi | file_*', 'file_edit', true],
    ['mcp__github__*', 'mcp__gitlab__push', false],
    ['*', 'anything', true],
    ['a.b', 'axb', false],
    ['a*a', 'a', false],
    ['*_tool*_end', 'my_tool_in_the_end', true],
    [`${'a*'.repeat(400)}b`, 'a'.repeat(64), false],
  ])('with the matcher %s is called about %s: %s', async (matcher, strumento, isCalled) => {
    await using place = await fixture();
    await place.write('guard.cjs', REFUSES);
    await place.add({ ...guard, ...(matcher !== undefined && { matcher }) });
    expect((await place.tell('pre_tool_call', { strumento })) !== undefined).toBe(isCalled);
  });

  test('ends at its time limit', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', 'setInterval(() => {}, 1000)');
    await place.add({ ...guard, timeoutSeconds: 1 });
    expect((await place.tell())?.reason).toBe('it did not end by itself (timeout)');
  });

  test('does not run while it is off', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', REFUSES);
    await place.add(guard);
    await place.configured.turn(place.reference('guard'), false);
    expect(await place.state()).toEqual([['guard', 'project', 'off']]);
    expect(await place.tell()).toBeUndefined();
    await place.configured.turn(place.reference('guard'), true);
    expect(await place.tell()).toBeDefined();
  });

  test('that cannot be read refuses, is shown with the problem and can be removed', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', '');
    await place.add(guard);
    const file = join(place.dataDir, 'extensions/hooks', placeName(place.folder), 'guard.json');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, 20));
    expect(await place.state()).toEqual([['guard', 'project', 'failed']]);
    expect((await place.tell())?.reason).toContain('cannot run');
    await place.configured.remove(place.reference('guard'));
    expect(await place.tell()).toBeUndefined();
  });

  test.each<[string, Partial<HookDefinition>, string]>([
    ['without events', { events: [] }, 'definition'],
    ['with a time limit of zero', { timeoutSeconds: 0 }, 'definition'],
    ['with a matcher that is a regular expression', { matcher: '(a+)+$' }, 'definition'],
    ['with two lines', { command: 'node a\nnode b' }, 'definition'],
    ['of a program that is not there', { command: 'no-such-program x' }, 'program'],
  ])('%s is refused and nothing is stored', async (_what, change, reason) => {
    await using place = await fixture();
    await expect(place.add({ ...guard, ...change })).rejects.toMatchObject({ code: 'HOOK_INVALID', reason });
    expect(await place.state()).toEqual([]);
  });

  test('keeps its definition when a change of it is refused', async () => {
    await using place = await fixture();
    await place.add({ ...guard, command: 'echo' });
    await expect(place.add(guard)).rejects.toMatchObject({ code: 'HOOK_INVALID', reason: 'exists' });
    const change = { ...place.reference('guard'), definition: { ...guard, command: 'no-such-program' } };
    await expect(place.configured.change(change, place.folder)).rejects.toMatchObject({ code: 'HOOK_INVALID' });
    expect((await place.configured.list(place.folder)).rows).toMatchObject([{ definition: { command: 'echo' } }]);
    await expect(
      place.configured.change({ ...change, id: 'other', definition: guard }, place.folder),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('cannot leave its folder by its id', async () => {
    await using place = await fixture();
    for (const id of ['../up', '.', 'a/b', '']) {
      const hook = { ...place.reference(id), definition: { ...guard, command: 'echo' } };
      await expect(place.configured.add(hook, place.folder)).rejects.toMatchObject({ code: 'HOOK_INVALID' });
      await expect(place.configured.remove(place.reference(id))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('a hook of the project', () => {
  test('stays untrusted beside one of the user with its id, and can be turned off', async () => {
    await using place = await fixture();
    await place.write('.svc/hooks.json', JSON.stringify({ hooks: [{ id: 'guard', ...guard }] }));
    await place.write('guard.cjs', REFUSES);
    await place.add({ ...guard, command: 'echo' });
    expect(await place.state()).toEqual([
      ['guard', 'project', 'active'],
      ['guard', 'file', 'untrusted'],
    ]);
    expect(await place.tell()).toBeUndefined();
    const declared = { scope: 'file' as const, folder: place.folder, id: 'guard' };
    await place.configured.trust(declared, place.folder);
    expect(await place.tell()).toEqual({ hookId: 'guard', reason: 'not today' });
    await place.configured.turn(declared, false);
    expect(await place.tell()).toBeUndefined();
    await expect(place.configured.remove(declared)).rejects.toMatchObject({ reason: 'declared-by-file' });
  });

  test('has a matcher and a time limit, under the names of both languages', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', REFUSES);
    const both = [
      { id: 'one', events: ['pre_tool_call'], command: 'node guard.cjs', matcher: 'shell', timeout: 20 },
      { id: 'due', eventi: ['pre_tool_call'], comando: 'node guard.cjs', strumenti: 'shell', limiteSecondi: 20 },
    ];
    await place.write('.svc/hooks.json', JSON.stringify({ hooks: both }));
    const { rows } = await place.configured.list(place.folder);
    expect(rows.map(({ definition }) => definition)).toEqual([
      { ...guard, matcher: 'shell', timeoutSeconds: 20 },
      { ...guard, matcher: 'shell', timeoutSeconds: 20 },
    ]);
    for (const row of rows) await place.configured.trust(row, place.folder);
    expect(await place.tell('pre_tool_call', { strumento: 'leggi' })).toBeUndefined();
    expect(await place.tell('pre_tool_call', { strumento: 'shell' })).toBeDefined();
  });
});
