import type { enBackups } from './en-backups.ts';

export const itBackups: Record<keyof typeof enBackups, string> = {
  'settings.backups': 'Backup',
  'backups.why':
    'Un backup è un solo file con tutti i dati e le impostazioni, senza chiavi. Lo crea il server mentre è in esecuzione; il comando fucina backup restore lo ripristina.',
  'backups.last': 'Ultimo backup',
  'backups.none': 'Nessun backup finora.',
  'backups.running': 'Backup in corso…',
  'backups.done': 'Ultimo backup: {{date}}.',
  'backups.failed': 'Backup non riuscito il {{date}} ({{code}}).',
  'backups.damaged': 'La pianificazione salvata non è leggibile. Salvala di nuovo.',
  'backups.now': 'Esegui backup ora',
  'backups.when': 'Pianificazione',
  'backups.when.never': 'Disattivata',
  'backups.when.daily': 'Ogni giorno',
  'backups.when.weekly': 'Ogni settimana',
  'backups.folder': 'Cartella',
  'backups.folder.why':
    'Un percorso completo, meglio se su un altro disco. I backup di altre cartelle di dati restano dove sono.',
  'backups.keep': 'Backup da conservare',
};
