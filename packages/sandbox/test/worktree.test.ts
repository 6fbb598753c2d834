import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessOutcome, type RunningProcess, systemAmbient } from '@fucina/shared';
import { OPEN_TO_ALL, type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { sandboxedFolder } from './sandboxed-folder.ts';

const ambient = systemAmbient('silent');

interface Place extends AsyncDisposable {
  /** In the main repository, outside the sandbox. */
  git(...args: string[]): string;
  start(script: string): Promise<RunningProcess>;
  run(script: string): Promise<ProcessOutcome>;
}

/** A repository with packed and unpacked objects, and a sandbox whose commands run in a worktree of it. */
async function placeIn(dir: TempDir): Promise<Place> {
  const main = join(dir.path, 'main');
  await dir.write({ 'home/.gitconfig': '[user]\n\tname = A\n\temail = a@b.example\n', 'main/a': 'a\n' });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', main, ...args], {
      env: { ...process.env, HOME: join(dir.path, 'home') },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'packed');
  git('gc', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'unpacked');
  git('branch', 'other');
  git('worktree', 'add', '-q', '-b', 'side', join(dir.path, 'worktree'));
  await mkdir(join(dir.path, 'data'));
  const { contain, run, ...place } = sandboxedFolder(dir.path, { name: 'worktree' });
  return { ...place, git, run, start: async (script) => (await contain(script)).start() };
}

/**
 * The objects that git misses. While others commit, fsck reports objects that were added after it had begun, in any
 * repository: those are there when asked for by name.
 */
function lostIn(repository: string): string[] {
  const run = (...args: string[]) => spawnSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
  const { stdout, stderr } = run('fsck', '--no-dangling');
  const named = `${stdout}${stderr}`.match(/\b[0-9a-f]{40}\b/g) ?? [];
  return [...new Set(named)].filter((id) => run('cat-file', '-e', id).status !== 0);
}

const COMMITS = 'for n in $(seq 100); do echo $n > file; git add file && git commit -qm $n || exit; done';

test('keeps a repository whole for git outside while a command in a worktree commits a hundred times', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await using place = await placeIn(dir);
  const running = await place.start(COMMITS);
  let isOver = false;
  const over = running.done.then((outcome) => {
    isOver = true;
    return outcome;
  });
  let looks = 0;
  for (; !isOver; looks += 1) {
    expect(lostIn(join(dir.path, 'main'))).toEqual([]);
    place.git('rev-list', '--objects', '--quiet', '--all');
    await ambient.sleep(1);
  }
  expect((await over).exitCode).toBe(0);
  expect(looks).toBeGreaterThan(1);
  expect(place.git('rev-list', '--count', 'side')).toBe('102\n');
  expect((await place.run('git log --oneline | wc -l')).stdout.bytes.toString().trim()).toBe('102');
  expect(place.git('fsck', '--no-dangling', '--full')).toBe('');
});

test('keeps every object and other branch against a command in a worktree that deletes what it can', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await using place = await placeIn(dir);
  const objects = join(dir.path, 'main/.git/objects');
  const left = join(dir.path, 'main/.git/fucina-objects-left');
  await mkdir(left);
  await utimes(left, new Date(0), new Date(0));
  await place.run(
    `cd ${objects}; chmod -R u+w .; rm -rf * ; for f in pack/*; do : > $f; mv $f gone; done; mv pack gone; rm -rf pack`,
  );
  await place.run('git branch -D main other; git gc -q --prune=now; git prune; git repack -adq');
  expect(place.git('fsck', '--no-dangling', '--full')).toBe('');
  expect(place.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/heads/other\nrefs/heads/side\n');
  expect(place.git('log', '--format=%s', 'side')).toBe('unpacked\npacked\n');
  expect((await readdir(join(dir.path, 'main/.git'))).filter((name) => name.startsWith('fucina-'))).toEqual([]);
});

test('keeps what a command committed against the next one', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await using place = await placeIn(dir);
  const git = join(dir.path, 'main/.git');
  const made = await place.run(
    'echo 1 > file && git add file && git commit -qm one && git branch made && git branch kept',
  );
  expect(made.stderr.bytes.toString()).toBe('');
  // Its own branch alone can be replaced.
  await place.run(
    `cd ${git}/objects; chmod -R u+w .; rm -rf *; for f in pack/*; do : > $f; rm -f $f; done; rm -f ../refs/heads/made`,
  );
  await place.run('git branch -D kept; git gc -q --prune=now; git prune --expire=now');
  expect(place.git('fsck', '--no-dangling', '--full')).toBe('');
  expect(place.git('log', '--format=%s', 'side')).toBe('one\nunpacked\npacked\n');
  expect(place.git('for-each-ref', '--format=%(refname:short)')).toBe('kept\nmade\nmain\nother\nside\n');
});

test('keeps tables of references against a command, which can add one and list it', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await using place = await placeIn(dir);
  const tables = join(dir.path, 'main/.git/reftable');
  await dir.write({ 'main/.git/reftable/tables.list': '0x1.ref\n', 'main/.git/reftable/0x1.ref': 'all branches' });
  await place.run(`cd ${tables}; chmod u+w *; : > 0x1.ref; mv 0x1.ref gone; rm -f 0x1.ref; echo new > 0x2.ref`);
  const { stderr } = await place.run(
    `cd ${tables}; printf '0x1.ref\\n0x2.ref\\n' > tables.list.lock; mv tables.list.lock tables.list; rm -f 0x2.ref`,
  );
  expect(stderr.bytes.toString()).toContain('0x2.ref');
  const files = await Promise.all(
    (await readdir(tables)).map(async (name) => [name, await readFile(join(tables, name), 'utf8')]),
  );
  expect(Object.fromEntries(files)).toEqual({
    '0x1.ref': 'all branches',
    '0x2.ref': 'new\n',
    'tables.list': '0x1.ref\n0x2.ref\n',
  });
});

test('keeps a repository whole when a committing command is killed', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await using place = await placeIn(dir);
  const running = await place.start(COMMITS);
  while (Number(place.git('rev-list', '--count', 'side')) < 10) await ambient.sleep(5);
  process.kill(-(running.pid ?? 0), 'SIGKILL');
  await running.done;
  expect(place.git('fsck', '--no-dangling', '--full')).toBe('');
  const outcome = await place.run(
    'rm -f $(git rev-parse --git-dir)/*.lock; git commit -q --allow-empty -m after && git status --short | wc -l',
  );
  expect([outcome.exitCode, outcome.stderr.bytes.toString()]).toEqual([0, '']);
  expect(place.git('fsck', '--no-dangling', '--full')).toBe('');
});
