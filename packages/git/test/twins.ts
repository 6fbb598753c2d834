import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { gitIn, type TempDir, type TempRepo, tempDir } from '@fucina/testkit';

export interface Twins extends TempDir {
  /** Changed by us. */
  ours: string;
  /** The same, changed by plain git. */
  plain: string;
  plainly(...args: string[]): Promise<string>;
  /** A shell in the plain one. */
  shell(script: string): void;
  /** What git says of each: trees, parents, branches, index, files, stashes. */
  told(): Promise<{ ours: string; plain: string }>;
}

/** Two copies of a folder that holds a repository and whatever it works with. */
export async function twins(source: string, inside = ''): Promise<Twins> {
  const dir = await tempDir();
  const [ours, plain] = [join(dir.path, 'ours'), join(dir.path, 'plain')] as const;
  for (const folder of [ours, plain]) shell(dir.path, `cp -a '${source}' '${folder}'`);
  const [oursAt, plainAt] = [join(ours, inside), join(plain, inside)];
  return Object.assign(dir, {
    ours: oursAt,
    plain: plainAt,
    plainly: gitIn(plainAt),
    shell: (script: string) => shell(plainAt, script),
    told: async () => ({ ours: await tell(oursAt), plain: await tell(plainAt) }),
  });
}

export function shell(folder: string, script: string): void {
  const { status, stderr } = spawnSync('sh', ['-euc', script], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

const STASHED =
  'for s in $(git stash list --format=%H); do git diff-tree -r -p $s^1 $s; git ls-tree -r $s^3 2>/dev/null || true; done';

async function tell(folder: string): Promise<string> {
  const git: TempRepo['git'] = gitIn(folder);
  const parts = [
    ['status', '--porcelain=v2', '-z', '--branch', '--untracked-files=all'],
    ['log', '--all', '--format=%T %s', '--topo-order'],
    ['ls-files', '-s', '-z'],
    ['for-each-ref', '--format=%(refname) %(tree) %(upstream)'],
    ['diff', '--binary'],
  ];
  const told: string[] = [];
  for (const args of parts) told.push(await git(...args).catch(String));
  const { stdout } = spawnSync('sh', ['-c', STASHED], { cwd: folder, encoding: 'latin1' });
  // Commits are made at other moments: what they hold is compared, and not their names.
  return [...told, stdout]
    .join('\n---\n')
    .replace(/^# branch\.oid .*$/gm, '')
    .replace(/# branch\.oid [0-9a-f]{40}/g, '')
    .replace(/: [0-9a-f]{7} /g, ': ');
}
