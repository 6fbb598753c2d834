import { chmod, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellIn, type TempDir, tempCopy, tempDir } from '@fucina/testkit';

export interface HostileFixture extends AsyncDisposable {
  /** A fresh repository at `<path>/repo`, whose remote is `../remote.git`; both try to run their own programs. */
  copy(): Promise<TempDir & { repo: string; remote: string }>;
  /** Names of the vectors that ran since the last call. */
  ran(): Promise<string[]>;
}

const HOOKS =
  `applypatch-msg commit-msg fsmonitor-watchman p4-changelist post-applypatch post-checkout post-commit post-index-change
  post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase
  pre-receive prepare-commit-msg proc-receive push-to-checkout query-watchman reference-transaction sendemail-validate update`.split(
    /\s+/,
  );

/**
 * A repository that tries to run its own program through every setting known to start one, with a remote that does the
 * same.
 */
export async function hostileFixture(): Promise<HostileFixture> {
  const dir = await tempDir();
  const [markers, bin, master] = ['markers', 'bin', 'master'].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [markers, bin, master]) await mkdir(folder);
  const command = (name: string): string => `sh -c 'touch "${markers}/${name}"; cat'`;
  const program = async (name: string): Promise<string> => {
    const path = join(bin, name);
    await writeFile(path, `#!/bin/sh\ntouch "${markers}/${name}"\ncat >/dev/null\nexit 0\n`);
    await chmod(path, 0o755);
    return path;
  };
  await peaceful(master);
  for (const gitDir of [join(master, 'repo/.git'), join(master, 'remote.git')]) {
    const where = gitDir.endsWith('/.git') ? 'here' : 'there';
    const hooks = join(gitDir, 'evil-hooks');
    await mkdir(hooks);
    for (const name of HOOKS) {
      const path = await program(`${where}-hook-${name}`);
      for (const folder of [hooks, join(gitDir, 'hooks')]) await cp(path, join(folder, name));
    }
    const settings = { ...(await evilSettings(where, { command, program })), ...(where === 'here' && HERE(command)) };
    await poison(gitDir, { 'core.hooksPath': hooks, ...settings });
  }
  await moreConfiguration(join(master, 'repo'), command);
  return {
    async copy() {
      const copied = await tempCopy(master);
      return Object.assign(copied, { repo: join(copied.path, 'repo'), remote: join(copied.path, 'remote.git') });
    },
    async ran() {
      const names = await readdir(markers);
      for (const name of names) await rm(join(markers, name));
      return names.sort();
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** State for every operation to act on: ahead and behind, staged, changed, stashed, another branch. */
async function peaceful(folder: string): Promise<void> {
  const lines = Array.from({ length: 30 }, (_value, index) => `line ${index}\n`);
  const text = (change: number): string => lines.map((line, index) => (index === change ? 'changed\n' : line)).join('');
  const repo = join(folder, 'repo');
  const run = shellIn(repo);
  const write = async (files: Record<string, string>): Promise<void> => {
    for (const [name, content] of Object.entries(files)) await writeFile(join(repo, name), content);
  };
  await mkdir(join(repo, 'sub'), { recursive: true });
  const attributes = '*.txt filter=evil diff=evil merge=evil\n*.evil filter=dot.ted=odd diff=inc merge=evil\n';
  await write({ '.gitattributes': attributes, 'a.txt': text(-1), 'b.evil': 'b\n', 'sub/c.txt': 'c\n' });
  await run(`
    git init -q --bare --initial-branch=main ../remote.git; git init -q --initial-branch=main
    git config user.name x; git config user.email x@x.invalid
    git add -A; git commit -qm Start; git remote add origin ../remote.git; git branch other
  `);
  await write({ 'a.txt': text(0), 'd.txt': 'theirs\n' });
  await run(`
    git add -A; git commit -qm Theirs; git push -q -u origin main
    git reset -q --hard HEAD~1; git update-ref refs/remotes/origin/main HEAD
    echo mine >sub/c.txt; git commit -qam Mine; echo 'put aside' >sub/c.txt; git stash push -q
    echo staged >e.txt; git add e.txt
  `);
  // Same size, different content: git must read the file, and runs filters for that.
  await write({ 'a.txt': text(20).replace('changed', 'Changed'), 'b.evil': 'B\n', 'new.txt': 'n\n' });
}

interface Kit {
  command(name: string): string;
  program(name: string): Promise<string>;
}

async function evilSettings(where: string, kit: Kit): Promise<Record<string, string>> {
  const command = (name: string): string => kit.command(`${where}-${name}`);
  const program = (name: string): Promise<string> => kit.program(`${where}-${name}`);
  return {
    'core.fsmonitor': await program('fsmonitor'),
    'core.sshCommand': command('ssh'),
    'core.pager': command('pager'),
    'pager.status': command('pager-status'),
    'pager.log': 'true',
    'core.editor': command('editor'),
    'sequence.editor': command('sequence-editor'),
    'core.askPass': await program('askpass'),
    'core.gitProxy': await program('proxy'),
    'core.alternateRefsCommand': command('alternates'),
    'diff.external': await program('diff-external'),
    'diff.evil.command': await program('diff-command'),
    'diff.evil.textconv': command('textconv'),
    'filter.evil.clean': command('clean'),
    'filter.evil.smudge': command('smudge'),
    'filter.evil.process': command('process'),
    'filter.evil.required': 'true',
    'filter.dot.ted=odd.clean': command('odd-clean'),
    'filter.dot.ted=odd.smudge': command('odd-smudge'),
    'merge.evil.driver': command('merge'),
    'merge.default': 'evil',
    'gpg.program': await program('gpg'),
    'gpg.ssh.program': await program('gpg-ssh'),
    'gpg.ssh.defaultKeyCommand': await program('gpg-key'),
    'commit.gpgSign': 'true',
    'tag.gpgSign': 'true',
    'log.showSignature': 'true',
    'credential.helper': `!${command('credential')}`,
    'credential.http://127.0.0.1.helper': `!${command('credential-of-address')}`,
    'uploadpack.packObjectsHook': await program('pack-objects'),
    'interactive.diffFilter': command('diff-filter'),
    'trailer.evil.command': command('trailer'),
    'submodule.recurse': 'true',
    'status.submoduleSummary': 'true',
    'alias.status': `!${command('alias')}`,
    'alias.commit': `!${command('alias-commit')}`,
    'receive.denyCurrentBranch': 'updateInstead',
  };
}

const HERE = (command: Kit['command']): Record<string, string> => ({
  'core.worktree': '/',
  'remote.origin.promisor': 'true',
  'remote.origin.uploadpack': `${command('uploadpack')} </dev/null; false`,
  'remote.origin.receivepack': `${command('receivepack')} </dev/null; false`,
  'branch.main.mergeOptions': '--strategy=evil --edit',
  'pull.twohead': 'evil',
  'rebase.instructionFormat': '%s',
  'rebase.autoSquash': 'true',
  'fetch.recurseSubmodules': 'true',
  'push.gpgSign': 'if-asked',
  'push.recurseSubmodules': 'on-demand',
  'submodule.lib.url': `ext::${command('submodule')}`,
  'submodule.lib.update': `!${command('submodule-update')}`,
});

/** As text: `git config` would need one process each, and runs what it finds. */
async function poison(gitDir: string, settings: Record<string, string>): Promise<void> {
  const entries = Object.entries(settings).map(([key, value]) => {
    const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
    const section = first === last ? key.slice(0, first) : `${key.slice(0, first)} "${key.slice(first + 1, last)}"`;
    return `[${section}]\n\t${key.slice(last + 1)} = "${value.replace(/["\\]/g, '\\$&')}"\n`;
  });
  await writeFile(join(gitDir, 'config'), entries.join(''), { flag: 'a' });
}

/** Drivers in an included file, in the settings of the work tree, and by attributes outside the files. */
async function moreConfiguration(repo: string, command: Kit['command']): Promise<void> {
  await poison(join(repo, '.git'), { 'include.path': '../included.cfg', 'extensions.worktreeConfig': 'true' });
  const included = `[filter "inc"]\n\tclean = "${command('included').replaceAll('"', '\\"')}"\n`;
  await writeFile(join(repo, 'included.cfg'), included);
  const worktree = `[filter "tree"]\n\tclean = "${command('worktree').replaceAll('"', '\\"')}"\n`;
  await writeFile(join(repo, '.git/config.worktree'), worktree);
  await writeFile(join(repo, '.git/info/attributes'), '*.evil filter=inc\nnew.txt filter=tree\n');
}
