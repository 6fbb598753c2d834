import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempRepo, tempRepo } from '@fucina/testkit';

export interface HostileRepo extends TempRepo {
  /** Every vector, when it runs, leaves a file here. */
  readonly markers: string;
}

const HOOKS = [
  'post-index-change',
  'pre-commit',
  'post-checkout',
  'fsmonitor-watchman',
  'reference-transaction',
  'pre-auto-gc',
];

/** A repository that tries to run something of its own by every setting known to start a program. */
export async function hostileRepo(): Promise<HostileRepo> {
  const repo = await tempRepo({
    'a.txt': 'a\n',
    'b.evil': 'b\n',
    'sub/c.txt': 'c\n',
    '.gitattributes': '*.txt filter=evil diff=evil merge=evil\n*.evil filter=dot.ted=odd diff=inc\n',
  });
  const markers = `${repo.path}-markers`;
  await mkdir(markers);
  const evil = (name: string): string => `sh -c 'touch "${markers}/${name}"; cat'`;
  const program = async (name: string): Promise<string> => {
    const path = join(repo.path, '.git', `evil-${name}`);
    await writeFile(path, `#!/bin/sh\ntouch "${markers}/${name}"\ncat >/dev/null\nexit 0\n`);
    await chmod(path, 0o755);
    return path;
  };
  const hooks = join(repo.path, '.git/evil-hooks');
  await mkdir(hooks);
  for (const folder of [hooks, join(repo.path, '.git/hooks')]) {
    for (const name of HOOKS) await rename(await program(`hook-${name}`), join(folder, name));
  }
  const settings: Record<string, string> = {
    'core.fsmonitor': await program('fsmonitor'),
    'core.hooksPath': hooks,
    'core.sshCommand': evil('ssh'),
    'core.pager': evil('pager'),
    'pager.status': evil('pager-status'),
    'core.editor': evil('editor'),
    'core.askPass': await program('askpass'),
    'core.gitProxy': await program('proxy'),
    'core.alternateRefsCommand': evil('alternates'),
    'diff.external': await program('diff-external'),
    'diff.evil.command': await program('diff-command'),
    'diff.evil.textconv': evil('textconv'),
    'filter.evil.clean': evil('clean'),
    'filter.evil.smudge': evil('smudge'),
    'filter.evil.process': evil('process'),
    'filter.evil.required': 'true',
    'filter.dot.ted=odd.clean': evil('odd-clean'),
    'merge.evil.driver': evil('merge'),
    'gpg.program': await program('gpg'),
    'credential.helper': `!${evil('credential')}`,
    'uploadpack.packObjectsHook': await program('pack-objects'),
    'interactive.diffFilter': evil('diff-filter'),
    'submodule.recurse': 'true',
    'status.submoduleSummary': 'true',
    'remote.origin.url': `ext::sh -c 'touch ${markers}/ext'`,
    'remote.origin.promisor': 'true',
    'remote.origin.uploadpack': evil('uploadpack'),
    'alias.status': `!${evil('alias')}`,
    'core.worktree': '/',
  };
  for (const [key, value] of Object.entries(settings)) await repo.git('config', key, value);
  await writeFile(
    join(repo.path, 'included.cfg'),
    `[filter "inc"]\n\tclean = ${evil('included').replaceAll('"', '\\"')}\n`,
  );
  await repo.git('config', 'include.path', '../included.cfg');
  await writeFile(join(repo.path, '.git/info/attributes'), '*.evil filter=inc\n');
  // Same size, other content, other time: git must look inside, which is where filters run.
  await writeFile(join(repo.path, 'a.txt'), 'A\n');
  await writeFile(join(repo.path, 'b.evil'), 'B\n');
  return Object.assign(repo, { markers });
}
