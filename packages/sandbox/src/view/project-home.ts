import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type Environment, homeOf, isWithin, systemCode } from '@fucina/shared';
import type { DiskMount, Mount } from './mounts.ts';

/** In the home: folders that compilers and package managers write and reuse. */
export const CACHES: readonly string[] = `
  .cache .npm .yarn .pnpm-store .local/share/pnpm/store .local/state .bun/install .cargo go/pkg .gradle .m2 .nuget
  .local/share/NuGet .ivy2 .sbt .ccache .cabal .stack .hex .mix .pub-cache .gem .bundle .composer .terraform.d/plugin-cache
  .konan .android .electron .node-gyp
`
  .trim()
  .split(/\s+/);

/** The same when set by a variable. */
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
  /** Shows the linked ones at one place of the sandbox. */
  linked: DiskMount;
  /** Each at its usual location: a separate mount, or a link to `to`. */
  each: readonly { mount: DiskMount; to: string }[];
}

export interface ProjectHome {
  /** Build caches of this project only. */
  caches(folder: string, isWritable: boolean): Promise<ProjectCaches>;
}

/** No rule and no project can show anything there. */
const ALL_LINKED = '/run/fucina-caches';
/** Next to the folders of the separately mounted caches. */
const LINKED = 'linked';

/**
 * Build output of one project is never read by another project or run outside the sandbox: each project has its own
 * build caches in the data folder.
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

/** One level: commands can put links into the folder of linked caches, so nothing is created through them. */
const flat = (name: string): string => name.replaceAll('/', '_');

const makeFolder = async (path: string): Promise<void> => void (await mkdir(path, { recursive: true, mode: 0o700 }));

async function makeEntry(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
}

/**
 * The caches as one mount and links to it, because each mount slows down every command. A cache stays a separate mount
 * if its location overlaps another mount, because no link can be created there. Separate mounts are stored apart from
 * linked caches: commands can replace entries of the latter by links, which a mount would follow.
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
