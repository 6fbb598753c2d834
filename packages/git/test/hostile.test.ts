import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WriteView } from '@fucina/sandbox';
import { systemAmbient } from '@fucina/shared';
import { gitIn, tempDir } from '@fucina/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createGit, type Git } from '../src/git.ts';
import type { IndexSnapshot } from '../src/reading/index-snapshot.ts';
import { createLauncher } from '../src/run/launcher.ts';
import { type HostileFixture, hostileFixture } from './hostile-repo.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const worktreesDir = join(tmpdir(), `fucina-hostile-worktrees-${process.pid}`);
/** Programs that ran could not leave their traces in a view: nothing may run without one either. */
const writeView: WriteView = { state: async () => 'missing', open: async () => undefined };
const git = createGit({ ambient, environment, worktreesDir, writeView });

let fixture: HostileFixture;
beforeAll(async () => {
  fixture = await hostileFixture();
});
afterEach(async () => expect(await fixture.ran()).toEqual([]));
afterAll(async () => {
  await rm(worktreesDir, { recursive: true, force: true });
  await fixture[Symbol.asyncDispose]();
});

type Acts<Part> = { [Name in keyof Part]: (folder: string) => Promise<unknown> };
type Parts = Omit<
  Git,
  'portrait' | 'branchOf' | 'snapshot' | 'workTreeOf' | 'viewState' | 'within' | 'codeHost' | 'pulls'
> & {
  snapshot: IndexSnapshot;
};

const head = async (folder: string): Promise<string> => (await git.reading.history(folder)).head ?? '';
const print = async (folder: string): Promise<string> => (await git.reading.state(folder)).fingerprint;
const stash = async (folder: string) => ({ index: 0, commit: (await git.stashes.list(folder))[0]?.commit ?? '' });
const clean = async (folder: string): Promise<void> => {
  await git.staging.unstage(folder, ['e.txt']);
  await git.staging.discard(folder, ['a.txt', 'b.evil', 'e.txt']);
};
const hunk = async (folder: string): Promise<unknown> => {
  const { fingerprint } = await git.reading.diff(folder, 'a.txt', 'work');
  return git.staging.hunk(folder, { path: 'a.txt', area: 'work', index: 0, fingerprint, action: 'stage' });
};

const worktree = (folder: string) => git.worktrees.create(folder, { title: 'x', carriesChanges: true });
/** A file and a hunk of a worktree, merged into the folder. */
async function picked(folder: string) {
  const { path, base } = await worktree(folder);
  await clean(folder);
  await writeFile(join(path, 'b.evil'), 'picked');
  await writeFile(join(path, 'also.evil'), 'picked');
  const from = base.commit;
  const choice = async (name: string) => ({
    from,
    path: name,
    fingerprint: (await git.reading.branchPointDiff(path, { from, path: name })).fingerprint,
  });
  const files = [{ ...(await choice('b.evil')), hunks: [0] }, await choice('also.evil')];
  const outcome = await git.worktrees.pick(folder, [{ folder: path, files }], { isRehearsal: false });
  expect(outcome.isApplied).toBe(true);
  return outcome;
}

async function snapshotOf(folder: string): Promise<IndexSnapshot> {
  const index = join(await mkdtemp(join(tmpdir(), 'fucina-snapshot-')), 'index');
  const snapshot = await git.snapshot(folder, index);
  if (!snapshot) throw new Error('no snapshot');
  return snapshot;
}

