import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { shellIn, type TempDir, tempDir, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGit } from '../src/git.ts';
import { shell, type TwoCopies, twoCopies } from './two-copies.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const git = createGit({ ambient, environment });

/** Every kind of change at once, all kinds of names, both kinds of line ends. */
const CHANGES = `
  printf 'b\\r\\nb\\r\\n' > crlf.txt; printf 'b\\nb\\n' > normal.crlf
  echo more >> both.txt; git add both.txt; echo again >> both.txt
  git mv 'old name.txt' 'new name.txt'; echo staged > staged.txt; git add staged.txt
  rm gone.txt; git rm -q gone-staged.txt; chmod +x plain.txt; ln -sf b.txt link; rm turned; ln -s plain.txt turned
  rm -r folder; echo file > folder; rm file; mkdir file; echo in > file/in
  printf 'x\\0y' > bytes.bin; echo new > "$(printf 'caf\\351')"; mkdir -p 'a dir/é'; echo 1 > 'a dir/é/[x]*'
  echo c >> sub/in.txt; echo staged >> sub/staged.txt; git add sub/staged.txt
  echo fresh > sub/fresh.txt; (cd lib && echo l >> l.txt && git -c user.name=x -c user.email=x@x commit -qam l)
`;

let place: TempDir;
/** A repository `repo` with a submodule, another branch and changes, next to the bare one that it follows. */
beforeAll(async () => {
  await using lib = await tempRepo({ 'l.txt': 'l\n' });
  place = await tempDir();
  const names = [
    'both.txt',
    'old name.txt',
    'gone.txt',
    'gone-staged.txt',
    'plain.txt',
    'turned',
    'file',
    'folder/a',
    'sub/in.txt',
    'sub/staged.txt',
  ];
  await place.write({
    ...Object.fromEntries(names.map((name) => [`repo/${name}`, `the text of ${name}\nin two lines\n`])),
    'repo/crlf.txt': 'a\r\nb\r\n',
    'repo/normal.crlf': 'a\r\nb\r\n',
    'repo/bytes.bin': 'a\0b',
    'repo/.gitattributes': '*.crlf text eol=crlf\n',
  });
  await shellIn(place.path)(`
    git init -q --bare --initial-branch=main remote.git; git init -q --initial-branch=main repo; cd repo
    git config user.name x; git config user.email x@x.invalid; ln -s a.txt link
    git -c protocol.file.allow=always submodule --quiet add '${lib.path}' lib
    git add -A; git commit -qm Start; git remote add origin ../remote.git; git push -q -u origin main; git branch other
    echo last > last.txt; git add last.txt; git commit -qm Last
  `);
  shell(join(place.path, 'repo'), CHANGES);
});
afterAll(async () => place[Symbol.asyncDispose]());

/** Runs our operation in one copy and plain git in the other, and compares them. */
type Step = [
  name: string,
  ours: (folder: string) => Promise<unknown>,
  plainly: (twin: TwoCopies) => Promise<unknown> | void,
  /** Runs in both copies first. */
  first?: string,
];
/** A file that git knows only by name (intent to add). */
const HOPED = 'echo hoped > hoped.txt; git add -N hoped.txt';
const everything = [
  '.gitattributes',
  'a dir',
  'both.txt',
  'bytes.bin',
  'crlf.txt',
  'file',
  'folder',
  'gone.txt',
  'hoped.txt',
];
const print = async (folder: string): Promise<string> => (await git.reading.state(folder)).fingerprint;
const head = async (folder: string): Promise<string> => (await git.reading.history(folder)).head ?? '';
const newest = async (folder: string) => ({ index: 0, commit: (await git.stashes.list(folder))[0]?.commit ?? '' });
const sub = (folder: string): string => join(folder, 'sub');

