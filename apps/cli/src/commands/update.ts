import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createOutboundHttp, type OutboundHttp, writeFileAtomically } from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';
import compareVersions from 'semver/functions/compare.js';
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { readConfig } from '../config/config.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { dataDirOf } from '../open-host.ts';
import type { Terminal } from '../terminal.ts';

/** Written by `npm run pack:cli` next to a package, as `stable.json` or `preview.json`. */
const release = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.-]+)?$/),
  file: z.string().regex(/^[\w.-]+\.tgz$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
type Release = z.infer<typeof release>;

/** Location of packages: a folder, or an address. */
interface Source {
  read(name: string): Promise<Buffer | undefined>;
}

const FILES = { stable: ['stable.json'], preview: ['stable.json', 'preview.json'] } as const;
const MAX_BYTES = 1024 ** 3;

/**
 * Checks the user's channel for a newer package, downloads it and prints how to install it. Installs nothing by itself.
 */
export async function update(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  const from = typeof flags.from === 'string' ? flags.from : io.env.FUCINA_UPDATES;
  if (!from) {
    err(`fucina: ${say('update.no-source')}`);
    return EXIT.configuration;
  }
  const { updateChannel } = readConfig(io, io.cwd);
  const own = io.http ? undefined : createOutboundHttp({ ambient: await io.ambient('error') });
  try {
    const source = sourceAt(from, io.cwd, (io.http ?? own) as OutboundHttp);
    const newest = await newestOf(source, FILES[updateChannel]);
    const isNewer = newest !== undefined && compareVersions(newest.version, VERSION) > 0;
    const path = isNewer && !flags.check ? await fetchRelease(newest, source, await dataDirOf(io, flags)) : undefined;
    tell({ newest: isNewer ? newest.version : undefined, path, channel: updateChannel }, flags, terminal);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof UpdateProblem)) throw error;
    err(`fucina: ${say(error.key)}`);
    return EXIT.failed;
  } finally {
    await own?.[Symbol.asyncDispose]();
  }
}

function sourceAt(from: string, cwd: string, http: OutboundHttp): Source {
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

/** Undefined when the channel is empty. */
async function newestOf(source: Source, names: readonly string[]): Promise<Release | undefined> {
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

async function fetchRelease({ file, sha256 }: Release, source: Source, dataDir: string): Promise<string> {
  const bytes = await source.read(file);
  const sum = bytes && createHash('sha256').update(bytes).digest('hex');
  if (!bytes || sum !== sha256) throw new UpdateProblem('update.damaged');
  const folder = join(dataDir, 'updates');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, file);
  await writeFileAtomically(path, bytes);
  return path;
}

class UpdateProblem extends Error {
  readonly key: 'update.unreadable' | 'update.damaged';

  constructor(key: UpdateProblem['key'], cause?: unknown) {
    super(key, { cause });
    this.key = key;
  }
}

function unreadable(cause: unknown): UpdateProblem {
  return new UpdateProblem('update.unreadable', cause);
}

interface Found {
  newest: string | undefined;
  /** Of the package on this computer. */
  path: string | undefined;
  channel: string;
}

function tell({ newest, path, channel }: Found, flags: CommonFlags, { out, say }: Terminal): void {
  if (flags.json) {
    out(JSON.stringify({ version: VERSION, channel, newest: newest ?? null, path: path ?? null }));
  } else if (newest === undefined) out(say('update.none', { version: VERSION, channel }));
  else if (path === undefined) out(say('update.there', { version: newest }));
  else out(say('update.fetched', { version: newest, path: cleanText(path) }));
}
