import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { SAMPLE_BUG, sampleProject, shellIn, tempCopy, tempDir, tempRepo } from './index.ts';

const run = promisify(execFile);

test('a temporary folder is deleted at the end of its scope', async () => {
  let path: string;
  {
    await using dir = await tempDir();
    await dir.write({ 'a/b.txt': 'x' });
    path = dir.path;
    expect(existsSync(join(path, 'a/b.txt'))).toBe(true);
  }
  expect(existsSync(path)).toBe(false);
});

test('a temporary repository has one commit on main', async () => {
  await using repo = await tempRepo();
  expect(await repo.git('log', '--format=%s %an')).toBe('Start Fucina Test');
  expect(await repo.git('branch', '--show-current')).toBe('main');
});

test('a copy has the same commit, times and changes, and is independent', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a', 'link-target': '' });
  await shellIn(repo.path)("ln -s link-target link; touch -d '2026-01-02 03:04:05 UTC' a.txt; echo é >new.txt");
  await using copy = await tempCopy(repo.path);
  const described = 'git rev-parse HEAD; git status --porcelain; readlink link; stat -c %Y a.txt; cat new.txt';
  expect(await shellIn(copy.path)(described)).toBe(await shellIn(repo.path)(described));
  expect(await shellIn(copy.path)('cat new.txt')).toBe('\u00c3\u00a9\n');
  await copy.git('commit', '-q', '--allow-empty', '-m', 'Next');
  expect(await repo.git('log', '--format=%s')).toBe('Start');
  await expect(shellIn(repo.path)('false; echo reached')).rejects.toThrow('Command failed');
});

test('the sample project fails its tests until its bug is fixed', async () => {
  await using project = await sampleProject();
  // Otherwise a test run inside a test run would think that it is a child of the outer one.
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const tests = () => run(process.execPath, ['--test'], { cwd: project.path, env });
  await expect(tests()).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/^[#ℹ] fail 1$/m) });
  const file = join(project.path, SAMPLE_BUG.path);
  await writeFile(file, (await readFile(file, 'utf8')).replace(SAMPLE_BUG.before, SAMPLE_BUG.after));
  expect((await tests()).stdout).toMatch(/^[#ℹ] fail 0$/m);
});
