import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { processesWith, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { languageFor, projectWith, TSCONFIG } from './projects.ts';

const signal = new AbortController().signal;
const edit = { sessionId: 's', changes: [{ path: 'a.ts', before: '', after: 'const a: string = 1;\n' }], signal };

/** A server as a project brings it: a program of Node in `node_modules/.bin`. */
async function projectWithProgram(source: string) {
  const temporary = await tempDir();
  const bin = join(temporary.path, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'tsgo'), `#!${process.execPath}\n${source}`);
  await chmod(join(bin, 'tsgo'), 0o755);
  await writeFile(join(temporary.path, 'a.ts'), '');
  return { folder: temporary.path, [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose]() };
}
const waitFor = async (isDone: () => Promise<boolean>): Promise<void> => {
  while (!(await isDone())) await new Promise((go) => setTimeout(go, 25));
};

test('a program of the project does not start before the user trusts it', async () => {
  await using project = await projectWith('typescript', { 'tsconfig.json': TSCONFIG, 'a.ts': '' });
  const { folder } = project;
  const asked: string[] = [];
  let trusted = '';
  await using language = languageFor({
    trust: {
      isTrusted: async ({ argv }) => {
        asked.push(argv[0]);
        return trusted === argv[0];
      },
      trust: async ({ argv }) => void (trusted = argv[0]),
    },
    contain: async ({ argv }) => {
      expect(trusted).toBe(argv[0]);
      return undefined;
    },
  });
  expect(await language.checks.afterEdit({ ...edit, folder })).toBe('');
  expect(await language.servers.rows(folder)).toMatchObject([{ id: 'typescript', state: 'untrusted' }]);
  expect(asked[0]).toBe(join(folder, 'node_modules/.bin/tsc'));
  expect(await language.servers.trust(folder, 'typescript')).toMatchObject({ state: 'unsandboxed' });
  await expect(language.servers.trust(folder, 'absent')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a server that hangs while it starts delays no edit', async () => {
  await using project = await projectWithProgram('setInterval(() => undefined, 1000);');
  const system = systemAmbient('silent');
  // The limit of an edit never ends: none of these waits for it.
  const timer = (ms: number, act: () => void) => (ms === 1_500 ? () => undefined : system.timer(ms, act));
  await using language = languageFor({ ambient: { ...system, timer } });
  const { folder } = project;
  for (let turn = 0; turn < 5; turn++) expect(await language.checks.afterEdit({ ...edit, folder })).toBe('');
  expect(await language.servers.rows(folder)).toMatchObject([{ state: 'starting' }]);
});

test('a server that crashes is started again later and later, and its message is shown', async () => {
  await using project = await projectWithProgram("process.stderr.write('no licence'); process.exit(1);");
  let passed = 0;
  const ambient = { ...systemAmbient('silent'), monotonic: () => passed };
  let starts = 0;
  await using language = languageFor({
    ambient,
    contain: async ({ argv, folder }) => {
      starts++;
      const release = async (): Promise<void> => undefined;
      return { argv, cwd: folder, extraEnvironment: {}, isContainer: false, files: [], release };
    },
  });
  const { folder } = project;
  const use = async (): Promise<string> => language.checks.afterEdit({ ...edit, folder });
  const failed = async (): Promise<boolean> => (await language.servers.rows(folder))[0]?.state === 'failed';
  await use();
  await waitFor(failed);
  expect(await language.servers.rows(folder)).toMatchObject([{ problem: 'no licence' }]);
  await use();
  expect(starts).toBe(1);
  passed += 2_001;
  await use();
  await waitFor(async () => starts === 2 && (await failed()));
  passed += 2_001;
  await use();
  expect(starts).toBe(2);
  passed += 2_001;
  await use();
  await waitFor(async () => starts === 3);
});

test('ends its processes when it is idle, when the folder is left and at the end', async () => {
  await using project = await projectWith('typescript', { 'tsconfig.json': TSCONFIG, 'a.ts': '' });
  const { folder } = project;
  const running = (): number => processesWith(`${folder}/node_modules/.bin/tsc`).length;
  {
    await using language = languageFor({ idleMs: 300 });
    await language.checks.ofFile({ folder, path: 'a.ts' });
    await waitFor(async () => (await language.servers.rows(folder))[0]?.state === 'stopped');
  }
  {
    await using language = languageFor();
    await language.checks.ofFile({ folder, path: 'a.ts' });
    expect(await language.servers.rows(folder)).toMatchObject([{ state: 'ready' }]);
    await language.servers.stop(folder);
    expect(await language.servers.rows(folder)).toMatchObject([{ state: 'stopped' }]);
    await language.checks.ofFile({ folder, path: 'a.ts' });
  }
  expect(running()).toBe(0);
});

test('a folder without a server for the file changes nothing', async () => {
  await using temporary = await tempDir();
  await using language = languageFor({ environment: { PATH: '/nonexistent' } });
  expect(await language.checks.afterEdit({ ...edit, folder: temporary.path })).toBe('');
  expect(await language.servers.rows(temporary.path)).toEqual([]);
});

test('finds servers of the user before the known ones, and reports a file that cannot be read', async () => {
  await using project = await projectWithProgram('');
  const file = join(project.folder, 'servers.json');
  await using language = languageFor({ serversFile: file });
  const rows = async () => language.servers.rows(project.folder);
  expect([await language.servers.problem(), (await rows()).map(({ id }) => id)]).toEqual([null, ['tsgo']]);
  const own = {
    id: 'mine',
    program: process.execPath,
    args: ['server.js'],
    languages: { '.rb': 'ruby', '.ts': 'typescript' },
  };
  await writeFile(file, JSON.stringify([own]));
  await using other = languageFor({ serversFile: file });
  expect(await other.servers.rows(project.folder)).toMatchObject([
    { id: 'mine', command: [process.execPath, 'server.js'], extensions: ['.rb', '.ts'], isOfProject: false },
    { id: 'tsgo' },
  ]);
  await writeFile(file, JSON.stringify([{ ...own, shell: 'x' }]));
  expect(await other.servers.problem()).toContain('shell');
  await writeFile(file, '[');
  expect(await other.servers.problem()).toContain('servers.json');
});

test('lists a server of the system only for projects in its language, or in use', async () => {
  await using temporary = await tempDir();
  const [bin, folder] = [join(temporary.path, 'bin'), join(temporary.path, 'project')];
  await mkdir(bin);
  await mkdir(folder);
  await writeFile(join(bin, 'gopls'), '#!/bin/sh\necho no >&2; exit 1\n', { mode: 0o755 });
  await using language = languageFor({ environment: { PATH: bin } });
  expect(await language.servers.rows(folder)).toEqual([]);
  await writeFile(join(folder, 'go.mod'), 'module x\n');
  expect(await language.servers.rows(folder)).toMatchObject([{ id: 'gopls', isOfProject: false, state: 'stopped' }]);
  await rm(join(folder, 'go.mod'));
  const changes = [{ path: 'a.go', before: '', after: 'package a\n' }];
  await language.checks.afterEdit({ sessionId: 's', folder, changes, signal });
  await waitFor(async () => (await language.servers.rows(folder))[0]?.state === 'failed');
});
