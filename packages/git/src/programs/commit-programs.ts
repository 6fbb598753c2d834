import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { gitError } from '../errors.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { commonDirOf } from '../repository/repository.ts';
import type { GitOptions, GitRunner } from '../run/launcher.ts';
import { type ConfigEntry, YES } from '../run/overrides.ts';
import type { Setting } from '../run/setting-listing.ts';
import { listSettings } from '../run/settings.ts';

/** Hooks that git runs with an operation, in this order. */
export const HOOKS = {
  commit: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  amend: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-rewrite'],
  switch: ['post-checkout'],
  merge: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge'],
  rebase: ['pre-rebase', 'post-checkout', 'post-rewrite'],
  push: ['pre-push'],
} as const;

/** How commits are signed. */
export interface Signing {
  isSigned: boolean;
  /** For `commit`, `merge` and `rebase`. */
  flag: '--gpg-sign' | '--no-gpg-sign';
  options: Pick<GitOptions, 'settings' | 'isSigning'>;
}

export const UNSIGNED: Signing = { isSigned: false, flag: '--no-gpg-sign', options: {} };

const LISTED = String.raw`^(core\.hookspath|commit\.gpgsign|user\.signingkey|gpg\.(format|program|(openpgp|x509|ssh)\.program|ssh\.defaultkeycommand))$`;

/**
 * Whether commits are signed, as the user or the repository has set. Signing runs the user's programs, never those that
 * a repository names: then it throws GIT_COMMAND_FAILED (`signing-not-trusted`).
 */
export async function readSigning({ git }: GitFolder): Promise<Signing> {
  const settings = await settingsOf(git);
  if (!YES.test(lastOf(settings, 'commit.gpgsign') ?? '')) return UNSIGNED;
  const format = lastOf(settings, 'gpg.format') ?? 'openpgp';
  const entries = PROGRAMS.flatMap(({ keys, name, ofFormat }): ConfigEntry[] => {
    const named = settings.filter(({ key }) => keys.includes(key));
    const own = named.findLast(({ isPersonal }) => isPersonal)?.value ?? name;
    if (ofFormat === format && named.some(({ isPersonal, value }) => !isPersonal && value !== own))
      throw gitError('GIT_COMMAND_FAILED', { reason: 'signing-not-trusted', params: { setting: keys[0] ?? '' } });
    return own === undefined ? [] : keys.map((key) => [key, own]);
  });
  return { isSigned: true, flag: '--gpg-sign', options: { isSigning: true, settings: entries } };
}

const PROGRAMS: readonly { keys: readonly string[]; name?: string; ofFormat: string }[] = [
  { keys: ['gpg.program', 'gpg.openpgp.program'], name: 'gpg', ofFormat: 'openpgp' },
  { keys: ['gpg.x509.program'], name: 'gpgsm', ofFormat: 'x509' },
  { keys: ['gpg.ssh.program'], name: 'ssh-keygen', ofFormat: 'ssh' },
  { keys: ['gpg.ssh.defaultkeycommand'], ofFormat: 'ssh' },
];

/** The hooks of an operation that exist but are not run: hooks never run here. Null when there is none. */
export async function hooksLeftOut({ git, repository }: GitFolder, names: readonly string[]): Promise<string[] | null> {
  const set = lastOf(await settingsOf(git), 'core.hookspath');
  const folder =
    set === undefined
      ? join(await commonDirOf(repository), 'hooks')
      : resolve(repository.root, set.replace(/^~(?=\/|$)/, homedir()));
  const found = names.filter((name) => isProgram(join(folder, name)));
  return found.length === 0 ? null : found;
}

/** Asked once for all steps of an operation, which has a runner of its own. */
const asked = new WeakMap<GitRunner, Promise<Setting[]>>();

function settingsOf(git: GitRunner): Promise<Setting[]> {
  const known = asked.get(git) ?? listSettings(git, LISTED);
  asked.set(git, known);
  return known;
}

const lastOf = (settings: readonly Setting[], key: string): string | undefined =>
  settings.findLast((setting) => setting.key === key)?.value;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Missing or not executable: git runs none either.
    return false;
  }
}
