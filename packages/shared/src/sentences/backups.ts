import type { Entry, Language } from './entry.ts';

const entry = (en: Entry, it: Entry): Record<Language, Entry> => ({ en, it });

/** Why a folder was not taken for backups. */
export const BACKUP_REASONS: Readonly<Record<string, Record<Language, Entry>>> = {
  'backup-folder-relative': entry(
    ['Not a full path', 'The folder of backups is not an absolute path.', 'Enter the full path of a folder.'],
    [
      'Percorso incompleto',
      'La cartella dei backup non è un percorso assoluto.',
      'Scrivi il percorso completo di una cartella.',
    ],
  ),
  'backup-folder-in-data': entry(
    [
      'Folder in the data folder',
      'This folder is in the data folder, which a restore moves aside with everything in it.',
      'Choose a folder elsewhere, best on another disk.',
    ],
    [
      'Cartella nella cartella dei dati',
      'Questa cartella è nella cartella dei dati, che un ripristino sposta con tutto il contenuto.',
      'Scegli una cartella altrove, meglio se su un altro disco.',
    ],
  ),
  'backup-folder-unusable': entry(
    [
      'Folder not available',
      'The folder of backups does not exist and could not be created.',
      'Check the path and its permissions, or choose another folder.',
    ],
    [
      'Cartella non disponibile',
      'La cartella dei backup non esiste e non è stato possibile crearla.',
      'Controlla il percorso e i permessi, o scegli un’altra cartella.',
    ],
  ),
};
