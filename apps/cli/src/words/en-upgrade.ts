/** Upgrades. */
export const EN_UPGRADE = {
  'help.upgrade': 'install the newest version of your channel (updateChannel)',
  'help.upgrade-from': 'folder or URL of packages, instead of npm’s registry (default: FUCINA_UPDATES)',
  'help.upgrade-check': 'only check, without installing',
  'help.upgrade-yes': 'do not ask',
  'upgrade.none': 'Version {version} is the latest on channel {channel}.',
  'upgrade.there': 'Version {version} is available.',
  'upgrade.fetched': 'Version {version} is downloaded and verified. Install it with: npm install --global {path}',
  'upgrade.downloading': 'Downloading version {version} with npm. Ctrl+C cancels.',
  'upgrade.do-it': '[y] upgrade',
  'upgrade.leave-it': '[n] cancel',
  'upgrade.left': 'Upgrade cancelled. Nothing was changed.',
  'upgrade.needs-yes':
    'Version {version} is available. Nothing was changed, because there is no terminal to ask on: pass --yes.',
  'upgrade.installed': 'Upgraded from {previous} to {version}.',
  'upgrade.backup': 'Backup of the data from before: {path}',
  'upgrade.restart': 'Restart Fucina where it is running (a service: `fucina service stop`, then `start`).',
  'upgrade.of-npx': 'Started by npx, which runs the newest version: npx fucina@latest',
  'upgrade.of-debian':
    'Installed as a Debian package. Upgrade it with apt: sudo apt install ./fucina_<version>_<architecture>.deb',
  'upgrade.of-checkout': 'Running from a source checkout. Upgrade it with: git pull && npm run setup',
  'upgrade.of-other':
    'Not installed with `npm install --global`. Upgrade it the way it was installed, or pass a folder or URL of packages with --from or FUCINA_UPDATES.',
  'upgrade.problem-unreadable': 'The package source could not be read.',
  'upgrade.problem-damaged': 'The package does not match its published checksum. It was discarded.',
  'upgrade.problem-npm-missing': 'npm was not found. It comes with Node: install it, then run the command again.',
  'upgrade.problem-unreachable':
    'npm could not reach its registry ({code}). Check the connection, then run the command again. Nothing was changed.',
  'upgrade.problem-not-found': 'The registry that npm uses does not have this version ({code}). Nothing was changed.',
  'upgrade.problem-npm-damaged':
    'The package that npm received does not match its checksum ({code}). Nothing was changed.',
  'upgrade.problem-disk-full': 'Not enough disk space for the new version. Nothing was changed.',
  'upgrade.problem-npm-failed': 'npm could not install the new version ({code}). Nothing was changed.',
  'upgrade.problem-not-writable':
    'You may not write in {folder}. Run the command as the user who installed Fucina (with sudo, if that was root).',
  'upgrade.problem-no-answer': 'Version {version} does not start here. Nothing was changed. It printed: {detail}',
  'upgrade.problem-rolled-back':
    'Version {version} did not start once in place. The previous version is back. It printed: {detail}',
} as const;
