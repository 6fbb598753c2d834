import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const SERVER_IT = {
  AUTH_REQUIRED: [
    'Accesso richiesto',
    'Fucina risponde solo a chi è entrato con il suo indirizzo d’avvio.',
    'Apri di nuovo Fucina dall’indirizzo mostrato all’avvio.',
  ],
  CONFIG_INVALID: [
    'Impostazione d’avvio non valida',
    'Una delle impostazioni con cui si avvia Fucina ha un valore che non si può usare.',
    'Correggi l’impostazione indicata nel registro e riavvia Fucina.',
  ],
  DOVE_NON_VALIDO: [
    'Posto dei comandi non valido',
    'I comandi possono girare in WSL, in Windows o dove sceglie Fucina; il valore ricevuto è un altro.',
    'Scegli uno dei posti proposti.',
  ],
  ELICITATION_ANSWER_INVALID: [
    'Risposta non valida',
    'La risposta non corrisponde a quello che il server di attrezzi ha chiesto.',
    'Rivedi la risposta e inviala di nuovo.',
  ],
  ELICITATION_NOT_PENDING: [
    'Richiesta non più in attesa',
    'Il server di attrezzi non aspetta più questa risposta.',
    'Continua la sessione: se serve ancora, la richiesta tornerà.',
  ],
  HOOK_INVALID: [
    'Automatismi del progetto non leggibili',
    'Il file del progetto che elenca gli automatismi non ha la forma prevista, quindi non si può approvare.',
    'Correggi il file e riprova.',
  ],
  HOST_FORBIDDEN: [
    'Indirizzo non accettato',
    'La richiesta è arrivata con un nome diverso dall’indirizzo locale di Fucina.',
    'Apri Fucina dall’indirizzo mostrato all’avvio.',
  ],
  INTERNAL_ERROR: [
    'Errore imprevisto',
    'Qualcosa dentro Fucina non ha funzionato e la richiesta non è andata a buon fine.',
    'Riprova e, se succede ancora, guarda il dettaglio nella diagnosi.',
  ],
  MCP_INVALID: [
    'Server di attrezzi non leggibili',
    'Il file del progetto che elenca i server di attrezzi non ha la forma prevista, quindi non si può approvare.',
    'Correggi il file e riprova.',
  ],
  METHOD_NOT_ALLOWED: [
    'Azione non prevista',
    'Questo indirizzo esiste, ma non accetta l’azione richiesta.',
    'Ricarica la finestra e ripeti l’azione da lì.',
  ],
  NOT_FOUND: ['Non trovato', 'Quello che cerchi non c’è, o non c’è più.', 'Torna all’elenco e scegli di nuovo.'],
  ORIGIN_FORBIDDEN: [
    'Richiesta da un’altra pagina',
    'La richiesta veniva da una pagina che non è la finestra di Fucina ed è stata fermata.',
    'Ripeti l’azione dalla finestra di Fucina.',
  ],
  PAYLOAD_LIMIT: [
    'Invio troppo grande',
    'Quello che è stato inviato supera il limite previsto.',
    'Riduci il testo o il file e riprova.',
  ],
  PLATFORM_UNSUPPORTED: [
    'Non disponibile su questo sistema',
    'Questa azione non è prevista sul sistema di questo computer.',
    'Esegui l’azione a mano, con gli strumenti del sistema.',
  ],
  PLUGIN_INVALID: [
    'Plugin non leggibile',
    'La descrizione del plugin non ha la forma prevista, quindi non si può approvare.',
    'Correggi i file del plugin e riprova.',
  ],
  PROCESS_NOT_RUNNING: [
    'Il processo non è in corso',
    'Il processo era già finito quando è arrivata la richiesta.',
    'Aggiorna l’elenco dei processi.',
  ],
  QUERY_INVALID: [
    'Richiesta non valida',
    'Qualcosa nella richiesta manca, è di troppo o ha una forma non prevista.',
    'Controlla i dati inseriti e riprova.',
  ],
  REPORT_UNAVAILABLE: [
    'Resoconto non disponibile',
    'In questo momento non si riesce a preparare l’informazione richiesta.',
    'Riprova fra poco.',
  ],
  SCELTA_NON_VALIDA: [
    'Scelta non valida',
    'L’interruttore accetta solo acceso o spento.',
    'Scegli acceso o spento e riprova.',
  ],
  SERVER_SHUTTING_DOWN: [
    'Fucina si sta chiudendo',
    'La chiusura è cominciata, quindi non partono nuovi lavori.',
    'Riavvia Fucina e riprova.',
  ],
  TERMINAL_LIMIT_REACHED: [
    'Troppi terminali aperti',
    'La sessione ha già il numero massimo di terminali.',
    'Chiudi un terminale che non serve più e riprova.',
  ],
  TERMINAL_STORE_UNAVAILABLE: [
    'Terminali non disponibili',
    'In questo momento i terminali non si possono aprire né elencare.',
    'Riprova fra poco o riavvia Fucina.',
  ],
  WSL_STORE_UNAVAILABLE: [
    'Impostazioni di WSL non disponibili',
    'Non si riesce a leggere o a salvare le preferenze di WSL.',
    'Controlla lo spazio libero e i permessi della cartella dei dati.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
