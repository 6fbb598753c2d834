import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, type Environment, type NpmProblem, runNpm } from '@fucina/shared';
import compareVersions from 'semver/functions/compare.js';
import parseVersion from 'semver/functions/valid.js';
import { globalFolder } from './installation.ts';
import { UpgradeProblem } from './upgrade-problem.ts';

/** The user's npm, run in a folder that exists. */
export interface NpmPlace {
  ambient: Ambient;
  environment: Environment;
  cwd: string;
  signal: AbortSignal;
}

const ASK_MS = 60_000;
const INSTALL_MS = 30 * 60_000;

const SENTENCES = {
  'npm-missing': 'upgrade.problem-npm-missing',
  unreachable: 'upgrade.problem-unreachable',
  'not-found': 'upgrade.problem-not-found',
  damaged: 'upgrade.problem-npm-damaged',
  'disk-full': 'upgrade.problem-disk-full',
  failed: 'upgrade.problem-npm-failed',
} as const satisfies Record<NpmProblem, string>;

/** The newest version with one of these tags in the user's registry; undefined when there is none. */
export async function newestInRegistry(tags: readonly string[], place: NpmPlace): Promise<string | undefined> {
  const { failure, stdout } = await runNpm(['view', 'fucina', 'dist-tags', '--json'], { ...place, timeoutMs: ASK_MS });
  if (failure) throw problemOf(failure);
  place.signal.throwIfAborted();
  return tags
    .flatMap((tag) => tagsIn(stdout)[tag] ?? [])
    .toSorted((one, other) => compareVersions(one, other))
    .at(-1);
}

/** Installs a package below `prefix`, beside everything else; returns its folder. */
export async function installBelow(prefix: string, packageSpec: string, place: NpmPlace): Promise<string> {
  const args = ['install', '--global', '--prefix', prefix, '--omit=dev', '--no-audit', '--no-fund', packageSpec];
  const { failure } = await runNpm(args, { ...place, timeoutMs: INSTALL_MS });
  if (failure) throw problemOf(failure);
  place.signal.throwIfAborted();
  return globalFolder(prefix);
}

/** The sections of the changelog in a package that are newer than `since`; empty when it has none. */
export async function changesSince(since: string, folder: string): Promise<string> {
  const text = await readFile(join(folder, 'CHANGELOG.md'), 'utf8').catch(() => '');
  const isNewer = (section: string): boolean => {
    const version = parseVersion(/^## \[?([^\s\]]+)/.exec(section)?.[1] ?? '');
    return version !== null && compareVersions(version, since) > 0;
  };
  return text
    .split(/^(?=## )/m)
    .filter(isNewer)
    .join('')
    .trim();
}

function tagsIn(text: string): Readonly<Record<string, string>> {
  try {
    const entries = Object.entries(JSON.parse(text) as object);
    return Object.fromEntries(entries.filter(([, version]) => typeof version === 'string' && parseVersion(version)));
  } catch (cause) {
    throw new UpgradeProblem('upgrade.problem-npm-failed', { params: { code: 'JSON' }, cause });
  }
}

function problemOf({ problem, detail }: { problem: NpmProblem; detail: string | null }): UpgradeProblem {
  return new UpgradeProblem(SENTENCES[problem], { params: { code: detail ?? '?' } });
}
