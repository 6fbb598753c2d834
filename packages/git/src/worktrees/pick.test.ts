import { chmod, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { codeOf, everything, type WorktreeFixture, worktreeFixture } from '../../test/worktree-fixture.ts';

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at}\n`);
const FILES = { 'a.txt': LINES.join(''), 'b.txt': 'b\n', 'sub/c.txt': 'c\n' };
const NOW = { isRehearsal: false };

interface Sides extends WorktreeFixture {
  /** Folders of two worktrees. */
  one: string;
  two: string;
}

async function sides(files: Record<string, string> = FILES): Promise<Sides> {
  const at = await worktreeFixture(files);
  const [one, two] = [await at.git.worktrees.create(at.repo.path, {}), await at.git.worktrees.create(at.repo.path, {})];
  return { ...at, one: one.path, two: two.path };
}

const text = (...path: string[]): Promise<string> => readFile(join(...path), 'utf8');
const edited = (changes: Record<number, string>): string =>
  LINES.map((line, at) => (changes[at] === undefined ? line : `${changes[at]}\n`)).join('');

/** A choice of a file as its diff shows it now. */
async function choice({ git }: WorktreeFixture, folder: string, path: string, more: object = {}) {
  const from = (await git.reading.branchPoint(folder, 'main')).base?.commit ?? '';
  const previous = (more as { previous?: string }).previous;
  const { fingerprint } = await git.reading.branchPointDiff(folder, { from, path, ...(previous && { previous }) });
  return { from, path, fingerprint, ...more };
}

describe('picking changes of several work trees', () => {
  test('takes hunks of the same file from two of them, beside uncommitted changes of the folder', async () => {
    await using at = await sides();
    await writeFile(join(at.one, 'a.txt'), edited({ 2: 'one', 20: 'not this' }));
    await gitIn(at.one)('commit', '-qam', 'One');
    await writeFile(join(at.two, 'a.txt'), edited({ 30: 'two' }));
    await at.repo.write({ 'a.txt': edited({ 39: 'mine' }) });
    const picks = [
      { folder: at.one, files: [await choice(at, at.one, 'a.txt', { hunks: [0] })] },
      { folder: at.two, files: [await choice(at, at.two, 'a.txt')] },
    ];
    const before = await everything(at);
    const rehearsed = await at.git.worktrees.pick(at.repo.path, picks, { isRehearsal: true });
    expect(rehearsed).toEqual({ isApplied: false, conflicts: [], paths: ['a.txt'], undoId: null });
    expect([await everything(at), await text(at.repo.path, 'a.txt')]).toEqual([before, edited({ 39: 'mine' })]);

    const picked = await at.git.worktrees.pick(at.repo.path, picks, NOW);
    expect(picked).toMatchObject({ isApplied: true, conflicts: [], paths: ['a.txt'] });
    expect(await text(at.repo.path, 'a.txt')).toBe(edited({ 2: 'one', 30: 'two', 39: 'mine' }));
    expect(await at.repo.git('diff', '--cached', '--name-only')).toBe('');
    expect(await text(at.one, 'a.txt')).toBe(edited({ 2: 'one', 20: 'not this' }));

    expect(await at.git.staging.discards(at.repo.path)).toEqual([]);
    expect(await at.git.worktrees.undoPick(at.repo.path, picked.undoId ?? '')).toMatchObject({
      restored: ['a.txt'],
      skipped: [],
    });
    expect(await text(at.repo.path, 'a.txt')).toBe(edited({ 39: 'mine' }));
    expect(await codeOf(at.git.worktrees.undoPick(at.repo.path, picked.undoId ?? ''))).toBe('NOT_FOUND discard-gone');
  });

  test('takes new, deleted, renamed, executable and linked files, and undo restores all of them', async () => {
    await using at = await sides({ ...FILES, 'old.txt': LINES.join(''), 'run.sh': 'x\n', gone: 'gone\n' });
    await at.repo.write({ 'sub/mine.txt': 'mine\n' });
    const before = await everything(at);
    await writeFile(join(at.one, 'new.bin'), Buffer.from([0, 1, 2, 255]));
    await rm(join(at.one, 'sub/c.txt'));
    await gitIn(at.one)('mv', 'old.txt', 'renamed.txt');
    await chmod(join(at.two, 'run.sh'), 0o755);
    await symlink('a.txt', join(at.two, 'link'));
    await rm(join(at.two, 'gone'));
    const files = async (folder: string, ...paths: string[]) =>
      Promise.all(paths.map((path) => choice(at, folder, path)));
    const picks = [
      {
        folder: at.one,
        files: [
          ...(await files(at.one, 'new.bin', 'sub/c.txt')),
          await choice(at, at.one, 'renamed.txt', { previous: 'old.txt' }),
        ],
      },
      { folder: at.two, files: await files(at.two, 'run.sh', 'link', 'gone') },
    ];
    const picked = await at.git.worktrees.pick(at.repo.path, picks, NOW);
    expect((await at.repo.git('status', '--porcelain')).split('\n').sort()).toEqual(
      [
        ' D gone',
        ' D old.txt',
        ' D sub/c.txt',
        ' M run.sh',
        '?? link',
        '?? new.bin',
        '?? renamed.txt',
        '?? sub/mine.txt',
      ].sort(),
    );
    const undone = await at.git.worktrees.undoPick(at.repo.path, picked.undoId ?? '');
    expect(undone.skipped).toEqual([]);
    expect((await everything(at)).git).toEqual(before.git);
  });

  test('reports conflicts with the folder and between the picks, and changes nothing', async () => {
    await using at = await sides();
    await writeFile(join(at.one, 'a.txt'), edited({ 5: 'one' }));
    await writeFile(join(at.two, 'a.txt'), edited({ 5: 'two' }));
    await writeFile(join(at.two, 'b.txt'), 'two\n');
    await at.repo.write({ 'b.txt': 'mine\n' });
    const picks = [
      { folder: at.one, files: [await choice(at, at.one, 'a.txt', { hunks: [0] })] },
      { folder: at.two, files: [await choice(at, at.two, 'a.txt'), await choice(at, at.two, 'b.txt')] },
    ];
    const before = await everything(at);
    expect(await at.git.worktrees.pick(at.repo.path, picks, NOW)).toEqual({
      isApplied: false,
      conflicts: [
        { pick: 1, path: 'a.txt' },
        { pick: 1, path: 'b.txt' },
      ],
      paths: [],
      undoId: null,
    });
    expect([await everything(at), await text(at.repo.path, 'a.txt')]).toEqual([before, FILES['a.txt']]);
  });

  test('applies to another worktree, and to a branch that has moved, only what was chosen', async () => {
    await using at = await sides();
    await writeFile(join(at.one, 'a.txt'), edited({ 5: 'one' }));
    await writeFile(join(at.one, 'b.txt'), 'not chosen\n');
    await at.repo.write({ 'a.txt': edited({ 35: 'main' }) });
    await at.repo.git('commit', '-qam', 'Main');
    const pick = { folder: at.one, files: [await choice(at, at.one, 'a.txt')] };
    await at.git.worktrees.pick(at.two, [pick], NOW);
    expect([await text(at.two, 'a.txt'), await text(at.two, 'b.txt')]).toEqual([edited({ 5: 'one' }), 'b\n']);
    await at.git.worktrees.pick(at.repo.path, [pick], NOW);
    expect(await text(at.repo.path, 'a.txt')).toBe(edited({ 5: 'one', 35: 'main' }));
  });

  test('is refused where it would lose something or is not what was shown', async () => {
    await using at = await sides({ ...FILES, '.gitignore': 'ignored\n' });
    await using other = await sides();
    await writeFile(join(at.one, 'a.txt'), edited({ 5: 'one' }));
    await writeFile(join(at.one, 'new.txt'), 'new\n');
    await rm(join(at.two, '.gitignore'));
    await writeFile(join(at.two, 'ignored'), 'new\n');
    await at.repo.write({ ignored: 'mine\n' });
    const a = await choice(at, at.one, 'a.txt');
    const pick = (...files: Awaited<ReturnType<typeof choice>>[]) =>
      at.git.worktrees.pick(at.repo.path, [{ folder: at.one, files }], NOW);
    const before = await everything(at);
    expect(await codeOf(pick())).toBe('GIT_PATHS_REQUIRED');
    expect(await codeOf(pick({ ...a, fingerprint: 'f'.repeat(64) }))).toBe('GIT_DIFF_CHANGED');
    expect(await codeOf(pick({ ...a, path: 'b.txt' }))).toBe('GIT_DIFF_CHANGED');
    expect(await codeOf(pick({ ...a, path: '../x' }))).toBe('GIT_PATH_INVALID');
    expect(await codeOf(pick({ ...a, from: 'main' }))).toBe('GIT_COMMIT_INVALID');
    expect(await codeOf(pick({ ...a, hunks: [1] } as never))).toBe('GIT_HUNK_INVALID index');
    expect(await codeOf(pick({ ...(await choice(at, at.one, 'new.txt')), hunks: [0] } as never))).toBe(
      'GIT_HUNK_UNSUPPORTED',
    );
    const ignored = [{ folder: at.two, files: [await choice(at, at.two, 'ignored')] }];
    expect(await codeOf(at.git.worktrees.pick(at.repo.path, ignored, NOW))).toBe(
      'GIT_WORKTREE_DIRTY ignored-in-the-way',
    );
    const foreign = [{ folder: other.one, files: [a] }];
    expect(await codeOf(at.git.worktrees.pick(at.repo.path, foreign, NOW))).toBe('GIT_COMMIT_UNKNOWN no-common-commit');
    expect([await everything(at), await text(at.repo.path, 'ignored')]).toEqual([before, 'mine\n']);
    await pick(a);
    expect(await codeOf(pick(a))).toBe('GIT_PATH_UNCHANGED');
  });
});
