import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realFolder, systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createSwitches } from '../own/switches.ts';
import { createTrustStore } from '../trust/trust-store.ts';
import { createHooks, type Hooks } from './hooks.ts';
import { createOwnHooks } from './own-hooks.ts';

const ambient = systemAmbient('silent');
const MARK = 'ran';

async function fixture(time = ambient) {
  const dir = await tempDir();
  await mkdir(join(dir.path, 'project', '.svc'), { recursive: true });
  const folder = await realFolder(join(dir.path, 'project'));
  const dataDir = join(dir.path, 'data');
  const hooks: Hooks = createHooks({
    isEnabled: () => true,
    ambient: time,
    environment: { ...process.env, SECRET_TOKEN: 'canary' },
    trust: createTrustStore({ ambient, dataDir }),
    homeDir: dir.path,
    own: createOwnHooks(dataDir),
    switches: createSwitches(dataDir, 'hooks'),
    pluginHooks: async () => [],
  });
  return {
    hooks,
    folder,
    dataDir,
    write: (path: string, content: string) => writeFile(join(folder, path), content),
    declare: (...declared: object[]) => writeFile(join(folder, '.svc/hooks.json'), JSON.stringify({ hooks: declared })),
    tell: (evento: 'pre_tool_call' | 'session_start' = 'pre_tool_call', more: object = {}) =>
      hooks.tell({ evento, sessionId: 's', cartella: folder, ...more }),
    ran: () =>
      readFile(join(folder, MARK), 'utf8').then(
        () => true,
        () => false,
      ),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

const script = (code: string) => `require('node:fs').writeFileSync('${MARK}', 'x'); ${code}`;
const hook = (comando: string, more: object = {}) => ({ id: 'guard', eventi: ['pre_tool_call'], comando, ...more });

describe('project hooks', () => {
  test('may use English keys and keep their trust when the keys are translated', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', '');
    await place.declare(hook('node guard.cjs'));
    await place.hooks.trust(place.folder, 'guard');
    await place.declare({ id: 'guard', events: ['pre_tool_call'], command: 'node guard.cjs' });
    expect(await place.hooks.list(place.folder)).toEqual({
      rows: [{ id: 'guard', command: 'node guard.cjs', events: ['pre_tool_call'], isTrusted: true }],
    });
    await place.declare({ id: 'guard', events: ['pre_tool_call'] });
    expect(await place.hooks.list(place.folder)).toEqual({ problem: expect.stringContaining('command') });
  });

  test('are empty without a file, and report an unreadable file', async () => {
    await using place = await fixture();
    expect(await place.hooks.list(place.folder)).toEqual({ rows: [] });
    for (const text of [
      '{',
      '[]',
      '{"hooks": 3}',
      '{"hooks":[{"id":"../x","eventi":["pre_tool_call"],"comando":"echo"}]}',
    ]) {
      await place.write('.svc/hooks.json', text);
      expect(await place.hooks.list(place.folder)).toHaveProperty('problem');
      await expect(place.hooks.trust(place.folder, 'guard')).rejects.toMatchObject({ code: 'HOOK_INVALID' });
      expect(await place.tell()).toBeUndefined();
    }
  });

  test('are not run without trust, and the first of a repeated id counts', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', script(''));
    await place.declare(hook('node guard.cjs'), hook('echo other'));
    expect(await place.hooks.list(place.folder)).toEqual({
      rows: [{ id: 'guard', command: 'node guard.cjs', events: ['pre_tool_call'], isTrusted: false }],
    });
    expect(await place.tell()).toBeUndefined();
    expect(await place.ran()).toBe(false);
    await expect(place.hooks.trust(place.folder, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await place.hooks.trust(place.folder, 'guard');
    expect(await place.hooks.list(place.folder)).toMatchObject({ rows: [{ isTrusted: true }] });
    await place.tell('session_start');
    expect(await place.ran()).toBe(false);
    await place.tell();
    expect(await place.ran()).toBe(true);
  });

  test('decide by their output, then by their exit code, and refuse when they cannot run', async () => {
    await using place = await fixture();
    const cases: [string, unknown][] = [
      ['', undefined],
      ['process.exit(3)', ''],
      ['process.stderr.write("no rm here"); process.exit(1)', 'no rm here'],
      ['console.log(JSON.stringify({consentito: true})); process.exit(1)', undefined],
      ['console.log(JSON.stringify({consentito: false, motivo: "because"}))', 'because'],
      ['process.kill(process.pid, "SIGKILL")', ''],
      ['process.stdout.write("x".repeat(100000))', 'it did not end by itself (output-limit)'],
    ];
    for (const [code, reason] of cases) {
      await place.write('guard.cjs', script(code));
      await place.declare(hook('node guard.cjs'));
      await place.hooks.trust(place.folder, 'guard');
      expect([code, (await place.tell())?.reason]).toEqual([code, reason]);
    }
  });

  test('get the event in a variable and no secrets', async () => {
    await using place = await fixture();
    await place.write(
      'guard.cjs',
      'console.log(JSON.stringify({consentito: false, motivo: JSON.stringify([JSON.parse(process.env.SVC_HOOK_EVENTO).strumento, process.env.SECRET_TOKEN ?? null])}))',
    );
    await place.declare(hook('node guard.cjs'));
    await place.hooks.trust(place.folder, 'guard');
    expect((await place.tell('pre_tool_call', { strumento: 'shell' }))?.reason).toBe('["shell",null]');
  });

  const READS = 'const event = JSON.parse(require("node:fs").readFileSync(0, "utf8"));';
  const DENIES_RM = 'process.exitCode = event.argomenti.comando.includes("rm -rf") ? 1 : 0;';
  const LIMIT = 96 * 1024;
  const command = (length: number, end = '') => ({ argomenti: { comando: `${'x'.repeat(length)}${end}` } });

  test('get the whole event on standard input at any length', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', `${READS} ${DENIES_RM}`);
    await place.declare(hook('node guard.cjs'));
    await place.hooks.trust(place.folder, 'guard');
    for (const length of [0, LIMIT, 200_000, 5_000_000]) {
      expect([length, await place.tell('pre_tool_call', command(length))]).toEqual([length, undefined]);
      expect([length, await place.tell('pre_tool_call', command(length, 'rm -rf'))]).toEqual([
        length,
        { hookId: 'guard', reason: '' },
      ]);
    }
  });

  test('deny an event too long for the variable unless they read their input', async () => {
    await using place = await fixture();
    const { length: more } = JSON.stringify({
      evento: 'pre_tool_call',
      sessionId: 's',
      cartella: place.folder,
      ...command(0),
    });
    const cases: [string, unknown][] = [
      ['', expect.stringContaining('did not read the event')],
      ['console.log(JSON.stringify({consentito: true}))', expect.stringContaining('did not read the event')],
      ['require("node:fs").closeSync(0)', expect.stringContaining('did not read the event')],
      ['require("node:fs").readSync(0, Buffer.alloc(65536))', expect.stringContaining('did not read the event')],
      ['process.stderr.write("no"); process.exit(1)', 'no'],
      [READS, undefined],
    ];
    for (const [code, reason] of cases) {
      await place.write('guard.cjs', code);
      await place.declare(hook('node guard.cjs'));
      await place.hooks.trust(place.folder, 'guard');
      const reasonAt = async (length: number) => (await place.tell('pre_tool_call', command(length)))?.reason;
      expect([code, await reasonAt(LIMIT - more)]).toEqual([code, code.includes('exit(1)') ? 'no' : undefined]);
      expect([code, await reasonAt(LIMIT - more + 1)]).toEqual([code, reason]);
    }
  });

  test('run only node and echo, without a shell', async () => {
    await using place = await fixture();
    for (const comando of ['sh -c true', './node guard.cjs', '/usr/bin/env node', 'NODE', '']) {
      await place.declare(hook(comando || ' '));
      await expect(place.hooks.trust(place.folder, 'guard')).rejects.toMatchObject({ code: 'HOOK_INVALID' });
    }
    await place.declare(hook('echo ok && touch ran; $(touch ran) `touch ran` > ran'));
    await place.hooks.trust(place.folder, 'guard');
    expect(await place.tell()).toBeUndefined();
    expect(await place.ran()).toBe(false);
  });

  test('refuse after ten seconds', async () => {
    const hurried = {
      ...ambient,
      timer: (ms: number, act: () => void) => ambient.timer(ms === 10_000 ? 300 : ms, act),
    };
    await using place = await fixture(hurried);
    await place.write('guard.cjs', 'setInterval(() => {}, 1000)');
    await place.declare(hook('node guard.cjs'));
    await place.hooks.trust(place.folder, 'guard');
    expect((await place.tell())?.reason).toBe('it did not end by itself (timeout)');
  });
});

describe('hook trust', () => {
  const changes: [string, (place: Awaited<ReturnType<typeof fixture>>) => Promise<unknown>][] = [
    ['another argument', (place) => place.declare(hook('node guard.cjs --more'))],
    ['another program', (place) => place.declare(hook('echo guard.cjs'))],
    ['another event', (place) => place.declare(hook('node guard.cjs', { eventi: ['session_start', 'pre_tool_call'] }))],
    ['one byte of the script', (place) => place.write('guard.cjs', script(' '))],
    ['another case of its name', (place) => place.declare(hook('node Guard.cjs'))],
    ['the script gone', (place) => rm(join(place.folder, 'guard.cjs'))],
    [
      'the script a link to the same bytes',
      async (place) => {
        const bytes = await readFile(join(place.folder, 'guard.cjs'));
        await writeFile(join(place.folder, 'real.cjs'), bytes);
        await rm(join(place.folder, 'guard.cjs'));
        await symlink('real.cjs', join(place.folder, 'guard.cjs'));
      },
    ],
    ['a file that an option names', (place) => place.write('extra.cjs', 'changed')],
  ];
  test.each(changes)('%s: revokes trust and does not run', async (_what, change) => {
    await using place = await fixture();
    await place.write('guard.cjs', script(''));
    await place.write('extra.cjs', '');
    await place.declare(hook('node guard.cjs --require=extra.cjs'));
    if (_what !== 'a file that an option names') await place.declare(hook('node guard.cjs'));
    await place.hooks.trust(place.folder, 'guard');
    await change(place);
    expect(await place.hooks.list(place.folder)).toMatchObject({ rows: [{ isTrusted: false }] });
    await place.tell();
    expect(await place.ran()).toBe(false);
  });

  test('is stored outside the project, per project, readable by the owner', async () => {
    await using place = await fixture();
    await place.write('guard.cjs', script(''));
    await place.declare(hook('node guard.cjs'));
    await place.hooks.trust(place.folder, 'guard');
    const other = join(place.folder, '..', 'other');
    await mkdir(join(other, '.svc'), { recursive: true });
    await writeFile(join(other, '.svc/hooks.json'), await readFile(join(place.folder, '.svc/hooks.json')));
    await writeFile(join(other, 'guard.cjs'), script(''));
    expect(await place.hooks.list(await realFolder(other))).toMatchObject({ rows: [{ isTrusted: false }] });
  });
});
