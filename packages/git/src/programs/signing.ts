import { gitError } from '../errors.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import type { GitOptions } from '../run/launcher.ts';
import { type ConfigEntry, YES } from '../run/overrides.ts';
import { lastOf, settingsOf } from './program-settings.ts';

/** How commits are signed. */
export interface Signing {
  isSigned: boolean;
  /** For `commit`, `merge` and `rebase`. */
  flag: '--gpg-sign' | '--no-gpg-sign';
  options: Pick<GitOptions, 'settings' | 'isSigning'>;
}

export const UNSIGNED: Signing = { isSigned: false, flag: '--no-gpg-sign', options: {} };

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
