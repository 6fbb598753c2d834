import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const MODELS_IT = {
  CANCELLED_BY_OWNER: [
    'Download annullato',
    'Hai annullato questo download, quindi non si può riprendere.',
    'Avvialo di nuovo dall’hub dei modelli.',
  ],
  CHECKSUM_MISMATCH: [
    'Checksum non corrispondente',
    'Il file scaricato non corrisponde al checksum atteso, quindi non si può usare.',
    'Scarica di nuovo il modello.',
  ],
  FIT_INVALID: [
    'Valori della stima non validi',
    'L’uso o la lunghezza di contesto indicati non sono validi.',
    'Scegli uno degli usi elencati e una lunghezza di contesto valida.',
  ],
  LOCAL_IMPORT_EMPTY: ['File vuoto', 'Il file del modello è vuoto.', 'Scegli un altro file.'],
  LOCAL_IMPORT_INVALID: [
    'Importazione non valida',
    'Il nome del file o i dati dell’importazione non sono validi.',
    'Scegli un file di modello con un nome semplice e riprova.',
  ],
  LOCAL_IMPORT_NOT_GGUF: ['Non è un modello GGUF', 'Il file non è un modello GGUF.', 'Scegli un file GGUF.'],
  LOCAL_IMPORT_SIZE_MISMATCH: [
    'Importazione incompleta',
    'Il file ricevuto non ha la dimensione annunciata.',
    'Importa di nuovo il file.',
  ],
  LOCAL_IMPORT_TOO_LARGE: [
    'Modello troppo grande',
    'Il file supera il limite di importazione.',
    'Scegli un modello più piccolo.',
  ],
  LOCAL_RUNTIME_FAILED: [
    'Il motore locale si è fermato',
    'Il motore locale si è fermato prima di completare l’operazione.',
    'Riprova, o scegli un modello più piccolo.',
  ],
  LOCAL_RUNTIME_PROBE_MISCONFIGURED: [
    'Controllo dell’hardware non configurato',
    'Il controllo dell’hardware non è configurato correttamente.',
    'Controlla le impostazioni del motore locale e riavvia Fucina.',
  ],
  MODEL_FILE_UNREADABLE: [
    'File del modello illeggibile',
    'Impossibile leggere il file del modello dal disco.',
    'Controlla i permessi del file, o scarica di nuovo il modello.',
  ],
  MODEL_HEADER_INVALID: [
    'Formato del modello non supportato',
    'L’header del file non descrive un modello supportato.',
    'Scegli un’altra versione del modello.',
  ],
  MODEL_HEADER_UNREADABLE: [
    'Header del modello illeggibile',
    'Impossibile leggere l’header del file del modello.',
    'Controlla il file, o scarica di nuovo il modello.',
  ],
  MODEL_LOAD_UNCONFIRMED: [
    'Caricamento non confermato',
    'Il motore non ha confermato di aver caricato il modello.',
    'Aggiorna lo stato del motore e riprova.',
  ],
  MODEL_NOT_COMPATIBLE: [
    'Modello non adatto a questo computer',
    'Secondo la stima, questo modello non può essere eseguito su questo computer.',
    'Scegli un modello più piccolo o un contesto più corto.',
  ],
  MODEL_NOT_FOUND: [
    'Modello non trovato',
    'Il provider non offre questo modello, oppure non è installato.',
    'Scegli un altro modello, o scarica questo.',
  ],
  MODEL_NOT_READY: [
    'Modello non pronto',
    'Il modello non è ancora scaricato e verificato del tutto.',
    'Aspetta la fine del download, o riprendilo.',
  ],
  MODEL_UNLOAD_UNCONFIRMED: [
    'Rimozione dalla memoria non confermata',
    'Il motore non ha confermato di aver liberato la memoria del modello.',
    'Aggiorna lo stato del motore e riprova.',
  ],
  PAUSED_BY_OWNER: ['Download in pausa', 'Hai messo in pausa questo download.', 'Riprendilo quando vuoi.'],
  PROBE_CONSENT_REQUIRED: [
    'Serve il tuo consenso',
    'La prova carica il modello e usa le risorse di questo computer, quindi serve il tuo consenso.',
    'Accetta la prova e avviala di nuovo.',
  ],
  PROBE_GENERATION_FAILED: [
    'Prova del modello non riuscita',
    'Il modello non è riuscito a generare la breve risposta di prova.',
    'Riprova, o scegli un altro modello.',
  ],
  PROBE_GENERATION_INCOMPLETE: [
    'Prova del modello incompleta',
    'La risposta di prova si è fermata prima della fine.',
    'Chiudi altri programmi e riprova.',
  ],
  RUNTIME_ALREADY_RUNNING: [
    'Motore già in esecuzione',
    'Il motore locale è occupato, o il modello è già caricato.',
    'Libera la memoria del modello e riprova.',
  ],
  RUNTIME_NOT_AVAILABLE: [
    'Motore locale non in esecuzione',
    'Il motore locale non è in esecuzione.',
    'Carica un modello e riprova.',
  ],
  RUNTIME_OPERATION_UNSUPPORTED: [
    'Azione non supportata dal motore',
    'Questo motore non supporta questa azione.',
    'Usa il programma del motore.',
  ],
  RUNTIME_PROBE_FAILED: [
    'Controllo dell’hardware non riuscito',
    'Fucina non ha potuto rilevare le capacità di questo computer.',
    'Riprova, o apri Impostazioni → Salute.',
  ],
  RUNTIME_UNREACHABLE: [
    'Motore non raggiungibile',
    'Il motore di modelli non risponde al suo indirizzo.',
    'Avvia il motore e controlla l’indirizzo, poi riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
