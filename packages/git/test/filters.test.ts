import { execFileSync } from 'node:child_process';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit, type Git } from '../src/git.ts';
import type { ProgramTrust } from '../src/programs/program-trust.ts';

const ambient = systemAmbient('silent');
const home = { HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };

const environment = { ...process.env, ...home };

/** Trust in memory. */
function memoryTrust(): ProgramTrust {
  const known = new Map<string, string>();
  const keyOf = ({ folder, id }: { folder: string; id: string }): string => `${folder} ${id}`;
  return {
    isTrusted: async (program) => known.get(keyOf(program)) === program.sha256,
    trust: async (program) => void known.set(keyOf(program), program.sha256),
  };
}

const gitOf = (env: Record<string, string | undefined> = environment): Git =>
  createGit({ ambient, environment: env, programTrust: memoryTrust() });

/** Stores secrets with every letter moved by 13, as an encryption would. */
const ROT = 'tr A-Za-z N-ZA-Mn-za-m';
async function rotRepo(files: Record<string, string> = {}): Promise<TempRepo> {
  const repo = await tempRepo({ 'a.txt': 'a\n', '.gitattributes': '*.key filter=rot\n', ...files });
  await repo.git('config', 'filter.rot.clean', ROT);
  await repo.git('config', 'filter.rot.smudge', ROT);
  await repo.git('config', 'filter.rot.required', 'true');
  await repo.write({ 'k.key': 'secret one\n' });
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'key');
  return repo;
}

const REFUSED = { code: 'GIT_COMMAND_FAILED', reason: 'filter-not-trusted', params: { filter: 'rot', path: 'k.key' } };
const inGit = (repo: TempRepo, path = 'k.key'): Promise<string> => repo.git('show', `HEAD:${path}`);
async function trustAll(git: Git, folder: string): Promise<void> {
  for (const { name, fingerprint } of (await git.programs.read(folder)).filters)
    await git.programs.trustFilter(folder, { name, fingerprint });
}
/** As after a copy of the folder: git cannot tell from the times that the file is unchanged. */
const touch = (repo: TempRepo, path = 'k.key'): Promise<void> => utimes(join(repo.path, path), 1e9, 1e9);

