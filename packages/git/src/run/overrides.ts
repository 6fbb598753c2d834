import type { Setting } from './setting-listing.ts';

export type ConfigEntry = readonly [key: string, value: string];

/** How git writes true in its settings. */
export const YES = /^(true|yes|on|[1-9]\d*)$/i;

export const NULL_DEVICE = process.platform === 'win32' ? 'NUL' : '/dev/null';

/**
 * Settings through which a repository could run its own program, or answer for the user: all are set for every command.
 */
export const FIXED_OVERRIDES: readonly ConfigEntry[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', NULL_DEVICE],
  ['core.sshCommand', 'ssh -oBatchMode=yes'],
  ['core.gitProxy', ''],
  ['core.pager', 'cat'],
  ['core.editor', 'true'],
  ['sequence.editor', 'true'],
  ['core.askPass', 'true'],
  ['core.alternateRefsCommand', 'true'],
  ['diff.external', ''],
  ['interactive.diffFilter', 'cat'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.ssh.defaultKeyCommand', 'false'],
  ['credential.helper', ''],
  ['protocol.ext.allow', 'never'],
  ['protocol.file.allow', 'user'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['uploadpack.packObjectsHook', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // No programs, but they change the format of the output parsed here.
  ['diff.suppressBlankEmpty', 'false'],
  ['diff.relative', 'false'],
  ['color.ui', 'false'],
];

/** The commands of each kind of named driver but filters, which `filterOverrides` handles. */
const DRIVER_OVERRIDES: Readonly<Record<string, readonly ConfigEntry[]>> = {
  diff: [
    ['command', 'false'],
    ['textconv', 'cat'],
    ['cachetextconv', 'false'],
  ],
  merge: [['driver', 'false']],
  remote: [['promisor', 'false']],
  trailer: [
    ['command', 'true'],
    ['cmd', 'true'],
  ],
  credential: [['helper', '']],
};

/** Matches the keys that `driverOverrides` and `repositoryFilters` need. */
export const DRIVER_KEYS = '^(filter|diff|merge|remote|trailer|credential)\\..*\\.';

/**
 * One set of overrides per driver that the repository itself names. Drivers that the user configured globally are not
 * overridden.
 */
export function driverOverrides(settings: readonly Setting[]): ConfigEntry[] {
  const drivers = new Map<string, readonly ConfigEntry[]>();
  for (const { isPersonal, key } of settings) {
    const section = key.slice(0, key.indexOf('.'));
    const overrides = DRIVER_OVERRIDES[section.toLowerCase()];
    if (overrides && !isPersonal) drivers.set(key.slice(0, key.lastIndexOf('.')), overrides);
  }
  return [...drivers].flatMap(([driver, overrides]) =>
    overrides.map(([name, value]): ConfigEntry => [`${driver}.${name}`, value]),
  );
}

/** Settings passed by environment: this works for any key, including those that `-c` would split at a `=`. */
export function configEnvironment(entries: readonly ConfigEntry[]): Record<string, string> {
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
  for (const [index, [key, value]] of entries.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}
