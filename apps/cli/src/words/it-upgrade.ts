import type { EN_UPGRADE } from './en-upgrade.ts';

export const IT_UPGRADE: Record<keyof typeof EN_UPGRADE, string> = {
  'help.upgrade': 'installa la versione più recente del tuo canale (updateChannel)',
  'help.upgrade-from': 'cartella o URL dei pacchetti, al posto del registry di npm (predefinito: FUCINA_UPDATES)',
  'help.upgrade-check': 'controlla soltanto, senza installare',
  'help.upgrade-yes': 'non chiede conferma',
  'upgrade.none': 'La versione {version} è l’ultima del canale {channel}.',
  'upgrade.there': 'È disponibile la versione {version}.',
  'upgrade.fetched': 'La versione {version} è scaricata e verificata. Installala con: npm install --global {path}',
  'upgrade.downloading': 'Download della versione {version} con npm. Ctrl+C annulla.',
  'upgrade.do-it': '[s] aggiorna',
  'upgrade.leave-it': '[n] annulla',
  'upgrade.left': 'Aggiornamento annullato. Nulla è stato modificato.',
  'upgrade.needs-yes':
    'È disponibile la versione {version}. Nulla è stato modificato, perché non c’è un terminale in cui chiedere: passa --yes.',
  'upgrade.installed': 'Aggiornato dalla versione {previous} alla {version}.',
  'upgrade.backup': 'Backup dei dati di prima: {path}',
  'upgrade.restart': 'Riavvia Fucina dove è in esecuzione (come servizio: `fucina service stop`, poi `start`).',
  'upgrade.of-npx': 'Avviato da npx, che esegue la versione più recente: npx fucina@latest',
  'upgrade.of-debian':
    'Installato come pacchetto Debian. Aggiornalo con apt: sudo apt install ./fucina_<versione>_<architettura>.deb',
  'upgrade.of-checkout': 'In esecuzione dai sorgenti. Aggiornali con: git pull && npm run setup',
  'upgrade.of-other':
    'Non installato con `npm install --global`. Aggiornalo come lo hai installato, o passa una cartella o un URL di pacchetti con --from o FUCINA_UPDATES.',
  'upgrade.problem-unreadable': 'Impossibile leggere la sorgente dei pacchetti.',
  'upgrade.problem-damaged': 'Il pacchetto non corrisponde al checksum pubblicato. È stato scartato.',
  'upgrade.problem-npm-missing': 'npm non è stato trovato. È incluso in Node: installalo, poi ripeti il comando.',
  'upgrade.problem-unreachable':
    'npm non raggiunge il suo registry ({code}). Controlla la connessione, poi ripeti il comando. Nulla è stato modificato.',
  'upgrade.problem-not-found': 'Il registry usato da npm non ha questa versione ({code}). Nulla è stato modificato.',
  'upgrade.problem-npm-damaged':
    'Il pacchetto ricevuto da npm non corrisponde al suo checksum ({code}). Nulla è stato modificato.',
  'upgrade.problem-disk-full': 'Spazio su disco insufficiente per la nuova versione. Nulla è stato modificato.',
  'upgrade.problem-npm-failed': 'npm non ha potuto installare la nuova versione ({code}). Nulla è stato modificato.',
  'upgrade.problem-not-writable':
    'Non hai i permessi di scrittura in {folder}. Esegui il comando come l’utente che ha installato Fucina (con sudo, se era root).',
  'upgrade.problem-no-answer': 'La versione {version} qui non si avvia. Nulla è stato modificato. Ha scritto: {detail}',
  'upgrade.problem-rolled-back':
    'La versione {version}, una volta installata, non si è avviata. È stata ripristinata la precedente. Ha scritto: {detail}',
};