const STEPS: readonly Step[] = [
  [
    'staging of many kinds',
    (folder) =>
      git.staging.stage(folder, [...everything, 'lib', 'link', 'normal.crlf', 'plain.txt', 'turned', 'caf\uefe9']),
    ({ shell: run }) =>
      run(
        `git add -A -- ${everything.map((name) => `'${name}'`).join(' ')} lib link normal.crlf plain.txt turned caf*`,
      ),
    HOPED,
  ],
  [
    'unstaging',
    (folder) =>
      git.staging.unstage(folder, ['both.txt', 'new name.txt', 'old name.txt', 'gone-staged.txt', 'hoped.txt']),
    ({ plainly }) =>
      plainly('restore', '--staged', '--', 'both.txt', 'new name.txt', 'old name.txt', 'gone-staged.txt', 'hoped.txt'),
    HOPED,
  ],
  [
    'discarding',
    (folder) =>
      git.staging.discard(folder, [
        'both.txt',
        'plain.txt',
        'link',
        'turned',
        'gone.txt',
        'a dir',
        'crlf.txt',
        'normal.crlf',
        'caf\uefe9',
      ]),
    ({ shell: run }) =>
      run(
        "git restore -- both.txt plain.txt turned gone.txt crlf.txt normal.crlf; git clean -fdq -- link 'a dir' caf*; git restore -- link",
      ),
  ],
  [
    'discarding where a file took the place of a folder, and a folder that of a file',
    (folder) => git.staging.discard(folder, ['file', 'folder']),
    ({ shell: run }) => run('rm -r file folder; git restore -- file folder'),
  ],
  [
    'discarding in a folder',
    (folder) => git.staging.discard(sub(folder), ['in.txt', 'fresh.txt']),
    ({ shell: run }) => run('git restore -- sub/in.txt; rm sub/fresh.txt'),
  ],
  [
    'a commit of paths',
    (folder) =>
      git.commits.paths(folder, ['crlf.txt', 'gone.txt', 'new name.txt', 'a dir', 'turned', 'lib'], 'Some\n\nof it'),
    ({ shell: run }) =>
      run(
        "git add -- 'a dir'; git commit -q -m 'Some\n\nof it' --only -- crlf.txt gone.txt 'old name.txt' 'new name.txt' 'a dir' turned lib",
      ),
  ],
  [
    'a commit of paths of a folder',
    (folder) => git.commits.paths(sub(folder), ['in.txt', 'fresh.txt', 'staged.txt'], 'Sub'),
    ({ shell: run }) => run('git add sub/fresh.txt; git commit -q -m Sub --only -- sub'),
  ],
  [
    'a commit of what is staged',
    async (folder) => git.commits.staged(folder, 'Staged', await print(folder)),
    ({ plainly }) => plainly('commit', '-qm', 'Staged'),
  ],
  [
    'an amendment',
    async (folder) =>
      git.commits.amend(folder, { message: 'Other', fingerprint: await print(folder), commit: await head(folder) }),
    ({ plainly }) => plainly('commit', '-q', '--amend', '-m', 'Other'),
  ],
  [
    'an undo',
    async (folder) => git.commits.undo(folder, await head(folder)),
    ({ plainly }) => plainly('reset', '-q', '--soft', 'HEAD~1'),
  ],
  [
    'the staging of a hunk',
    async (folder) => {
      const { fingerprint } = await git.reading.diff(folder, 'both.txt', 'work');
      return git.staging.hunk(folder, { path: 'both.txt', area: 'work', index: 0, fingerprint, action: 'stage' });
    },
    ({ plainly }) => plainly('add', 'both.txt'),
  ],
  [
    'a commit on no branch',
    async (folder) => git.commits.staged(folder, 'Alone', await print(folder)),
    ({ plainly }) => plainly('commit', '-qm', 'Alone'),
    'git checkout -q --detach',
  ],
  [
    'a first commit',
    async (folder) => git.commits.staged(folder, 'First', await print(folder)),
    ({ plainly }) => plainly('commit', '-qm', 'First'),
    'git update-ref -d HEAD',
  ],
  [
    'the end of a merge',
    async (folder) => git.commits.staged(folder, 'Both', await print(folder)),
    ({ plainly }) => plainly('commit', '-qm', 'Both'),
    `git reset -q --hard; git clean -fdq; git switch -q other; echo o > last.txt; git add .; git commit -qm o; git switch -q main
     git merge -q other || true; echo both > last.txt; git add last.txt`,
  ],
  [
    'a commit and a stash in a linked work tree',
    async (folder) => {
      const tree = join(folder, '../tree');
      await git.commits.paths(tree, ['w.txt'], 'W');
      return git.stashes.push(tree, { hasNew: false });
    },
    ({ shell: run }) => run('cd ../tree; git add w.txt; git commit -qm W; git stash push -q'),
    'git worktree add -q -b side ../tree; echo w > ../tree/w.txt; echo z >> ../tree/last.txt',
  ],
  [
    'a new branch',
    (folder) => git.branches.create(folder, 'feature/x'),
    ({ plainly }) => plainly('switch', '-q', '-c', 'feature/x'),
  ],
  ['a switch', (folder) => git.branches.switch(folder, 'other'), ({ plainly }) => plainly('switch', '-q', 'other')],
  [
    'a rename',
    (folder) => git.branches.rename(folder, 'main', 'trunk'),
    ({ plainly }) => plainly('branch', '-m', 'main', 'trunk'),
  ],
  [
    'a branch deleted',
    (folder) => git.branches.delete(folder, 'other', false),
    ({ plainly }) => plainly('branch', '-q', '-d', 'other'),
  ],
  [
    'a stash',
    (folder) => git.stashes.push(folder, { message: 'm', hasNew: false }),
    ({ plainly }) => plainly('stash', 'push', '-q', '-m', 'm'),
  ],
  [
    'a stash with new files',
    (folder) => git.stashes.push(folder, { hasNew: true }),
    ({ plainly }) => plainly('stash', 'push', '-q', '-u'),
  ],
  [
    'a stash brought back',
    async (folder) => {
      await git.stashes.push(folder, { hasNew: true });
      return git.stashes.pop(folder, await newest(folder));
    },
    async ({ plainly }) => {
      await plainly('stash', 'push', '-q', '-u');
      await plainly('stash', 'pop', '-q');
    },
    // git itself cannot restore that.
    'rm -r file; git restore file',
  ],
  ['a push', (folder) => git.remotes.push(folder), ({ plainly }) => plainly('push', '-q')],
  [
    'a fetch and a pull',
    async (folder) => {
      await git.staging.unstage(
        folder,
        (await git.reading.state(folder)).entries
          .filter((one) => one.isStaged)
          .flatMap((one) => [one.path, ...(one.from ? [one.from] : [])]),
      );
      pushOthers(folder);
      await git.remotes.fetch(folder);
      return git.remotes.pull(folder);
    },
    async ({ plain, shell: run }) => {
      run("git restore --staged -- both.txt 'new name.txt' 'old name.txt' gone-staged.txt staged.txt sub");
      pushOthers(plain);
      run(
        'git pull -q --no-rebase --no-edit; git commit -q --amend -m "Merge remote-tracking branch \'origin/main\'" --only',
      );
    },
  ],
];

