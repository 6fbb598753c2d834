import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const SESSIONS_IT = {
  APPROVAL_ANSWER_FORBIDDEN: [
    'Richiesta di un’altra sessione',
    'Può rispondere solo la sessione che ha chiesto l’approvazione, o una sessione padre.',
    'Apri la sessione che ha chiesto l’approvazione e rispondi da lì.',
  ],
  APPROVAL_NOT_PENDING: [
    'Approvazione non più in attesa',
    'La richiesta di approvazione ha già avuto risposta o è scaduta.',
    'Continua la sessione: se serve ancora, l’agente ripeterà la richiesta.',
  ],
  CHAT_FILE_ORIGIN_FORBIDDEN: [
    'Carica i file nella finestra',
    'I file del progetto si caricano solo dalla finestra di Fucina.',
    'Carica il file dalla finestra.',
  ],
  COMPACTION_NOT_FOUND: [
    'Compattazione non trovata',
    'Questa compattazione non esiste o è già stata annullata.',
    'Ricarica la sessione per vedere lo stato attuale.',
  ],
  MODEL_CALL_FAILED: [
    'Richiesta al modello non riuscita',
    'La richiesta al modello è fallita.',
    'Riprova o scegli un altro modello.',
  ],
  MODEL_ID_INVALID: [
    'Nome del modello non valido',
    'Il nome del modello non ha un formato valido.',
    'Scegli un modello dall’elenco.',
  ],
  MODE_WORKFLOW_RETIRED: [
    'Modalità rimossa',
    'La modalità workflow non esiste più.',
    'Scegli la modalità normale o la modalità piano.',
  ],
  PERMISSIONS_INVALID: [
    'Livello di permesso non valido',
    'Questo livello di permesso non esiste.',
    'Scegli uno dei livelli disponibili.',
  ],
  PLAN_APPROVAL_ORIGIN_FORBIDDEN: [
    'Approva i piani nella finestra',
    'Un piano si approva o si rifiuta solo dalla finestra di Fucina.',
    'Apri la sessione nella finestra e rispondi da lì.',
  ],
  PLAN_DECISION_NOT_SAVED: [
    'Decisione non salvata',
    'Impossibile salvare la decisione. Il piano è ancora in attesa.',
    'Controlla lo spazio libero sul disco e decidi di nuovo.',
  ],
  PLAN_NOT_PENDING: [
    'Nessun piano in attesa',
    'Non ci sono piani in attesa di approvazione.',
    'Ricarica la sessione per vedere lo stato attuale.',
  ],
  PLAN_STALE: [
    'Il piano è cambiato',
    'Il piano mostrato non è più quello in attesa.',
    'Ricarica la sessione, e rivedi il nuovo piano.',
  ],
  QUESTION_ANSWER_FORBIDDEN: [
    'Domanda di un’altra sessione',
    'Può rispondere solo la sessione che ha fatto la domanda, o una sessione padre.',
    'Apri la sessione che ha fatto la domanda e rispondi da lì.',
  ],
  QUESTION_ANSWER_NOT_SAVED: [
    'Risposta non salvata',
    'Impossibile salvare la risposta, quindi l’agente non l’ha ricevuta.',
    'Controlla lo spazio libero sul disco e rispondi di nuovo.',
  ],
  QUESTION_NOT_PENDING: [
    'Domanda non più in attesa',
    'La domanda ha già avuto risposta, o è scaduta.',
    'Invia la risposta all’agente come messaggio.',
  ],
  REASONING_INVALID: [
    'Livello di ragionamento non valido',
    'Questo livello di ragionamento non esiste.',
    'Scegli uno dei valori disponibili.',
  ],
  SESSION_MODEL_UNKNOWN: [
    'Modello della sessione non trovato',
    'Il modello di questa sessione è sconosciuto.',
    'Scegli un altro modello nelle impostazioni della sessione.',
  ],
  SESSION_NOT_READY: [
    'La sessione non è pronta',
    'Al momento la sessione non può eseguire questa azione.',
    'Aspetta la fine del turno e riprova.',
  ],
  SESSION_STILL_RUNNING: [
    'Sessione ancora in esecuzione',
    'Questa azione è disponibile solo quando l’agente è fermo.',
    'Ferma la sessione o aspetta la fine del turno.',
  ],
  SESSION_STORE_AMBIGUOUS: [
    'Archivio delle sessioni da verificare',
    'I dati salvati di questa sessione non indicano quale versione è quella attuale.',
    'Apri Impostazioni → Salute per vedere il problema.',
  ],
  SESSION_STORE_BUSY: [
    'Sessione in uso altrove',
    'Un altro programma sta usando la stessa sessione o la stessa cartella dei dati.',
    'Chiudi l’altro programma o aspetta che finisca, poi riprova.',
  ],
  SESSION_STORE_DELETE_FAILED: [
    'Sessione non eliminata',
    'Impossibile eliminare la sessione dal disco.',
    'Controlla lo spazio libero e i permessi della cartella dei dati, poi riprova.',
  ],
  SESSION_STORE_FS_UNSUPPORTED: [
    'File system non supportato',
    'Il file system della cartella dei dati non garantisce scritture sicure.',
    'Sposta la cartella dei dati su un disco locale e riavvia Fucina.',
  ],
  SESSION_STORE_HEADER_FAILED: [
    'Sessione non creata',
    'Impossibile salvare i primi dati della nuova sessione.',
    'Controlla lo spazio libero e i permessi della cartella dei dati, poi riprova.',
  ],
  SESSION_STORE_WRITE_FAILED: [
    'Sessione non salvata',
    'Impossibile scrivere la sessione sul disco, quindi non è stato modificato nulla.',
    'Controlla lo spazio libero e i permessi della cartella dei dati, poi riprova.',
  ],
  TASK_CATALOG_UNAVAILABLE: [
    'Attività di esempio non disponibili',
    'L’elenco delle attività di esempio non è disponibile.',
    'Avvia una sessione nella tua cartella, con una tua richiesta.',
  ],
  TASK_NOT_ALLOWED: [
    'Attività di esempio non trovata',
    'L’attività scelta non è tra quelle di esempio.',
    'Scegli un’attività dall’elenco.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