/** Each operation with input that it can act on. */
const ACTS: { [Part in keyof Parts]: Acts<Parts[Part]> } = {
  reading: {
    state: (folder) => git.reading.state(folder),
    branch: (folder) => git.reading.branch(folder),
    diff: (folder) => git.reading.diff(folder, 'a.txt', 'work'),
    history: (folder) => git.reading.history(folder),
    changes: async (folder) => git.reading.changes(folder, { to: await head(folder) }),
    changesDiff: async (folder) => git.reading.changesDiff(folder, { to: await head(folder), path: 'sub/c.txt' }),
    branchPoint: async (folder) => {
      const { files } = await git.reading.branchPoint(folder, 'other');
      const isUnsure = (await git.programs.read(folder)).filters.length > 0;
      // Whether a file differs that a filter converts is not known.
      const known = isUnsure ? ['new.txt'] : ['a.txt', 'b.evil', 'new.txt'];
      expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(known));
      return files;
    },
    branchPointDiff: async (folder) => {
      const from = await head(folder);
      for (const path of ['a.txt', 'b.evil', 'new.txt'])
        expect((await git.reading.branchPointDiff(folder, { from, path })).text).not.toBe('');
    },
  },
  snapshot: {
    renew: async (folder) => (await snapshotOf(folder)).renew(),
    differing: async (folder) => {
      const { paths } = await (await snapshotOf(folder)).differing();
      expect(paths).toEqual(expect.arrayContaining(['a.txt', 'new.txt']));
    },
    contents: async (folder) => {
      const snapshot = await snapshotOf(folder);
      await snapshot.renew();
      return snapshot.contents(['a.txt', 'sub/c.txt']);
    },
  },
  staging: {
    stage: (folder) => git.staging.stage(folder, ['a.txt', 'b.evil', 'new.txt']),
    stageWithMarkers: (folder) => git.staging.stageWithMarkers(folder, ['new.txt']),
    unstage: (folder) => git.staging.unstage(folder, ['e.txt']),
    discard: (folder) => git.staging.discard(folder, ['a.txt', 'b.evil', 'new.txt']),
    hunk,
    discards: git.staging.discards,
    undoDiscard: async (folder) => {
      await git.staging.discard(folder, ['a.txt', 'b.evil', 'new.txt']);
      const [newest] = await git.staging.discards(folder);
      return git.staging.undoDiscard(folder, newest?.id ?? '');
    },
  },
  commits: {
    paths: (folder) => git.commits.paths(folder, ['a.txt', 'b.evil', 'new.txt'], 'x'),
    staged: async (folder) => git.commits.staged(folder, 'x', await print(folder)),
    amend: async (folder) =>
      git.commits.amend(folder, { message: 'x', fingerprint: await print(folder), commit: await head(folder) }),
    undo: async (folder) => git.commits.undo(folder, await head(folder)),
    suggest: (folder) =>
      git.commits.suggest(folder, { language: 'en', ask: async () => ({ text: 'Said', model: 'none/none' }) }),
    init: async (folder) => {
      await rm(join(folder, '.git'), { recursive: true });
      return git.commits.init(folder, false);
    },
  },
  branches: {
    list: (folder) => git.branches.list(folder),
    switch: async (folder) => {
      await clean(folder);
      return git.branches.switch(folder, 'other');
    },
    create: (folder) => git.branches.create(folder, 'fresh'),
    rename: (folder) => git.branches.rename(folder, 'other', 'another'),
    delete: (folder) => git.branches.delete(folder, 'other', true),
  },
  stashes: {
    list: (folder) => git.stashes.list(folder),
    push: (folder) => git.stashes.push(folder, { hasNew: true }),
    pop: async (folder) => git.stashes.pop(folder, await stash(folder)),
    drop: async (folder) => git.stashes.drop(folder, await stash(folder)),
  },
  remotes: {
    list: (folder) => git.remotes.list(folder),
    sync: (folder) => git.remotes.sync(folder),
    fetch: (folder) => git.remotes.fetch(folder, 'origin'),
    stopFetch: (folder) => git.remotes.stopFetch(folder),
    pull: async (folder) => {
      await clean(folder);
      return git.remotes.pull(folder);
    },
    push: async (folder) => {
      await git.branches.create(folder, 'fresh');
      return git.remotes.push(folder);
    },
  },
  programs: {
    read: (folder) => git.programs.read(folder),
    trustFilter: (folder) =>
      git.programs
        .trustFilter(folder, { name: 'evil', fingerprint: '' })
        .catch((error) => expect(error.code).toBe('NOT_FOUND')),
    chooseHook: (folder) =>
      git.programs
        .chooseHook(folder, { name: 'pre-commit', fingerprint: '', runs: 'outside' })
        .catch((error) => expect(error.code).toBe('NOT_FOUND')),
    hookRuns: (folder) => git.programs.hookRuns(folder),
    stopHook: (folder) => git.programs.stopHook(folder),
    followHooks: (folder) => git.programs.followHooks(folder, () => undefined),
  },
  worktrees: {
    list: async (folder) => {
      await worktree(folder);
      expect(await git.worktrees.list(folder)).toHaveLength(1);
    },
    read: async (folder) => git.worktrees.read((await worktree(folder)).id),
    record: async (folder) => git.worktrees.record((await worktree(folder)).id),
    bases: (folder) => git.worktrees.bases(folder),
    create: async (folder) => {
      const made = await worktree(folder);
      expect(made.state?.changedCount).toBeGreaterThan(2);
      await git.worktrees.create(folder, { title: 'y', base: 'other', carriesChanges: true });
    },
    remove: async (folder) => {
      const made = await worktree(folder);
      await expect(git.worktrees.remove(made.id)).rejects.toMatchObject({ code: 'GIT_WORKTREE_DIRTY' });
      await git.worktrees.remove(made.id, { isForced: true, deletesBranch: true });
    },
    merge: async (folder) => {
      const { id, path } = await worktree(folder);
      await clean(folder);
      await writeFile(join(path, 'b.evil'), 'merged');
      await git.commits.paths(folder, ['new.txt', 'included.cfg'], 'Here too');
      expect(await git.worktrees.merge(id, { message: 'x' })).toMatchObject({ way: 'merge' });
    },
    takeFiles: async (folder) => {
      const { id, path } = await worktree(folder);
      await clean(folder);
      await writeFile(join(path, 'b.evil'), 'taken');
      await git.worktrees.takeFiles(id, ['b.evil']);
    },
    pick: (folder) => picked(folder),
    undoPick: async (folder) => {
      const { undoId } = await picked(folder);
      expect((await git.worktrees.undoPick(folder, undoId ?? '')).restored.sort()).toEqual(['also.evil', 'b.evil']);
    },
    at: async (folder) => git.worktrees.at((await worktree(folder)).path),
  },
};

