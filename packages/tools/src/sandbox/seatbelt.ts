import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Confinement } from './bubblewrap.ts';
import { cachePlaces, privatePlaces } from './private-places.ts';
import { worktreeRepository } from './worktree.ts';

/** A profile for macOS's own sandbox. Later rules win. Temporary files go where TMPDIR says: /tmp cannot be replaced there. */
export async function seatbeltProfile(confinement: Confinement): Promise<string> {
  const { environment, dataDir, folder, temporary, writes } = confinement;
  const [hidden, caches, repository, shared] = await Promise.all([
    privatePlaces(environment, dataDir),
    writes === 'folder' ? cachePlaces(environment) : [],
    writes === 'folder' ? worktreeRepository(folder) : undefined,
    writes === 'folder' ? Promise.all(['/tmp', tmpdir()].map((path) => realpath(path))) : [],
  ]);
  const writable = [
    '/dev',
    ...shared,
    ...caches.map(({ path }) => path),
    ...(repository === undefined ? [] : [repository]),
    ...(writes === 'folder' ? [folder] : []),
  ];
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* ${subpaths(writable)})`,
    `(deny file-read* file-write* ${subpaths(hidden.map(({ path }) => path))})`,
    `(allow file-read* ${subpaths([folder])})`,
    ...(writes === 'folder' ? [`(allow file-write* ${subpaths([folder])})`] : []),
    ...hidden
      .filter(({ path }) => path !== folder && path.startsWith(`${folder}/`))
      .map(({ path }) => `(deny file-read* file-write* ${subpaths([path])})`),
    `(allow file-read* file-write* ${subpaths([temporary])})`,
  ].join('\n');
}

function subpaths(paths: readonly string[]): string {
  return paths.map((path) => `(subpath "${path.replaceAll(/["\\]/g, '\\$&')}")`).join(' ');
}
