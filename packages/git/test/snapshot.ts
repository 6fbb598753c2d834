import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TempRepo } from '@fucina/testkit';

const run = promisify(execFile);

/** Everything an operation could have touched: HEAD, branches, stashes, index, and every file by its bytes. */
export async function snapshot(repo: TempRepo): Promise<string> {
  const parts = [
    ['symbolic-ref', '-q', 'HEAD'],
    ['for-each-ref'],
    ['stash', 'list', '--format=%H %gs'],
    ['ls-files', '-s'],
    ['status', '--porcelain=v2', '--untracked-files=all', '--ignored'],
  ];
  const told: string[] = [];
  for (const args of parts) told.push(await repo.git(...args).catch(String));
  const files =
    'find . -path ./.git -prune -o -type f -exec sha1sum {} + | LC_ALL=C sort; ls .git | grep -i -e fucina -e lock || true';
  told.push((await run('sh', ['-c', files], { cwd: repo.path })).stdout);
  return told.join('\n---\n');
}
