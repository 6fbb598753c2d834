import type { EN_BACKUP } from './en-backup.ts';

export const IT_BACKUP: Record<keyof typeof EN_BACKUP, string> = {
  'help.backup': 'backup di tutti i dati e delle impostazioni, e ripristino',
  'help.backup-create':
    'crea un backup, anche con Fucina in esecuzione; senza le chiavi (predefinito: fucina-<data>.tar.gz)',
  'help.backup-models': 'anche i file dei modelli locali, che si possono scaricare di nuovo',
  'help.backup-verify': 'confronta ogni file di un backup con il suo checksum',
  'help.backup-restore': 'mette un backup al posto dei dati e delle impostazioni, che vengono spostati',
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
