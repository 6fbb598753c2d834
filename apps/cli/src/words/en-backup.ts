/** Backups. */
export const EN_BACKUP = {
  'help.backup': 'back up all data and settings, and restore them',
  'help.backup-create':
    'write a backup, also while Fucina is running; keys are not in it (default: fucina-<date>.tar.gz)',
  'help.backup-models': 'also the files of local models, which can be downloaded again',
  'help.backup-verify': 'compare every file of a backup with its checksum',
  'help.backup-restore': 'put a backup in place of the data and the settings, which are moved aside',
  'backup.created': '{path}: {files} files, {size}. Keys are not in it.',
  'backup.verified': 'The backup is intact: {files} files of {date}, made by Fucina {version}.',
  'backup.restored': 'Restored {files} files of {date}.',
  'backup.previous': 'What was there before is in {path}. Delete it when you no longer need it.',
  'backup.keys': 'Keys are not in a backup: add them again on a new computer (`fucina provider`).',
  'backup.missing': 'There is no such file.',
  'backup.exists': '{path} exists. Choose another name.',
  'backup.in-use': 'Fucina is running on this data. Quit it first.',
  'backup.not-a-backup': 'This is not a backup of Fucina.',
  'backup.newer': 'A newer Fucina made this backup. Update first.',
  'backup.damaged': 'The backup is damaged. {path}',
} as const;