describe('a hostile repository runs no program', () => {
  for (const [part, acts] of Object.entries(ACTS)) {
    for (const [name, act] of Object.entries(acts)) {
      test(`through ${part}.${name}`, async () => {
        await using copied = await fixture.copy();
        await withoutRefused(copied.repo);
        await act(copied.repo);
      });

      test(`through ${part}.${name} with filters and signers, which either are not needed or stop it`, async () => {
        await using copied = await fixture.copy();
        const reason = await act(copied.repo).then(
          () => 'done',
          (error) => error.reason,
        );
        expect(['done', 'filter-not-trusted', 'signing-not-trusted']).toContain(reason);
      });
    }
  }

  test('through folder details, a branch lookup and plain commands', async () => {
    await using copied = await fixture.copy();
    await withoutRefused(copied.repo);
    const folder = copied.repo;
    expect(await git.portrait(folder)).toMatchObject({ branch: 'main', isRepositoryRoot: true });
    expect(await git.branchOf(folder)).toBe('main');
    const launcher = createLauncher({ ambient, environment });
    const repository = { root: folder, gitDir: join(folder, '.git') };
    const read = (...args: string[]): Promise<string> => launcher.read({ folder, repository, args });
    expect(await read('status', '--porcelain')).toContain('a.txt');
    expect(await read('log', '-p', '--no-ext-diff', '--no-textconv', '--show-signature')).toContain('+mine');
    expect(await read('blame', 'a.txt')).toContain('Changed');
    expect(await read('show', '--no-ext-diff', '--no-textconv', 'HEAD')).toContain('+mine');
    expect(await read('hash-object', 'a.txt', 'b.evil')).toMatch(/^[0-9a-f]{40}\n[0-9a-f]{40}\n$/);
  });

  test('through a rebasing pull, a merge driver or commit signing', async () => {
    for (const [setting, code] of [
      ['pull.rebase=true', 'GIT_PULL_FAILED'],
      ['pull.rebase=interactive', 'GIT_PULL_FAILED'],
      ['merge.verifySignatures=true', 'GIT_PULL_FAILED'],
      ['branch.main.mergeOptions=--gpg-sign', undefined],
    ] as const) {
      await using copied = await fixture.copy();
      await withoutRefused(copied.repo);
      const [key = '', value = ''] = setting.split(/=(.*)/);
      await git.commits.paths(copied.repo, ['a.txt', 'b.evil'], 'Here too').catch(() => undefined);
      await git.staging.unstage(copied.repo, ['e.txt']);
      gitConfig(copied.repo, key, value);
      const outcome = await git.remotes.pull(copied.repo).catch((error) => error.code);
      if (code !== undefined) expect([setting, outcome]).toEqual([setting, code]);
    }
  });

  test('through a hook that pushes references', async () => {
    await using copied = await fixture.copy();
    spawnSync('git', ['config', '--file', join(copied.remote, 'config'), 'receive.procReceiveRefs', 'refs']);
    await git.branches.create(copied.repo, 'fresh');
    await expect(git.remotes.push(copied.repo)).rejects.toMatchObject({ code: 'GIT_PUSH_REJECTED' });
  });

  test('through the text of a pull request', async () => {
    await using copied = await fixture.copy();
    await using tools = await tempDir();
    const answer = '{"data":{"repository":{"defaultBranchRef":{"name":"main"}}}}';
    await tools.write({ gh: `#!/bin/sh\n[ "$1" = --version ] && echo "gh version 2.101.0 (x)" || echo '${answer}'\n` });
    const gh = join(tools.path, 'gh');
    await chmod(gh, 0o755);
    gitConfig(copied.repo, 'remote.origin.url', 'https://github.com/me/sample.git');
    const { pulls } = createGit({ ambient, environment: { ...environment, FUCINA_GH: gh } });
    expect(await pulls.draft(copied.repo, undefined)).toMatchObject({ base: 'main', isBaseKnown: true, title: 'Mine' });
  });

  test('through a remote address', async () => {
    const addresses = (marker: string): Record<string, string>[] => [
      { 'remote.origin.url': `ext::sh -c 'touch ${marker}'` },
      { 'remote.origin.url': `--upload-pack=touch ${marker}` },
      { 'remote.origin.url': `ssh://-oProxyCommand=touch%20${marker}/x` },
      { 'remote.origin.url': `-oProxyCommand=touch ${marker}:x` },
      { 'remote.origin.url': 'ssh://127.0.0.1:1/x' },
      { 'remote.origin.url': 'http://127.0.0.1:1/x', 'http.proxy': 'http://127.0.0.1:1' },
      { 'remote.origin.url': 'git://127.0.0.1:1/x' },
      { 'remote.origin.url': 'evil::x' },
      { 'remote.origin.vcs': 'evil' },
      { 'remote.origin.url': 'short:x', [`url.ext::sh -c 'touch ${marker}' .insteadOf`]: 'short:' },
      { 'remote.origin.pushurl': `ext::sh -c 'touch ${marker}'` },
      { 'extensions.partialClone': 'origin', 'remote.origin.url': `ext::sh -c 'touch ${marker}'` },
    ];
    await using outside = await tempDir();
    const marker = join(outside.path, 'ran');
    for (const settings of addresses(marker)) {
      await using copied = await fixture.copy();
      for (const [key, value] of Object.entries(settings)) gitConfig(copied.repo, key, value);
      if ('extensions.partialClone' in settings) await loseAnObject(copied.repo);
      const asked = [git.remotes.fetch, git.remotes.push].map((ask) => ask(copied.repo, 'origin').catch((e) => e.code));
      await Promise.all([...asked, git.remotes.pull(copied.repo).catch((error) => error.code)]);
      await git.reading.diff(copied.repo, 'b.evil', 'work').catch(() => undefined);
      expect([settings, spawnSync('ls', [marker]).status]).toEqual([settings, 2]);
    }
  });

  test('through a missing object that git would fetch from a path', async () => {
    await using copied = await fixture.copy();
    await using outside = await tempDir();
    const evil = { url: '../remote.git', uploadpack: `sh -c 'touch ${join(outside.path, 'ran')}'` };
    for (const [key, value] of Object.entries(evil)) gitConfig(copied.repo, `remote.evil.${key}`, value);
    gitConfig(copied.repo, 'extensions.partialClone', 'evil');
    await loseAnObject(copied.repo);
    for (const ask of [git.remotes.fetch, git.remotes.push])
      await expect(ask(copied.repo, 'origin')).rejects.toMatchObject({ reason: 'partial-clone' });
    await expect(git.reading.diff(copied.repo, 'b.evil', 'work')).rejects.toMatchObject({
      code: 'GIT_COMMAND_FAILED',
    });
    for (const acts of Object.values(ACTS))
      for (const act of Object.values(acts)) await act(copied.repo).catch(() => undefined);
    expect(await readdir(outside.path)).toEqual([]);
  });

  test('through a bare repository inside the folder', async () => {
    await using dir = await tempDir();
    await gitIn(dir.path)('init', '-q', '--bare', 'bare');
    expect(await git.portrait(join(dir.path, 'bare'))).toBeUndefined();
    await expect(git.reading.state(join(dir.path, 'bare'))).rejects.toMatchObject({ code: 'GIT_NOT_A_REPOSITORY' });
  });
});

