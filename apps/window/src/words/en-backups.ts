/** Texts of backups. */
export const enBackups = {
  'settings.backups': 'Backups',
  'backups.why':
    'A backup is one file with all data and settings, without keys. The server makes it while it runs; the command fucina backup restore puts it back.',
  'backups.last': 'Last backup',
  'backups.none': 'No backup made yet.',
  'backups.running': 'Backing up…',
  'backups.done': 'Last backup: {{date}}.',
  'backups.failed': 'The backup failed on {{date}} ({{code}}).',
  'backups.damaged': 'The saved schedule cannot be read. Save it again.',
  'backups.now': 'Back up now',
  'backups.when': 'Schedule',
  'backups.when.never': 'Off',
  'backups.when.daily': 'Daily',
  'backups.when.weekly': 'Weekly',
  'backups.folder': 'Folder',
  'backups.folder.why': 'A full path, best on another disk. Backups of other data folders there are left alone.',
  'backups.keep': 'Backups to keep',
} as const;
