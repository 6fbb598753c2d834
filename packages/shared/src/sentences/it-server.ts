import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const SERVER_IT = {
  AUTH_REQUIRED: [
    'Accesso richiesto',
    'Fucina accetta solo i browser che hanno aperto l’indirizzo mostrato all’avvio.',
    'Apri l’indirizzo che Fucina ha mostrato all’avvio.',
  ],
  CONFIG_INVALID: [
    'Impostazione del server non valida',
    'Una delle impostazioni del server ha un valore non valido.',
    'Correggi l’impostazione indicata nel log e riavvia Fucina.',
  ],
  DOVE_NON_VALIDO: [
    'Ambiente dei comandi non valido',
    'I comandi si eseguono in WSL, in Windows o in automatico; la richiesta indica altro.',
    'Scegli una delle opzioni disponibili.',
  ],
  ELICITATION_ANSWER_INVALID: [
    'Risposta non valida',
    'La risposta non corrisponde a quanto richiesto dal server MCP.',
    'Rivedi la risposta e inviala di nuovo.',
  ],
  ELICITATION_NOT_PENDING: [
    'Richiesta non più in attesa',
    'Il server MCP non è più in attesa di questa risposta.',
    'Continua la sessione: se serve ancora, il server ripeterà la richiesta.',
  ],
  HOOK_INVALID: [
    'Hook del progetto non validi',
    '`.svc/hooks.json` non ha il formato previsto, quindi non si può approvare.',
    'Correggi il file e riprova.',
  ],
  HOST_FORBIDDEN: [
    'Nome host non ammesso',
    'La richiesta ha usato un nome host diverso dall’indirizzo locale di Fucina.',
    'Apri l’indirizzo che Fucina ha mostrato all’avvio.',
  ],
  INTERNAL_ERROR: [
    'Errore imprevisto',
    'Un errore interno di Fucina ha interrotto la richiesta.',
    'Riprova e, se succede ancora, cerca il riferimento dell’errore in Impostazioni → Salute.',
  ],
  MCP_INVALID: [
    'File dei server MCP non valido',
    '`.svc/mcp.json` non ha il formato previsto, quindi non si può approvare.',
    'Correggi il file e riprova.',
  ],
  METHOD_NOT_ALLOWED: [
    'Metodo non ammesso',
    'Questo indirizzo esiste, ma non supporta questo metodo HTTP.',
    'Ricarica la finestra e riprova.',
  ],
  NOT_FOUND: ['Non trovato', 'L’elemento non esiste o è stato eliminato.', 'Torna all’elenco e scegli di nuovo.'],
  ORIGIN_FORBIDDEN: [
    'Origine non ammessa',
    'La richiesta veniva da una pagina diversa dalla finestra di Fucina ed è stata bloccata.',
    'Riprova dalla finestra di Fucina.',
  ],
  PAYLOAD_LIMIT: ['Richiesta troppo grande', 'La richiesta supera il limite.', 'Riduci il testo o il file e riprova.'],
  PLATFORM_UNSUPPORTED: [
    'Non disponibile su questo sistema',
    'Questa azione non è disponibile su questo sistema operativo.',
    'Usa gli strumenti del sistema operativo.',
  ],
  PLUGIN_INVALID: [
    'Plugin non valido',
    'Il manifest del plugin non ha il formato previsto, quindi non si può approvare.',
    'Correggi i file del plugin e riprova.',
  ],
  PROCESS_NOT_RUNNING: [
    'Processo non in esecuzione',
    'Il processo era già finito quando è arrivata la richiesta.',
    'Aggiorna l’elenco dei processi.',
  ],
  QUERY_INVALID: [
    'Richiesta non valida',
    'Un campo della richiesta manca, è inatteso o ha un formato non valido.',
    'Controlla i dati inseriti e riprova.',
  ],
  REPORT_UNAVAILABLE: ['Report non disponibile', 'Al momento non è possibile creare il report.', 'Riprova fra poco.'],
  SCELTA_NON_VALIDA: [
    'Scelta non valida',
    'Il valore può essere solo attivo o disattivo.',
    'Scegli attivo o disattivo e riprova.',
  ],
  SERVER_SHUTTING_DOWN: [
    'Fucina si sta chiudendo',
    'Fucina si sta chiudendo e non avvia nuove operazioni.',
    'Riavvia Fucina e riprova.',
  ],
  TERMINAL_LIMIT_REACHED: [
    'Troppi terminali aperti',
    'La sessione ha raggiunto il numero massimo di terminali.',
    'Chiudi un terminale che non serve più e riprova.',
  ],
  TERMINAL_STORE_UNAVAILABLE: [
    'Terminali non disponibili',
    'Al momento i terminali non si possono aprire né elencare.',
    'Riprova fra poco o riavvia Fucina.',
  ],
  WSL_STORE_UNAVAILABLE: [
    'Impostazioni di WSL non disponibili',
    'Impossibile leggere o salvare le preferenze di WSL.',
    'Controlla lo spazio libero e i permessi della cartella dei dati.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
