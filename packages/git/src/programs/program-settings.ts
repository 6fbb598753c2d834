import type { GitRunner } from '../run/launcher.ts';
import type { Setting } from '../run/setting-listing.ts';
import { listSettings } from '../run/settings.ts';

const LISTED = String.raw`^(core\.hookspath|commit\.gpgsign|user\.signingkey|gpg\.(format|program|(openpgp|x509|ssh)\.program|ssh\.defaultkeycommand))$`;

/** Asked once for all steps of an operation, which has a runner of its own. */
const asked = new WeakMap<GitRunner, Promise<Setting[]>>();

/** Settings that name programs: hooks and those that sign. */
export function settingsOf(git: GitRunner): Promise<Setting[]> {
  const known = asked.get(git) ?? listSettings(git, LISTED);
  asked.set(git, known);
  return known;
}

export const lastOf = (settings: readonly Setting[], key: string): string | undefined =>
  settings.findLast((setting) => setting.key === key)?.value;