describe('a filter of the repository that is not trusted', () => {
  const ACTS: Record<string, (git: Git, repo: TempRepo) => Promise<unknown>> = {
    stage: (git, { path }) => git.staging.stage(path, ['k.key']),
    'stage of the folder above': (git, { path }) => git.staging.stage(path, ['a.txt', 'k.key']),
    commit: (git, { path }) => git.commits.paths(path, ['k.key'], 'two'),
    discard: (git, { path }) => git.staging.discard(path, ['k.key']),
    stash: (git, { path }) => git.stashes.push(path, { hasNew: false }),
    diff: (git, { path }) => git.reading.diff(path, 'k.key', 'work'),
  };
  test.each(Object.entries(ACTS))('refuses %s of its files and changes nothing', async (_name, act) => {
    await using repo = await rotRepo();
    await repo.write({ 'k.key': 'secret two\n', 'a.txt': 'b\n' });
    const before = await repo.git('rev-parse', 'HEAD', ':k.key', ':a.txt');
    await expect(act(gitOf(), repo)).rejects.toMatchObject(REFUSED);
    expect(await repo.git('rev-parse', 'HEAD', ':k.key', ':a.txt')).toBe(before);
    expect(await readFile(join(repo.path, 'k.key'), 'utf8')).toBe('secret two\n');
    expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('b\n');
    expect(await repo.git('stash', 'list')).toBe('');
  });

  test('refuses a new file below a folder that is staged', async () => {
    await using repo = await rotRepo();
    await repo.write({ 'deep/er/new.key': 'secret\n' });
    await expect(gitOf().staging.stage(repo.path, ['deep'])).rejects.toMatchObject({
      ...REFUSED,
      params: { filter: 'rot', path: 'deep/er/new.key' },
    });
  });

  test('refuses to switch, pop and pull what it converts, and changes nothing', async () => {
    await using repo = await rotRepo();
    await repo.git('switch', '-qc', 'other');
    await repo.write({ 'k.key': 'secret two\n' });
    await repo.git('commit', '-qam', 'two');
    await repo.git('switch', '-q', 'main');
    await repo.write({ 'k.key': 'secret three\n' });
    await repo.git('stash', '-q');
    const git = gitOf();
    await expect(git.branches.switch(repo.path, 'other')).rejects.toMatchObject(REFUSED);
    const [stash] = await git.stashes.list(repo.path);
    await expect(git.stashes.pop(repo.path, { index: 0, commit: stash?.commit ?? '' })).rejects.toMatchObject(REFUSED);
    await repo.git('branch', '-q', '--set-upstream-to=other');
    await expect(git.remotes.pull(repo.path)).rejects.toMatchObject(REFUSED);
    expect(await repo.git('status', '--porcelain', '--branch')).toMatch(/^## main\.\.\.other/);
    expect(await readFile(join(repo.path, 'k.key'), 'utf8')).toBe('secret one\n');
  });

  test('refuses to switch to a branch whose attributes name it', async () => {
    await using repo = await rotRepo();
    await repo.git('switch', '-qc', 'plain');
    await repo.write({ '.gitattributes': '' });
    await repo.git('rm', '-q', '--cached', 'k.key');
    await repo.write({ 'k.key': 'plain\n' });
    await repo.git('add', '-A');
    await repo.git('commit', '-qm', 'plain');
    await expect(gitOf().branches.switch(repo.path, 'main')).rejects.toMatchObject(REFUSED);
    expect(await repo.git('status', '--porcelain', '--branch')).toBe('## plain');
  });

  test('leaves other files alone: they are staged, committed and discarded', async () => {
    await using repo = await rotRepo();
    const git = gitOf();
    await repo.write({ 'a.txt': 'b\n' });
    await git.staging.stage(repo.path, ['a.txt']);
    await git.staging.unstage(repo.path, ['a.txt']);
    await git.commits.paths(repo.path, ['a.txt'], 'b');
    await repo.write({ 'a.txt': 'c\n' });
    await git.staging.discard(repo.path, ['a.txt']);
    expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('b\n');
    expect(await inGit(repo)).toBe('frperg bar');
  });

  test('does not show a file as changed, and names it as not compared', async () => {
    await using repo = await rotRepo();
    const git = gitOf();
    await touch(repo);
    await repo.write({ 'a.txt': 'b\n' });
    const state = await git.reading.state(repo.path);
    expect(state.entries.map(({ path }) => path)).toEqual(['a.txt']);
    expect(state.summary).toMatchObject({ total: 1, unstaged: 1 });
    expect(await git.programs.read(repo.path)).toMatchObject({
      notCompared: ['k.key'],
      filters: [{ name: 'rot', clean: ROT, smudge: ROT, process: null, isRequired: true, isTrusted: false }],
    });
    await trustAll(git, repo.path);
    expect((await git.reading.state(repo.path)).entries.map(({ path }) => path)).toEqual(['a.txt']);
    expect((await git.programs.read(repo.path)).notCompared).toEqual([]);
  });
});

describe('a trusted filter', () => {
  test('runs: the commit and the index have its output, discard and stash restore its input', async () => {
    await using repo = await rotRepo();
    const git = gitOf();
    await trustAll(git, repo.path);
    const file = (): Promise<string> => readFile(join(repo.path, 'k.key'), 'utf8');
    await repo.write({ 'k.key': 'secret two\n' });
    expect((await git.reading.diff(repo.path, 'k.key', 'work')).text).toContain('+frperg gjb');
    await git.staging.stage(repo.path, ['k.key']);
    expect(await repo.git('show', ':k.key')).toBe('frperg gjb');
    await repo.write({ 'k.key': 'secret three\n' });
    await git.staging.discard(repo.path, ['k.key']);
    expect(await file()).toBe('secret two\n');
    await git.stashes.push(repo.path, { hasNew: false });
    expect(await file()).toBe('secret one\n');
    const [stash] = await git.stashes.list(repo.path);
    await git.stashes.pop(repo.path, { index: 0, commit: stash?.commit ?? '' });
    expect(await file()).toBe('secret two\n');
    await git.commits.paths(repo.path, ['k.key'], 'two');
    expect(await inGit(repo)).toBe('frperg gjb');
    expect((await git.reading.state(repo.path)).entries).toEqual([]);
  });

  test('is refused again after its command changes, by one character', async () => {
    await using repo = await rotRepo();
    const git = gitOf();
    await trustAll(git, repo.path);
    await repo.git('config', 'filter.rot.clean', `${ROT} `);
    await repo.write({ 'k.key': 'secret two\n' });
    await expect(git.staging.stage(repo.path, ['k.key'])).rejects.toMatchObject(REFUSED);
    const [seen] = (await git.programs.read(repo.path)).filters;
    await repo.git('config', 'filter.rot.clean', 'cat');
    await expect(
      git.programs.trustFilter(repo.path, { name: 'rot', fingerprint: seen?.fingerprint ?? '' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND', reason: 'filter' });
  });

  test('that is required and fails stops the operation', async () => {
    await using repo = await rotRepo();
    const git = gitOf();
    await repo.git('config', 'filter.rot.clean', 'false');
    await trustAll(git, repo.path);
    await repo.write({ 'k.key': 'secret two\n' });
    await expect(git.commits.paths(repo.path, ['k.key'], 'two')).rejects.toMatchObject({
      code: 'GIT_COMMAND_FAILED',
      reason: 'filter-failed',
    });
    expect(await repo.git('log', '--format=%s')).toBe('key\nStart');
  });
});

describe('a filter of the user for all repositories', () => {
  test('runs, also where the repository repeats it, and not where it says something else', async () => {
    await using house = await tempDir();
    await using repo = await rotRepo();
    const env = { ...environment, HOME: house.path };
    for (const [key, value] of [
      ['clean', ROT],
      ['smudge', ROT],
      ['required', 'true'],
    ])
      execFileSync('git', ['config', '--global', `filter.rot.${key}`, value ?? ''], { env });
    const git = gitOf(env);
    await repo.write({ 'k.key': 'secret two\n' });
    await git.commits.paths(repo.path, ['k.key'], 'two');
    expect(await inGit(repo)).toBe('frperg gjb');
    expect((await git.programs.read(repo.path)).filters).toEqual([]);
    await repo.git('config', 'filter.rot.required', 'false');
    await writeFile(join(repo.path, 'k.key'), 'secret three\n');
    await expect(git.commits.paths(repo.path, ['k.key'], 'three')).rejects.toMatchObject(REFUSED);
  });
});

test('git-crypt: commits cipher text once trusted, and nothing before', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  execFileSync('git-crypt', ['init'], { cwd: repo.path, stdio: 'ignore' });
  await repo.write({ '.gitattributes': '*.key filter=git-crypt diff=git-crypt\n' });
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'attributes');
  await repo.write({ 'k.key': 'SECRET\n' });
  const git = gitOf();
  await expect(git.commits.paths(repo.path, ['k.key'], 'x')).rejects.toMatchObject({ reason: 'filter-not-trusted' });
  await trustAll(git, repo.path);
  await git.commits.paths(repo.path, ['k.key'], 'x');
  const stored = execFileSync('git', ['cat-file', 'blob', 'HEAD:k.key'], { cwd: repo.path });
  expect(stored.subarray(1, 9).toString()).toBe('GITCRYPT');
  await repo.write({ 'k.key': 'CHANGED\n' });
  await git.staging.discard(repo.path, ['k.key']);
  expect(await readFile(join(repo.path, 'k.key'), 'utf8')).toBe('SECRET\n');
});

test('git-lfs set up in the repository: commits a pointer once trusted, and nothing before', async () => {
  await using repo = await tempRepo({ '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' });
  execFileSync('git', ['lfs', 'install', '--local', '--skip-repo'], { cwd: repo.path, env: environment });
  // Other commands than those that a package of git-lfs may have set up for the whole system.
  await repo.git('config', 'filter.lfs.clean', 'git-lfs clean  -- %f');
  await repo.write({ 'big.bin': 'x'.repeat(5000) });
  const git = gitOf();
  await expect(git.staging.stage(repo.path, ['big.bin'])).rejects.toMatchObject({ reason: 'filter-not-trusted' });
  await trustAll(git, repo.path);
  await git.commits.paths(repo.path, ['big.bin'], 'x');
  expect(await inGit(repo, 'big.bin')).toMatch(/^version https:\/\/git-lfs/);
  await repo.write({ 'big.bin': 'other' });
  await git.staging.discard(repo.path, ['big.bin']);
  expect(await readFile(join(repo.path, 'big.bin'), 'utf8')).toBe('x'.repeat(5000));
});
