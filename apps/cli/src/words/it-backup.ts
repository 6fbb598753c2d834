import type { EN_BACKUP } from './en-backup.ts';

export const IT_BACKUP: Record<keyof typeof EN_BACKUP, string> = {
  'help.backup': 'backup di tutti i dati e delle impostazioni, e ripristino',
  'help.backup-create':
    'crea un backup, anche con Fucina in esecuzione; senza le chiavi (predefinito: fucina-<data>.tar.gz)',
  'help.backup-models': 'anche i file dei modelli locali, che si possono scaricare di nuovo',
  'help.backup-verify': 'confronta ogni file di un backup con il suo checksum',
  'help.backup-restore': 'mette un backup al posto dei dati e delle impostazioni, che vengono spostati',
  'help.backup-schedule': 'daily, weekly o off: backup fatti dal server in esecuzione; senza, mostra la pianificazione',
  'help.backup-to': 'cartella dei backup pianificati (predefinita: accanto alla cartella dei dati)',
  'help.backup-keep': 'quanti backup pianificati conservare (predefinito: 7)',
  'backup.schedule-usage': 'Usa daily, weekly oppure off. --to e --keep valgono per daily e weekly.',
  'backup.schedule-off': 'Nessun backup pianificato.',
  'backup.schedule-daily':
    'Backup giornaliero in {folder}, si conservano gli ultimi {keep}. Viene fatto mentre Fucina è in esecuzione.',
  'backup.schedule-weekly':
    'Backup settimanale in {folder}, si conservano gli ultimi {keep}. Viene fatto mentre Fucina è in esecuzione.',
  'backup.schedule-done': 'Ultimo backup: {date}',
  'backup.schedule-failed': 'L’ultimo backup non è riuscito, il {date} ({code}). Nuovo tentativo entro circa un’ora.',
  'backup.schedule-damaged': 'La pianificazione non è leggibile. Impostala di nuovo: fucina backup schedule daily',
  'backup.schedule-in-data':
    '{path} è nella cartella dei dati: ogni backup conterrebbe i precedenti. Scegli un’altra cartella.',
  'backup.created': '{path}: {files} file, {size}. Le chiavi non sono incluse.',
  'backup.verified': 'Il backup è integro: {files} file del {date}, creato da Fucina {version}.',
  'backup.restored': 'Ripristinati {files} file del {date}.',
  'backup.previous': 'I dati di prima sono in {path}. Elimina la cartella quando non ti serve più.',
  'backup.keys': 'Un backup non contiene le chiavi: su un altro computer aggiungile di nuovo (`fucina provider`).',
  'backup.missing': 'Il file non esiste.',
  'backup.exists': '{path} esiste già. Scegli un altro nome.',
  'backup.in-use': 'Fucina è in esecuzione su questi dati. Prima chiudila.',
  'backup.not-a-backup': 'Questo non è un backup di Fucina.',
  'backup.newer': 'Questo backup è stato creato da una versione più recente di Fucina. Prima aggiornala.',
  'backup.damaged': 'Il backup è danneggiato. {path}',
};
