import type { EN_SERVICE } from './en-service.ts';

export const IT_SERVICE: Record<keyof typeof EN_SERVICE, string> = {
  'help.service': 'esegue il server in background, anche senza finestre aperte',
  'help.service-install': 'lo installa e lo avvia, ora e a ogni accesso (unità utente di systemd, agente di launchd)',
  'help.service-uninstall': 'lo ferma e lo rimuove; i dati restano',
  'help.service-status': 'mostra se è in esecuzione e dove risponde',
  'help.service-log': 'mostra le ultime righe del log',
  'help.service-follow': 'segue il log',
  'help.service-start': 'lo avvia',
  'help.service-stop': 'lo ferma fino al prossimo accesso',
  'service.installed': 'Il servizio è attivo, ora e a ogni accesso ({path}).',
  'service.logout': 'Si ferma quando esci dalla sessione. Per tenerlo attivo: loginctl enable-linger',
  'service.written': 'Il servizio è descritto in {path}, ma non è stato avviato.',
  'service.removed': 'Il servizio è stato rimosso. I dati restano.',
  'service.none': 'Il servizio non è installato. Per installarlo: fucina service install',
  'service.temporary':
    'Fucina è in esecuzione da {path}, che verrà eliminato. Prima installala (npm install --global), poi ripeti il comando.',
  'service.no-manager': 'I servizi richiedono systemd o launchd.',
  'service.failed': 'Comando non riuscito: {command}',
  'service.state': 'Servizio: {state}',
  'service.answers': 'Server: {url}',
  'service.silent': 'Server: non in esecuzione',
};
