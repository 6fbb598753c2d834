import { describe, expect, test } from '@jest/globals';
import { pairsOf, readPatch } from '../../parts/patch.ts';
import type { GitEntry, GitState } from '../../wire/git.ts';
import { canDiscard, currentEntryOf, groupsOf, pathsOf, shownFileOf, splitPaths } from './groups.ts';

const entry = (more: Partial<GitEntry>): GitEntry => ({
  path: 'a.txt',
  repositoryPath: 'a.txt',
  from: null,
  x: ' ',
  y: ' ',
  kind: 'modified',
  isStaged: false,
  isUnstaged: false,
  isConflict: false,
  isFolder: false,
  isNestedRepository: false,
  ...more,
});
const state = (...entries: GitEntry[]) => ({ entries }) as GitState;

describe('groups of changed files', () => {
  test('list a partly staged file in two groups and a conflict only once', () => {
    const groups = groupsOf(
      state(
        entry({ x: 'M', y: 'M', isStaged: true, isUnstaged: true }),
        entry({ path: 'c', isConflict: true, isStaged: true, isUnstaged: true }),
        entry({ path: 'n', kind: 'untracked', isUnstaged: true }),
      ),
    );
    expect(
      groups.map(({ name, files }) => `${name} ${files.map((file) => file.entry.path + file.letter).join()}`),
    ).toEqual(['conflicts cU', 'staged a.txtM', 'changed a.txtM', 'fresh n?']);
  });

  test('find a staged file in the other area and do not find a committed one', () => {
    const now = state(entry({ x: 'M', isStaged: true }));
    expect(currentEntryOf(now, 'a.txt', 'worktree')?.area).toBe('index');
    expect(currentEntryOf(now, 'b.txt', 'worktree')).toBeUndefined();
  });

  test('show the first listed file while none is named, and never another one for a committed name', () => {
    const now = state(entry({ isUnstaged: true }), entry({ path: 'c', isConflict: true }));
    expect(shownFileOf(now, { file: undefined, area: 'worktree' })?.entry.path).toBe('c');
    expect(shownFileOf(now, { file: 'a.txt', area: 'worktree' })?.entry.path).toBe('a.txt');
    expect(shownFileOf(now, { file: 'gone.txt', area: 'worktree' })).toBeUndefined();
    expect(shownFileOf(state(), { file: undefined, area: 'worktree' })).toBeUndefined();
  });

  test('unstage both names of a rename and split paths into accepted batches', () => {
    const [group] = groupsOf(state(entry({ x: 'R', isStaged: true, from: 'old.txt', kind: 'renamed' })));
    expect(pathsOf(group?.files ?? [])).toEqual(['a.txt', 'old.txt']);
    expect(splitPaths(Array.from({ length: 2_001 }, (_, at) => `${at}`)).map(({ length }) => length)).toEqual([
      1_000, 1_000, 1,
    ]);
  });

  test('cannot discard nested repositories and conflicts', () => {
    const files = groupsOf(
      state(
        entry({ isNestedRepository: true, isUnstaged: true }),
        entry({ isConflict: true }),
        entry({ isUnstaged: true }),
      ),
    ).flatMap((group) => group.files);
    expect(files.map(canDiscard)).toEqual([false, false, true]);
  });
});

const PATCH = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@ function one() {
 same
--- looks like a header
+new words\r
@@ -20 +20,2 @@
-old
\\ No newline at end of file
+old
+more
`;

describe('a git patch', () => {
  test('is parsed hunk by hunk with line numbers of both sides', () => {
    const patch = readPatch(PATCH);
    expect([patch.added, patch.removed, patch.isWhole]).toEqual([3, 2, false]);
    expect(patch.hunks.map(({ place }) => place)).toEqual(['function one() {', '']);
    expect(patch.hunks[0]?.lines.map(({ old, new: fresh, text }) => [old, fresh, text])).toEqual([
      [1, 1, 'same'],
      [2, undefined, '-- looks like a header'],
      [undefined, 2, 'new words'],
    ]);
  });

  test('of a new file or mode can only be staged as a whole', () => {
    expect(readPatch('diff --git a/n b/n\nnew file mode 100644\n@@ -0,0 +1 @@\n+one\n').isWhole).toBe(true);
    const mode = readPatch('diff --git a/n b/n\nold mode 100644\nnew mode 100755\n');
    expect([mode.mode, mode.isWhole]).toEqual([['100644', '100755'], true]);
  });

  test('pairs removed and added lines side by side', () => {
    const [, second] = readPatch(PATCH).hunks;
    expect(pairsOf(second?.lines ?? []).map(({ left, right }) => [left?.text, right?.text])).toEqual([
      ['old', 'old'],
      [undefined, 'more'],
    ]);
  });
});
