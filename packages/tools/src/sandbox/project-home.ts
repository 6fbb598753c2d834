import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type Environment, homeOf, isWithin } from '@fucina/shared';
import type { Mount } from './mounts.ts';

/** Below the home: what compilers and package managers fill and read again. */
export const CACHES: readonly string[] = `
  .cache .npm .yarn .pnpm-store .local/share/pnpm/store .local/state .bun/install .cargo go/pkg .gradle .m2 .nuget
  .local/share/NuGet .ivy2 .sbt .ccache .cabal .stack .hex .mix .pub-cache .gem .bundle .composer .terraform.d/plugin-cache
  .konan .android .electron .node-gyp
`
  .trim()
  .split(/\s+/);

/** The same where a variable moves it. */
const CACHE_VARIABLES = [
  'XDG_CACHE_HOME',
  'GOCACHE',
  'GOMODCACHE',
  'UV_CACHE_DIR',
  'DENO_DIR',
  'CARGO_HOME',
  'GRADLE_USER_HOME',
  'COREPACK_HOME',
];

export interface ProjectHome {
  /** Build caches of this project alone, at the places where tools look for them. */
  mounts(folder: string, isWritable: boolean): Promise<Mount[]>;
}

/**
 * What a build of one project stores is never read by another project, nor run outside the sandbox: each project has
 * build caches of its own in the data folder.
 */
export function createProjectHome(environment: Environment, root: string): ProjectHome {
  const made = new Set<string>();
  const home = homeOf(environment);
  const places = [
    ...CACHES.map((name) => ({ name, target: join(home, name) })),
    ...CACHE_VARIABLES.flatMap((name) => {
      const target = environment[name];
      const isOne = target !== undefined && isAbsolute(target) && target !== '/' && !isWithin(target, home);
      return isOne ? [{ name, target }] : [];
    }),
  ];
  return {
    async mounts(folder, isWritable) {
      const own = join(root, createHash('sha256').update(folder).digest('hex').slice(0, 32));
      if (!made.has(own)) {
        await Promise.all(places.map(({ name }) => mkdir(join(own, name), { recursive: true, mode: 0o700 })));
        made.add(own);
      }
      return places.map(({ name, target }) => ({
        kind: isWritable ? 'writable' : 'read-only',
        source: join(own, name),
        target,
      }));
    },
  };
}
