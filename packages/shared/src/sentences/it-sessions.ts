import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const SESSIONS_IT = {
  APPROVAL_ANSWER_FORBIDDEN: [
    'Permesso da dare altrove',
    'Può rispondere solo la sessione che ha chiesto il permesso, o una da cui dipende.',
    'Apri la sessione che ha chiesto il permesso e rispondi da lì.',
  ],
  APPROVAL_NOT_PENDING: [
    'Permesso non più richiesto',
    'La richiesta di permesso ha già avuto risposta, o è decaduta.',
    'Continua la sessione: se serve ancora, il permesso sarà chiesto di nuovo.',
  ],
  CHAT_FILE_ORIGIN_FORBIDDEN: [
    'File da caricare nella finestra',
    'I file del progetto si caricano solo dalla finestra di Fucina.',
    'Carica il file dalla finestra.',
  ],
  COMPACTION_NOT_FOUND: [
    'Compattazione non trovata',
    'Questa compattazione non c’è, oppure è già stata annullata.',
    'Ricarica la sessione per vedere lo stato attuale.',
  ],
  MODEL_CALL_FAILED: [
    'Il modello non ha risposto',
    'La richiesta al modello non è andata a buon fine.',
    'Riprova o scegli un altro modello.',
  ],
  MODEL_ID_INVALID: [
    'Nome del modello non valido',
    'Il nome del modello non ha una forma riconoscibile.',
    'Scegli un modello dall’elenco.',
  ],
  MODE_WORKFLOW_RETIRED: [
    'Modalità ritirata',
    'La modalità a flusso di lavoro non esiste più.',
    'Scegli la modalità normale o la modalità piano.',
  ],
  PERMISSIONS_INVALID: [
    'Livello di permesso non valido',
    'Il livello di permesso richiesto non è tra quelli previsti.',
    'Scegli uno dei livelli proposti.',
  ],
  PLAN_APPROVAL_ORIGIN_FORBIDDEN: [
    'Piano da decidere nella finestra',
    'Sul piano si decide solo dalla finestra di Fucina.',
    'Apri la sessione nella finestra e decidi da lì.',
  ],
  PLAN_DECISION_NOT_SAVED: [
    'Decisione non salvata',
    'Non si è riusciti a salvare la decisione: il piano aspetta ancora.',
    'Controlla lo spazio libero sul disco e decidi di nuovo.',
  ],
  PLAN_NOT_PENDING: [
    'Nessun piano in attesa',
    'Non c’è un piano che aspetti una decisione.',
    'Ricarica la sessione per vedere lo stato attuale.',
  ],
  PLAN_STALE: [
    'Il piano è cambiato',
    'Il piano che hai davanti non è più quello in attesa.',
    'Ricarica la sessione, leggi il piano nuovo e decidi.',
  ],
  QUESTION_ANSWER_FORBIDDEN: [
    'Domanda di un’altra sessione',
    'Può rispondere solo la sessione che ha fatto la domanda, o una da cui dipende.',
    'Apri la sessione che ha fatto la domanda e rispondi da lì.',
  ],
  QUESTION_ANSWER_NOT_SAVED: [
    'Risposta non salvata',
    'Non si è riusciti a salvare la risposta, quindi l’agente non l’ha ricevuta.',
    'Controlla lo spazio libero sul disco e rispondi di nuovo.',
  ],
  QUESTION_NOT_PENDING: [
    'Domanda già chiusa',
    'La domanda ha già avuto risposta, o è scaduta.',
    'Scrivi all’agente quello che volevi rispondere.',
  ],
  REASONING_INVALID: [
    'Ragionamento non valido',
    'La scelta del ragionamento non è tra quelle previste.',
    'Scegli uno dei valori proposti.',
  ],
  SESSION_MODEL_UNKNOWN: [
    'Modello della sessione non riconosciuto',
    'Il modello scelto per questa sessione non è tra quelli conosciuti.',
    'Scegli un altro modello nelle impostazioni della sessione.',
  ],
  SESSION_NOT_READY: [
    'La sessione non è pronta',
    'In questo momento la sessione non può fare quello che hai chiesto.',
    'Aspetta la fine del turno e riprova.',
  ],
  SESSION_STILL_RUNNING: [
    'La sessione è ancora al lavoro',
    'Questa azione è possibile solo quando l’agente è fermo.',
    'Ferma la sessione o aspetta la fine del turno.',
  ],
  SESSION_STORE_AMBIGUOUS: [
    'Archivio delle sessioni da verificare',
    'Quello che è salvato di questa sessione non permette di capire quale sia la versione giusta.',
    'Apri la diagnosi per vedere che cosa non torna.',
  ],
  SESSION_STORE_BUSY: [
    'Sessioni in uso altrove',
    'Un altro programma sta usando la stessa sessione o la stessa cartella dei dati.',
    'Chiudi l’altro programma o aspetta che finisca, poi riprova.',
  ],
  SESSION_STORE_DELETE_FAILED: [
    'Sessione non eliminata',
    'Non si è riusciti a eliminare la sessione dal disco.',
    'Controlla lo spazio libero e i permessi della cartella dei dati, poi riprova.',
  ],
  SESSION_STORE_FS_UNSUPPORTED: [
    'Disco non adatto ai dati',
    'Il disco che tiene la cartella dei dati non garantisce scritture sicure.',
    'Sposta la cartella dei dati su un disco locale e riavvia Fucina.',
  ],
  SESSION_STORE_HEADER_FAILED: [
    'Sessione non creata',
    'Non si è riusciti a salvare i primi dati della nuova sessione.',
    'Controlla lo spazio libero e i permessi della cartella dei dati, poi riprova.',
  ],
  SESSION_STORE_WRITE_FAILED: [
    'Sessione non salvata',
    'Non si è riusciti a scrivere la sessione sul disco, quindi nulla è cambiato.',
    'Controlla lo spazio libero e i permessi della cartella dei dati, poi riprova.',
  ],
  TASK_CATALOG_UNAVAILABLE: [
    'Esempi non disponibili',
    'L’elenco degli incarichi di esempio non è disponibile.',
    'Avvia una sessione nella tua cartella, con un incarico scritto da te.',
  ],
  TASK_NOT_ALLOWED: [
    'Incarico non in elenco',
    'L’incarico scelto non è tra quelli di esempio.',
    'Scegli un incarico dall’elenco.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
