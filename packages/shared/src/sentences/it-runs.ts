import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const RUNS_IT = {
  AUTOMATION_CRON_FIELDS: [
    'Orario cron incompleto',
    'Un orario cron richiede esattamente cinque campi.',
    'Inserisci minuto, ora, giorno, mese e giorno della settimana.',
  ],
  AUTOMATION_CRON_INVALID: [
    'Orario cron non valido',
    'L’orario cron contiene un valore non valido.',
    'Correggi l’orario e salva di nuovo.',
  ],
  AUTOMATION_FOLDER_UNAVAILABLE: [
    'Cartella dell’automazione non disponibile',
    'La cartella dell’automazione non esiste o non si può leggere.',
    'Scegli un’altra cartella o ripristina quella di prima.',
  ],
  AUTOMATION_INVALID: [
    'Automazione non valida',
    'Un campo dell’automazione ha un valore non valido.',
    'Controlla i campi e salva di nuovo.',
  ],
  AUTOMATION_LEGACY: [
    'Automazione in un vecchio formato',
    'Questa automazione usa un vecchio formato, che non supporta questa azione.',
    'Crea una nuova automazione con le stesse istruzioni.',
  ],
  AUTOMATION_NO_RUN_IN_PROGRESS: [
    'Nessuna esecuzione in corso',
    'L’automazione non è in esecuzione.',
    'Aggiorna l’elenco delle esecuzioni.',
  ],
  AUTOMATION_ORIGIN_FORBIDDEN: [
    'Gestisci le automazioni nella finestra',
    'Le automazioni si modificano solo dalla finestra di Fucina.',
    'Modifica l’automazione nella finestra.',
  ],
  AUTOMATION_PROPOSAL_DECIDED: [
    'Proposta già decisa',
    'Questa proposta è già stata approvata o scartata.',
    'Aggiorna l’esecuzione per vedere la decisione.',
  ],
  AUTOMATION_PROPOSAL_NOT_FOUND: [
    'Proposta non trovata',
    'Questa esecuzione non ha proposte in attesa di una decisione.',
    'Aggiorna l’elenco delle esecuzioni.',
  ],
  AUTOMATION_PROPOSAL_STALE: [
    'Proposta superata',
    'Le istruzioni dell’automazione sono cambiate dopo la proposta.',
    'Modifica le istruzioni a mano, o aspetta una nuova proposta.',
  ],
  AUTOMATION_RUN_IN_PROGRESS: [
    'Esecuzione già in corso',
    'Questa automazione è già in esecuzione. È ammessa una sola esecuzione alla volta.',
    'Aspetta che finisca, o fermala.',
  ],
  AUTOMATION_RUN_NOT_STARTED: [
    'Esecuzione non avviata',
    'Non si è riusciti ad avviare la sessione dell’automazione.',
    'Controlla il modello e la cartella dell’automazione, poi riprova.',
  ],
  AUTOMATION_SCHEDULE_INVALID: [
    'Orario non valido',
    'L’orario dell’automazione ha campi mancanti, inattesi o non validi.',
    'Imposta di nuovo l’orario e salva.',
  ],
  AUTOMATION_SCHEDULE_PAST: [
    'Data nel passato',
    'L’orario di avvio dell’automazione è nel passato.',
    'Scegli una data futura.',
  ],
  AUTOMATION_SCHEDULE_TOO_FREQUENT: [
    'Orario troppo frequente',
    'Tra un’esecuzione e l’altra devono passare almeno cinque minuti.',
    'Allunga l’intervallo e salva.',
  ],
  AUTOMATION_TIMEZONE_INVALID: [
    'Fuso orario non valido',
    'Il fuso orario indicato non è riconosciuto.',
    'Scegli un fuso orario dall’elenco.',
  ],
  WORKFLOW_ALREADY_STARTED: [
    'Workflow già avviato',
    'Questa versione del workflow ha già un’esecuzione.',
    'Apri l’esecuzione esistente.',
  ],
  WORKFLOW_APPROVAL_CONFLICT: [
    'Versione già approvata',
    'Questa versione è già stata approvata da un’altra richiesta.',
    'Aggiorna il workflow e continua.',
  ],
  WORKFLOW_APPROVAL_ORIGIN_FORBIDDEN: [
    'Approva i workflow nella finestra',
    'Un workflow si approva solo dalla finestra di Fucina.',
    'Apri il workflow nella finestra e approvalo da lì.',
  ],
  WORKFLOW_COMMAND_CONFLICT: [
    'Comando già usato',
    'Un comando con lo stesso id è già stato ricevuto con un contenuto diverso.',
    'Aggiorna il workflow e ripeti l’azione.',
  ],
  WORKFLOW_COMMAND_ORIGIN_FORBIDDEN: [
    'Controlla i workflow nella finestra',
    'I workflow si controllano solo dalla finestra di Fucina.',
    'Apri il workflow nella finestra e riprova da lì.',
  ],
  WORKFLOW_DEFINITION_HASH_MISMATCH: [
    'Il workflow è cambiato',
    'La versione mostrata non è più quella attuale.',
    'Aggiorna il workflow, rivedilo e riprova.',
  ],
  WORKFLOW_DEFINITION_INVALID: [
    'Workflow non valido',
    'La definizione del workflow non è valida.',
    'Correggi i passi o i limiti e riprova.',
  ],
  WORKFLOW_DEFINITION_NOT_APPROVED: [
    'Versione non approvata',
    'Questa versione non è ancora stata approvata.',
    'Approva la versione, poi avviala.',
  ],
  WORKFLOW_PROPOSAL_NOT_FOUND: [
    'Proposta non trovata',
    'La proposta di workflow non esiste, o la sua sessione è stata eliminata.',
    'Aggiorna l’elenco dei workflow.',
  ],
  WORKFLOW_REVISION_EMPTY: [
    'Nessuna modifica',
    'La nuova versione è uguale a quella di prima.',
    'Cambia almeno un limite e salva.',
  ],
  WORKFLOW_REVISION_INVALID: [
    'Revisione non valida',
    'Uno dei limiti è sconosciuto o ha un valore non ammesso.',
    'Correggi i limiti e salva di nuovo.',
  ],
  WORKFLOW_RUNTIME_NOT_READY: [
    'Workflow non pronti',
    'Al momento Fucina non può eseguire workflow.',
    'Riprova fra poco.',
  ],
  WORKFLOW_RUN_NOT_FINISHED: [
    'Esecuzione non finita',
    'Un workflow di questa conversazione è ancora in corso.',
    'Aspetta che finisca o annullalo, poi riprova.',
  ],
  WORKFLOW_RUN_STATE_CONFLICT: [
    'Azione non disponibile ora',
    'L’esecuzione è in uno stato che non permette questa azione.',
    'Aggiorna l’esecuzione e scegli una delle azioni disponibili.',
  ],
  WORKFLOW_START_UNSUPPORTED: [
    'Workflow non avviabile',
    'Il workflow contiene passi che Fucina non sa eseguire.',
    'Chiedi all’agente una proposta con altri passi.',
  ],
  WORKFLOW_STORE_NEEDS_ATTENTION: [
    'Archivio dei workflow da controllare',
    'L’archivio dei workflow ha un problema e non accetta comandi finché non viene risolto.',
    'Apri Impostazioni → Salute per sapere che cosa fare.',
  ],
  WORKFLOW_STORE_UNAVAILABLE: [
    'Archivio dei workflow non disponibile',
    'I workflow salvati non si possono leggere né scrivere.',
    'Controlla lo spazio libero e i permessi della cartella dei dati, poi riprova.',
  ],
  WORKFLOW_VERSION_NOT_LATEST: [
    'C’è una versione più nuova',
    'È stata proposta una versione successiva di questo workflow.',
    'Apri la versione più nuova e continua.',
  ],
  WORKFLOW_VERSION_SUPERSEDED: [
    'Versione superata',
    'È stata approvata una versione successiva di questo workflow.',
    'Avvia la versione approvata più nuova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