test('plain git would run its programs there', async () => {
  await using copied = await fixture.copy();
  const plain = (command: string): void =>
    void spawnSync('sh', ['-c', command], {
      cwd: copied.repo,
      env: { PATH: process.env.PATH, HOME: '/nonexistent' },
      timeout: 60_000,
    });
  for (const command of ['git config --unset core.worktree', 'git status', 'git fetch origin']) plain(command);
  for (const name of ['process', 'required']) plain(`git config --unset filter.evil.${name}`);
  for (const command of ['status', 'add -A', 'diff --cached', 'log -p', 'blame a.txt', 'stash', 'stash pop'])
    plain(`git ${command}`);
  plain('git commit --amend');
  plain(
    'git config commit.gpgSign false; git config merge.verifySignatures false; git commit -qam x; git push origin HEAD:refs/x/y',
  );
  plain('git config --unset remote.origin.receivepack; git push origin HEAD:refs/x/y; git push -f origin main');
  plain(
    'git config --unset branch.main.mergeOptions; git config --unset remote.origin.uploadpack; git pull --no-rebase',
  );
  plain('git rebase -i HEAD~1; git checkout -q -b x; git -c protocol.ext.allow=always submodule update --init');
  expect((await fixture.ran()).length).toBeGreaterThanOrEqual(24);
});

/** Without the settings for which most operations are refused: filters, whose attributes stay, and signing. */
async function withoutRefused(repo: string): Promise<void> {
  for (const name of ['.git/config', '.git/config.worktree', 'included.cfg']) {
    const text = await readFile(join(repo, name), 'utf8');
    await writeFile(join(repo, name), text.replace(/^\[filter .*\n(\t.*\n)*|^\tgpgSign = .*\n/gm, ''));
  }
}

function gitConfig(repo: string, key: string, value: string): void {
  const { status } = spawnSync('git', ['config', '--file', join(repo, '.git/config'), key, value]);
  if (status !== 0) throw new Error(`${key} could not be set`);
}

/** An object needed for a diff: a partial clone would fetch it. */
async function loseAnObject(repo: string): Promise<void> {
  const object = createHash('sha1').update('blob 2\0b\n').digest('hex');
  await rm(join(repo, '.git/objects', object.slice(0, 2), object.slice(2)));
  await writeFile(join(repo, '.git/config'), '[core]\n\trepositoryformatversion = 1\n', { flag: 'a' });
}
