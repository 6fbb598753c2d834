import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type Environment, homeOf, isWithin, systemCode } from '@fucina/shared';
import type { DiskMount, Mount } from './mounts.ts';

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

export interface ProjectCaches {
  /** Shows those that are links at one place of the sandbox. */
  linked: DiskMount;
  /** Each at the place where tools look for it: a mount of its own, or a link to `to`. */
  each: readonly { mount: DiskMount; to: string }[];
}

export interface ProjectHome {
  /** Build caches of this project alone. */
  caches(folder: string, isWritable: boolean): Promise<ProjectCaches>;
}

/** No rule and no project can show something there. */
const ALL_LINKED = '/run/fucina-caches';
/** Beside the folders of the caches that are mounted one by one. */
const LINKED = 'linked';

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
    async caches(folder, isWritable) {
      const own = join(root, createHash('sha256').update(folder).digest('hex').slice(0, 32));
      const linked = join(own, LINKED);
      if (!made.has(own)) {
        await mkdir(linked, { recursive: true, mode: 0o700 });
        await Promise.all(
          places.flatMap(({ name }) => [makeFolder(join(own, name)), makeEntry(join(linked, flat(name)))]),
        );
        made.add(own);
      }
      const kind = isWritable ? 'writable' : 'read-only';
      return {
        linked: { kind, source: linked, target: ALL_LINKED },
        each: places.map(({ name, target }) => ({
          mount: { kind, source: join(own, name), target },
          to: join(ALL_LINKED, flat(name)),
        })),
      };
    },
  };
}

/** One level: commands can put links into the folder of linked caches, and nothing is made through those. */
const flat = (name: string): string => name.replaceAll('/', '_');

const makeFolder = async (path: string): Promise<void> => void (await mkdir(path, { recursive: true, mode: 0o700 }));

async function makeEntry(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
}

/**
 * The caches as one mount and links to it: each mount costs every command time. One whose place another mount covers, is
 * covered by, or lies in stays a mount, since no link can be made there. What is mounted by itself is kept apart from what
 * is linked: commands can replace entries of the latter by links, which a mount would follow.
 */
export function cacheMounts({ linked, each }: ProjectCaches, others: readonly Mount[]): Mount[] {
  const isBeside = (target: string, mount: Mount): boolean =>
    !isWithin(mount.target, target) && !isWithin(target, mount.target);
  const mounts = each.map(({ mount }) => mount);
  if (!others.every((mount) => isBeside(linked.target, mount))) return mounts;
  const links = each.map(({ mount, to }): Mount => {
    const isFree = [...others, ...mounts].every((other) => other === mount || isBeside(mount.target, other));
    return isFree ? { kind: 'link', to, target: mount.target } : mount;
  });
  return [linked, ...links];
}
