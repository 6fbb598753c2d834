import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const RUNS_IT = {
  AUTOMATION_CRON_FIELDS: [
    'Orario cron incompleto',
    'Un orario cron ha bisogno di cinque campi esatti.',
    'Scrivi minuto, ora, giorno, mese e giorno della settimana.',
  ],
  AUTOMATION_CRON_INVALID: [
    'Orario cron non leggibile',
    'L’orario cron contiene un valore che non si capisce.',
    'Correggi l’orario e salva di nuovo.',
  ],
  AUTOMATION_FOLDER_UNAVAILABLE: [
    'Cartella dell’automazione non disponibile',
    'La cartella dell’automazione non c’è, o non si può leggere.',
    'Scegli un’altra cartella o ripristina quella di prima.',
  ],
  AUTOMATION_INVALID: [
    'Automazione non valida',
    'Un campo dell’automazione ha un valore che non si può usare.',
    'Controlla i campi e salva di nuovo.',
  ],
  AUTOMATION_LEGACY: [
    'Automazione di vecchio tipo',
    'Questa automazione è nel formato vecchio, che non permette questa azione.',
    'Crea una nuova automazione con le stesse istruzioni.',
  ],
  AUTOMATION_NO_RUN_IN_PROGRESS: [
    'Nessuna esecuzione in corso',
    'L’automazione non sta eseguendo nulla.',
    'Aggiorna l’elenco delle esecuzioni.',
  ],
  AUTOMATION_ORIGIN_FORBIDDEN: [
    'Automazioni da gestire nella finestra',
    'Le automazioni si cambiano solo dalla finestra di Fucina.',
    'Apri le automazioni nella finestra e ripeti da lì.',
  ],
  AUTOMATION_PROPOSAL_DECIDED: [
    'Proposta già decisa',
    'Su questa proposta è già stata presa una decisione.',
    'Aggiorna l’esecuzione per vedere com’è andata.',
  ],
  AUTOMATION_PROPOSAL_NOT_FOUND: [
    'Proposta non trovata',
    'Questa esecuzione non ha una proposta da decidere.',
    'Aggiorna l’elenco delle esecuzioni.',
  ],
  AUTOMATION_PROPOSAL_STALE: [
    'Proposta superata',
    'Le istruzioni dell’automazione sono cambiate dopo la proposta.',
    'Modifica le istruzioni a mano, o aspetta una nuova proposta.',
  ],
  AUTOMATION_RUN_IN_PROGRESS: [
    'Esecuzione già in corso',
    'Questa automazione sta già lavorando, e ne può correre una sola alla volta.',
    'Aspetta che finisca, o fermala.',
  ],
  AUTOMATION_RUN_NOT_STARTED: [
    'Esecuzione non avviata',
    'Non si è riusciti ad avviare la sessione dell’automazione.',
    'Controlla il modello e la cartella dell’automazione, poi riprova.',
  ],
  AUTOMATION_SCHEDULE_INVALID: [
    'Orario non valido',
    'L’orario dell’automazione ha campi mancanti, di troppo o con valori non ammessi.',
    'Scegli di nuovo l’orario e salva.',
  ],
  AUTOMATION_SCHEDULE_PAST: [
    'Data già passata',
    'L’automazione dovrebbe partire in un momento già passato.',
    'Scegli una data futura.',
  ],
  AUTOMATION_SCHEDULE_TOO_FREQUENT: [
    'Orario troppo fitto',
    'Tra un’esecuzione e l’altra servono almeno cinque minuti.',
    'Allunga l’intervallo e salva.',
  ],
  AUTOMATION_TIMEZONE_INVALID: [
    'Fuso orario non valido',
    'Il fuso orario indicato non è riconosciuto.',
    'Scegli un fuso orario dall’elenco.',
  ],
  WORKFLOW_ALREADY_STARTED: [
    'Flusso di lavoro già avviato',
    'Questa versione del flusso di lavoro ha già un’esecuzione.',
    'Apri l’esecuzione che c’è.',
  ],
  WORKFLOW_APPROVAL_CONFLICT: [
    'Versione già approvata',
    'Questa versione è già stata approvata da un’altra richiesta.',
    'Aggiorna il flusso di lavoro e continua da lì.',
  ],
  WORKFLOW_APPROVAL_ORIGIN_FORBIDDEN: [
    'Approvazione da dare nella finestra',
    'Un flusso di lavoro si approva solo dalla finestra di Fucina.',
    'Apri il flusso di lavoro nella finestra e approvalo da lì.',
  ],
  WORKFLOW_COMMAND_CONFLICT: [
    'Comando ripetuto con altri dati',
    'Lo stesso comando era già arrivato con un contenuto diverso.',
    'Aggiorna il flusso di lavoro e ripeti l’azione.',
  ],
  WORKFLOW_COMMAND_ORIGIN_FORBIDDEN: [
    'Comandi da dare nella finestra',
    'I flussi di lavoro si comandano solo dalla finestra di Fucina.',
    'Apri il flusso di lavoro nella finestra e ripeti da lì.',
  ],
  WORKFLOW_DEFINITION_HASH_MISMATCH: [
    'Il flusso di lavoro è cambiato',
    'Quello che hai davanti non è più la versione attuale.',
    'Aggiorna il flusso di lavoro, rileggilo e riprova.',
  ],
  WORKFLOW_DEFINITION_INVALID: [
    'Flusso di lavoro non valido',
    'Il flusso di lavoro così com’è non può funzionare.',
    'Correggi i suoi passi o i suoi limiti e riprova.',
  ],
  WORKFLOW_DEFINITION_NOT_APPROVED: [
    'Versione non approvata',
    'Questa versione non è ancora stata approvata.',
    'Approva la versione, poi avviala.',
  ],
  WORKFLOW_PROPOSAL_NOT_FOUND: [
    'Proposta non trovata',
    'La proposta di flusso di lavoro non c’è, o la sua sessione è stata eliminata.',
    'Aggiorna l’elenco dei flussi di lavoro.',
  ],
  WORKFLOW_REVISION_EMPTY: [
    'Nessun cambiamento',
    'La nuova versione è uguale a quella di prima.',
    'Cambia almeno un limite e salva.',
  ],
  WORKFLOW_REVISION_INVALID: [
    'Modifica non valida',
    'Uno dei limiti indicati non è previsto, o ha un valore non ammesso.',
    'Correggi i limiti e salva di nuovo.',
  ],
  WORKFLOW_RUNTIME_NOT_READY: [
    'Flussi di lavoro non pronti',
    'In questo momento Fucina non può eseguire flussi di lavoro.',
    'Riprova fra poco.',
  ],
  WORKFLOW_RUN_NOT_FINISHED: [
    'Esecuzione non finita',
    'Un flusso di lavoro di questa conversazione è ancora in corso.',
    'Aspetta che finisca o annullalo, poi riprova.',
  ],
  WORKFLOW_RUN_STATE_CONFLICT: [
    'Azione non possibile adesso',
    'L’esecuzione è in uno stato che non permette questa azione.',
    'Aggiorna l’esecuzione e scegli una delle azioni proposte.',
  ],
  WORKFLOW_START_UNSUPPORTED: [
    'Flusso di lavoro non avviabile',
    'Il flusso di lavoro contiene passi che Fucina non sa eseguire.',
    'Chiedi all’agente una proposta con altri passi.',
  ],
  WORKFLOW_STORE_NEEDS_ATTENTION: [
    'Archivio dei flussi da controllare',
    'L’archivio dei flussi di lavoro ha un problema e per prudenza non accetta comandi.',
    'Apri la diagnosi per vedere che cosa fare.',
  ],
  WORKFLOW_STORE_UNAVAILABLE: [
    'Archivio dei flussi non disponibile',
    'I flussi di lavoro salvati non si possono leggere né scrivere.',
    'Controlla lo spazio libero e i permessi della cartella dei dati, poi riprova.',
  ],
  WORKFLOW_VERSION_NOT_LATEST: [
    'C’è una versione più nuova',
    'È stata proposta una versione successiva di questo flusso di lavoro.',
    'Apri la versione più nuova e continua da lì.',
  ],
  WORKFLOW_VERSION_SUPERSEDED: [
    'Versione superata',
    'È stata approvata una versione successiva di questo flusso di lavoro.',
    'Avvia la versione approvata più nuova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
