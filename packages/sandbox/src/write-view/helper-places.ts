import { delimiter, isAbsolute, join } from 'node:path';
import { type Environment, homeOf, realPathAt } from '@fucina/shared';

/** Folders of the home in which ssh, gpg, credential helpers and signers keep state: locks, tokens, sockets. */
const IN_HOME = [
  '.ssh',
  '.gnupg',
  '.git-credential-cache',
  '.password-store',
  '.gcm',
  '.aws',
  '.azure',
  '.sigstore',
  '.step',
  '.tsh',
  '.cloudflared',
  '.local/share/keyrings',
  '.local/share/gh',
  '.local/state/gh',
];
const IN_CONFIG = ['gh', 'glab-cli', 'git', 'gcloud', 'op', 'step'];
const IN_CACHE = ['git', 'gh', 'glab-cli', 'sigstore', '.sigstore', 'keybase'];

/** What decides who may enter, or what runs: no helper changes it. */
const UNCHANGED_IN_SSH = ['authorized_keys', 'authorized_keys2', 'config', 'config.d', 'environment', 'rc'];
const UNCHANGED_IN_GIT = ['attributes', 'config', 'hooks', 'ignore'];
const UNCHANGED_IN_GPG = ['dirmngr.conf', 'gpg-agent.conf', 'gpg.conf', 'gpgsm.conf', 'scdaemon.conf'];

export interface HelperPlaces {
  /** Existing folders, links resolved. */
  writable: string[];
  /** Existing entries of those that stay read-only. */
  unchanged: string[];
}

const SYSTEM_TEMPORARY = ['/tmp', '/var/tmp', '/dev/shm'];

/** Folders for temporary files of any program. */
export function temporaryPlaces({ TMPDIR }: Environment): string[] {
  return existing([...SYSTEM_TEMPORARY, ...(TMPDIR !== undefined && isAbsolute(TMPDIR) ? [TMPDIR] : [])]);
}

/** Folders that the user adds for every command: of a filter that keeps its files elsewhere, of an unusual helper. */
export function addedPlaces({ FUCINA_GIT_WRITES = '' }: Environment): string[] {
  return existing(FUCINA_GIT_WRITES.split(delimiter).filter(isAbsolute));
}

/** What the user's own ssh, gpg and credential helpers write. */
export function helperPlaces(environment: Environment): HelperPlaces {
  const home = homeOf(environment);
  const { GNUPGHOME, XDG_RUNTIME_DIR } = environment;
  const config = environment.XDG_CONFIG_HOME || join(home, '.config');
  const cache = environment.XDG_CACHE_HOME || join(home, '.cache');
  const gpg = GNUPGHOME || join(home, '.gnupg');
  return {
    writable: existing([
      ...IN_HOME.map((name) => join(home, name)),
      ...IN_CONFIG.map((name) => join(config, name)),
      ...IN_CACHE.map((name) => join(cache, name)),
      gpg,
      ...(XDG_RUNTIME_DIR ? [XDG_RUNTIME_DIR] : []),
      ...temporaryPlaces(environment),
    ]),
    unchanged: existing([
      ...UNCHANGED_IN_SSH.map((name) => join(home, '.ssh', name)),
      ...UNCHANGED_IN_GIT.map((name) => join(config, 'git', name)),
      ...UNCHANGED_IN_GPG.map((name) => join(gpg, name)),
    ]),
  };
}

function existing(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => realPathAt(path) ?? []))];
}
