import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type OutboundHttp, writeFileAtomically } from '@fucina/shared';
import compareVersions from 'semver/functions/compare.js';
import * as z from 'zod';
import { UpgradeProblem } from './upgrade-problem.ts';

/** Written by `npm run pack:cli` next to a package, as `stable.json` or `preview.json`. */
const release = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.-]+)?$/),
  file: z.string().regex(/^[\w.-]+\.tgz$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Release = z.infer<typeof release>;

/** Location of packages: a folder, or an address. */
export interface ReleaseSource {
  read(name: string): Promise<Buffer | undefined>;
}

const MAX_BYTES = 1024 ** 3;

export function sourceAt(from: string, cwd: string, http: OutboundHttp): ReleaseSource {
  if (!/^https?:/i.test(from)) {
    const folder = resolve(cwd, from);
    return {
      read: (name) =>
        readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined;
          throw unreadable(error);
        }),
    };
  }
  const base = from.endsWith('/') ? from : `${from}/`;
  return {
    async read(name) {
      try {
        const url = new URL(name, base).href;
        const answer = await http.send({ url, policy: 'configured', limits: { bodyBytes: MAX_BYTES } });
        if (answer.status === 200) return await answer.bytes();
        answer.discard();
        if (answer.status === 404) return undefined;
        throw new Error(`status ${answer.status}`);
      } catch (error) {
        throw unreadable(error);
      }
    },
  };
}

/** The newest of the releases in these files; undefined when there is none. */
export async function newestOf(source: ReleaseSource, names: readonly string[]): Promise<Release | undefined> {
  const found: Release[] = [];
  for (const name of names) {
    const bytes = await source.read(name);
    if (bytes) found.push(releaseFrom(bytes));
  }
  return found.toSorted((one, other) => compareVersions(one.version, other.version)).at(-1);
}

function releaseFrom(bytes: Buffer): Release {
  try {
    return release.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    throw unreadable(error);
  }
}

/** Writes the package to the data folder; returns its path. */
export async function fetchRelease({ file, sha256 }: Release, source: ReleaseSource, dataDir: string): Promise<string> {
  const bytes = await source.read(file);
  const sum = bytes && createHash('sha256').update(bytes).digest('hex');
  if (!bytes || sum !== sha256) throw new UpgradeProblem('upgrade.problem-damaged');
  const folder = join(dataDir, 'updates');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, file);
  await writeFileAtomically(path, bytes);
  return path;
}

function unreadable(cause: unknown): UpgradeProblem {
  return new UpgradeProblem('upgrade.problem-unreadable', { cause });
}
