import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';

/** Text that exists only outside the project: any occurrence means that something leaked. */
export const CANARY = 'outside-canary-7f3a';

/** A project next to a foreign folder, with links that point there. */
export interface Fixture extends AsyncDisposable {
  base: TempDir;
  project: string;
  /** Path below the base → content, link target or `folder`, of everything there. */
  snapshot(): Promise<Map<string, string>>;
}

export async function fixture(): Promise<Fixture> {
  const base = await tempDir('fucina-hostile-');
  const project = join(base.path, 'project');
  await base.write({
    'outside/secret.txt': CANARY,
    'outside/.git/config': CANARY,
    'project-neighbour/secret.txt': CANARY,
    'project/src/a.ts': 'const a = 1;\n',
    'project/notes.txt': 'plain\n',
    'project/ok/keep.txt': 'kept\n',
    'project/.git/config': '[core]\n',
    'project/.git/hooks/keep': '',
    'project/.vscode/tasks.json': '{}\n',
    'project/.github/workflows/ci.yml': 'on: push\n',
    'project/.npmrc': 'plain\n',
  });
  const links = {
    out: '../outside',
    'out-file': '../outside/secret.txt',
    'out-none': '../outside/none.txt',
    root: '/',
    hooks: '.git/hooks',
    config: '.git/config',
    'src/up': '..',
    hop: 'src/up/out',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(project, name));
  return {
    base,
    project,
    snapshot: () => snapshotOf(base.path),
    [Symbol.asyncDispose]: () => base[Symbol.asyncDispose](),
  };
}

async function snapshotOf(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of await readdir(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const stats = await lstat(join(root, path));
      if (stats.isDirectory()) open.push(path);
      found.set(path, await portrait(join(root, path), stats));
    }
  }
  return found;
}

async function portrait(path: string, stats: { isSymbolicLink(): boolean; isFile(): boolean }): Promise<string> {
  if (stats.isSymbolicLink()) return `-> ${await readlink(path)}`;
  if (!stats.isFile()) return 'folder';
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** Created, changed or deleted paths, sorted. */
export function changedPaths(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}