/** Someone else's commit on the followed branch. */
function pushOthers(folder: string): void {
  shell(
    join(folder, '..'),
    'git clone -q remote.git theirs; cd theirs; echo t > theirs.txt; git add .; git -c user.name=t -c user.email=t@t commit -qm Theirs; git push -q; cd ..; rm -rf theirs',
  );
}

test('a stash that replaced a file with a folder and cannot be applied stays in the list', async () => {
  await using twin = await twoCopies(place.path, 'repo');
  await git.stashes.push(twin.ours, { hasNew: true });
  await twin.plainly('stash', 'push', '-q', '-u');
  await expect(git.stashes.pop(twin.ours, await newest(twin.ours))).rejects.toMatchObject({
    code: 'GIT_STASH_CONFLICT',
  });
  const { ours, plain } = await twin.described();
  expect(ours).toBe(plain);
});

describe('gives the same results as plain git', () => {
  for (const [name, ours, plainly, first] of STEPS) {
    test(name, async () => {
      await using twin = await twoCopies(place.path, 'repo');
      if (first !== undefined) for (const folder of [twin.ours, twin.plain]) shell(folder, first);
      const before = await twin.described();
      expect(before.ours).toBe(before.plain);
      await ours(twin.ours);
      await plainly(twin);
      const after = await twin.described();
      expect(after.ours).toBe(after.plain);
      expect(after.ours).not.toBe(before.ours);
    });
  }
});
