import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createFormatterChoices } from '../src/formatters/formatter-choices.ts';
import { createFormatters, type Formatters } from '../src/formatters/formatters.ts';

const ambient = systemAmbient('silent');

/** A project whose prettier is this program, and formatters without a sandbox: what that does is tested elsewhere. */
async function projectWith(
  program: string,
  { trusted = new Set<string>(), limitMs = 10_000, systemPrograms = [] as string[] } = {},
) {
  const [project, data] = [await tempDir(), await tempDir()];
  const folder = project.path;
  const bin = join(folder, 'node_modules/.bin/prettier');
  await mkdir(dirname(bin), { recursive: true });
  const write = async (text: string): Promise<void> => {
    await writeFile(bin, `#!/bin/sh\n${text}\n`);
    await chmod(bin, 0o755);
  };
  await write(program);
  for (const name of systemPrograms) await writeFile(join(data.path, name), '#!/bin/sh\ncat\n', { mode: 0o755 });
  const keyOf = async (argv: readonly string[]): Promise<string> => readFile(argv[0] ?? '', 'utf8');
  const choices = createFormatterChoices(ambient, join(data.path, 'language/formatters.json'));
  const formatters: Formatters = createFormatters({
    ambient,
    limitMs,
    choices,
    environment: { PATH: `${data.path}:${dirname(process.execPath)}:/usr/bin:/bin` },
    contain: async ({ argv }) => ({
      argv,
      cwd: folder,
      extraEnvironment: {},
      isContainer: false,
      files: [],
      release: async () => undefined,
    }),
    trust: {
      isTrusted: async ({ argv }) => trusted.has(await keyOf(argv)),
      trust: async ({ argv }) => void trusted.add(await keyOf(argv)),
    },
  });
  const format = (path = 'a.ts', text = 'a  =  1') =>
    formatters.format({ folder, path, text, signal: new AbortController().signal });
  return {
    folder,
    write,
    formatters,
    format,
    choices,
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
    },
  };
}

describe('a formatter', () => {
  test('is off until the user turns it on, which trusts the program of the project', async () => {
    await using at = await projectWith('tr -s " "');
    expect(await at.format()).toBeUndefined();
    expect(await at.formatters.rows(at.folder)).toEqual([
      {
        id: 'prettier',
        extensions: expect.arrayContaining(['.ts', '.md']),
        command: join(at.folder, 'node_modules/.bin/prettier'),
        isOfProject: true,
        isOn: false,
        isTrusted: false,
      },
    ]);
    expect(await at.formatters.turn(at.folder, 'prettier', true)).toMatchObject({ isOn: true, isTrusted: true });
    expect(await at.format()).toEqual({ id: 'prettier', text: 'a = 1' });
    expect(await at.format('a.unknown')).toBeUndefined();
    await at.formatters.turn(at.folder, 'prettier', false);
    expect(await at.format()).toBeUndefined();
  });

  test('of the system is listed in projects of its language, and while it is on', async () => {
    await using at = await projectWith('cat', { systemPrograms: ['gofmt'] });
    const ids = async () => (await at.formatters.rows(at.folder)).map(({ id }) => id);
    expect(await ids()).toEqual(['prettier']);
    await at.formatters.turn(at.folder, 'gofmt', true);
    expect(await ids()).toEqual(['prettier', 'gofmt']);
    await at.formatters.turn(at.folder, 'gofmt', false);
    await writeFile(join(at.folder, 'go.mod'), 'module m\n');
    expect(await ids()).toEqual(['prettier', 'gofmt']);
  });

  test('gets the path of the file, and its text on standard input', async () => {
    await using at = await projectWith('echo "$@"; cat');
    await at.formatters.turn(at.folder, 'prettier', true);
    expect(await at.format('src/b.css', 'text')).toMatchObject({ text: '--stdin-filepath src/b.css\ntext' });
  });

  test('that changed since it was trusted does not run', async () => {
    await using at = await projectWith('cat');
    await at.formatters.turn(at.folder, 'prettier', true);
    await at.write('echo other');
    expect(await at.format()).toEqual({ id: 'prettier', problem: 'it changed since the user trusted it' });
  });

  test.each([
    ['fails', 'echo "bad syntax" >&2; echo half; exit 2', 'bad syntax', 120_000],
    ['fails without a word', 'exit 2', 'it ended with exit code 2', 120_000],
    ['prints nothing', 'exit 0', 'it printed nothing', 120_000],
    ['takes too long', 'sleep 600', 'it took too long', 500],
  ])('that %s leaves a reason', async (_name, program, problem, limitMs) => {
    await using at = await projectWith(program, { limitMs });
    await at.formatters.turn(at.folder, 'prettier', true);
    expect(await at.format()).toEqual({ id: 'prettier', problem });
  });

  test('that is not installed is NOT_FOUND', async () => {
    await using at = await projectWith('cat');
    await expect(at.formatters.turn(at.folder, 'biome', true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('an unreadable file of choices turns everything off, and is written anew', async () => {
  await using at = await projectWith('cat');
  await using data = await tempDir();
  const file = join(data.path, 'formatters.json');
  await writeFile(file, '{');
  const choices = createFormatterChoices(ambient, file);
  expect(await choices.isOn(at.folder, 'prettier')).toBe(false);
  await Promise.all([choices.turn('/a', 'prettier', true), choices.turn('/b', 'biome', true)]);
  expect([await choices.isOn('/a', 'prettier'), await choices.isOn('/b', 'biome')]).toEqual([true, true]);
});
