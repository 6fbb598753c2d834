export interface Setting {
  /** The user's or the system's, for all repositories; otherwise the repository's own. */
  isPersonal: boolean;
  /** Lower case but for the name in the middle. */
  key: string;
  value: string;
}

/**
 * Settings in git's order, without those that we set ourselves. `listing` is the output of `git config --null
 * --show-scope --get-regexp`: scope and key with value in turn.
 */
export function parseSettings(listing: string): Setting[] {
  const fields = listing.split('\0');
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, entry = ''] = fields.slice(at, at + 2);
    if (scope === 'command') continue; // our own
    const end = entry.indexOf('\n');
    settings.push({
      isPersonal: scope === 'global' || scope === 'system',
      key: end < 0 ? entry : entry.slice(0, end),
      value: end < 0 ? 'true' : entry.slice(end + 1),
    });
  }
  return settings;
}
