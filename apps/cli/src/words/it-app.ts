import type { EN_APP } from './en-app.ts';

export const IT_APP: Record<keyof typeof EN_APP, string> = {
  'help.man': 'stampa la pagina di manuale',
  'help.app': 'apre Fucina come applicazione, con una cartella (`fucina .`) o un link fucina://',
  'help.app-foreground': 'resta in esecuzione fino alla chiusura della finestra, con il log su standard error',
  'help.app-login': 'la apre anche all’accesso',
  'app.bad-link': 'Questo non è un link di Fucina: {link}',
  'app.no-folder': 'La cartella non esiste: {path}',
  'app.no-display': 'Nessun display. `fucina serve` avvia il server per un browser su un altro computer.',
  'app.no-browser':
    'L’applicazione richiede Chrome, Edge o Chromium (`sudo apt install chromium`). `fucina open` apre la finestra in qualsiasi altro browser.',
  'app.browser-off': 'FUCINA_BROWSER disattiva il browser, o non indica un programma.',
  'app.program-missing':
    'La finestra non si è aperta: impossibile avviare `{program}`. Il file, o l’interprete che indica, non è stato trovato (ENOENT).',
  'app.program-denied': 'La finestra non si è aperta: impossibile avviare `{program}`. Permesso negato (EACCES).',
  'app.not-started': 'La finestra non si è aperta: impossibile avviare `{program}` ({code}).',
  'app.ended': 'La finestra non si è aperta: `{program}` è terminato ({end}).',
  'app.no-window': 'La finestra non si è aperta: `{program}` non ne ha mostrata nessuna.',
  'app.login-on': 'Fucina si apre all’accesso ({path}).',
  'app.login-off': 'Fucina non si apre più all’accesso.',
};
