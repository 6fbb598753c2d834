import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { gitIn, shellIn, type TempDir, tempDir } from '@fucina/testkit';

export interface TwoCopies extends TempDir {
  /** Changed by our code. */
  ours: string;
  /** The same, changed by plain git. */
  plain: string;
  plainly(...args: string[]): Promise<string>;
  /** Runs a shell in the plain one. */
  shell(script: string): void;
  /** git's view of each: trees, parents, branches, index, files, stashes. */
  described(): Promise<{ ours: string; plain: string }>;
}

/** Two copies of a folder that contains a repository and its surroundings. */
export async function twoCopies(source: string, inside = ''): Promise<TwoCopies> {
  const dir = await tempDir('fucina-twins-');
  const [ours, plain] = [join(dir.path, 'ours'), join(dir.path, 'plain')] as const;
  shell(dir.path, `cp -a '${source}' '${ours}'; cp -a '${source}' '${plain}'`);
  const [oursAt, plainAt] = [join(ours, inside), join(plain, inside)];
  return Object.assign(dir, {
    ours: oursAt,
    plain: plainAt,
    plainly: gitIn(plainAt),
    shell: (script: string) => shell(plainAt, script),
    async described() {
      const [ours, plain] = await Promise.all([describe(oursAt), describe(plainAt)]);
      return { ours, plain };
    },
  });
}

export function shell(folder: string, script: string): void {
  const { status, stderr } = spawnSync('sh', ['-euc', script], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** In one shell: see `tempRepo`. Commit hashes differ because of their times, so commits are compared by content. */
const DESCRIBED = `
  git status --porcelain=v2 -z --branch --untracked-files=all
  echo; echo ---; git log --all --format='%T %s' --topo-order
  echo ---; git ls-files -s -z
  echo; echo ---; git for-each-ref --format='%(refname) %(tree) %(upstream)'
  echo ---; git diff --binary
  echo ---; for s in $(git stash list --format=%H); do git diff-tree -r -p $s^1 $s; git ls-tree -r $s^3 2>/dev/null || true; done
`;

async function describe(folder: string): Promise<string> {
  const described = await shellIn(folder)(DESCRIBED);
  return described.replace(/# branch\.oid [0-9a-f]{40}/g, '').replace(/: [0-9a-f]{7} /g, ': ');
}
