import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const MODELS_IT = {
  CANCELLED_BY_OWNER: [
    'Scaricamento annullato',
    'Hai annullato questo scaricamento, quindi non si può riprendere.',
    'Avvialo di nuovo dall’archivio dei modelli.',
  ],
  CHECKSUM_MISMATCH: [
    'File scaricato non corrispondente',
    'Il file scaricato è diverso da quello annunciato, quindi non si usa.',
    'Scarica di nuovo il modello.',
  ],
  FIT_INVALID: [
    'Valori della stima non validi',
    'L’uso o la lunghezza di contesto indicati non si possono valutare.',
    'Scegli uno degli usi proposti e una lunghezza di contesto valida.',
  ],
  LOCAL_IMPORT_EMPTY: ['File vuoto', 'Il file del modello non contiene nulla.', 'Scegli un altro file.'],
  LOCAL_IMPORT_INVALID: [
    'Importazione non valida',
    'Il nome del file o i dati dell’importazione non si possono usare.',
    'Scegli un file di modello con un nome semplice e riprova.',
  ],
  LOCAL_IMPORT_NOT_GGUF: [
    'Non è un modello GGUF',
    'Il contenuto del file non è quello di un modello GGUF.',
    'Scegli un file GGUF.',
  ],
  LOCAL_IMPORT_SIZE_MISMATCH: [
    'Importazione incompleta',
    'Il file arrivato non ha la dimensione annunciata.',
    'Importa di nuovo il file.',
  ],
  LOCAL_IMPORT_TOO_LARGE: [
    'Modello troppo grande',
    'Il file supera la dimensione massima che si può importare.',
    'Scegli un modello più piccolo.',
  ],
  LOCAL_RUNTIME_FAILED: [
    'Il motore locale si è fermato',
    'Il motore locale non ha portato a termine l’operazione.',
    'Riprova, o scegli un modello più piccolo.',
  ],
  LOCAL_RUNTIME_PROBE_MISCONFIGURED: [
    'Esame del motore non configurato',
    'La prova delle capacità del computer non è impostata nel modo giusto.',
    'Controlla le impostazioni del motore locale e riavvia Fucina.',
  ],
  MODEL_FILE_UNREADABLE: [
    'File del modello illeggibile',
    'Non si riesce a leggere il file del modello dal disco.',
    'Controlla i permessi del file, o scarica di nuovo il modello.',
  ],
  MODEL_HEADER_INVALID: [
    'Modello in un formato non adatto',
    'I primi dati del file non descrivono un modello utilizzabile.',
    'Scegli un’altra versione del modello.',
  ],
  MODEL_HEADER_UNREADABLE: [
    'Descrizione del modello illeggibile',
    'Non si riesce a leggere la descrizione contenuta nel file del modello.',
    'Controlla il file, o scarica di nuovo il modello.',
  ],
  MODEL_LOAD_UNCONFIRMED: [
    'Caricamento non confermato',
    'Il motore non ha confermato di aver caricato il modello.',
    'Aggiorna lo stato del motore e riprova.',
  ],
  MODEL_NOT_COMPATIBLE: [
    'Modello non adatto a questo computer',
    'Secondo la stima, questo modello non può girare qui.',
    'Scegli un modello più piccolo o un contesto più corto.',
  ],
  MODEL_NOT_FOUND: [
    'Modello non trovato',
    'Il fornitore non offre questo modello, oppure non è installato.',
    'Scegli un altro modello, o scaricalo.',
  ],
  MODEL_NOT_READY: [
    'Modello non pronto',
    'Il modello non è ancora completo e verificato.',
    'Aspetta la fine dello scaricamento, o riprendilo.',
  ],
  MODEL_UNLOAD_UNCONFIRMED: [
    'Rilascio non confermato',
    'Il motore non ha confermato di aver lasciato il modello.',
    'Aggiorna lo stato del motore e riprova.',
  ],
  PAUSED_BY_OWNER: ['Scaricamento in pausa', 'Hai messo in pausa questo scaricamento.', 'Riprendilo quando vuoi.'],
  PROBE_CONSENT_REQUIRED: [
    'Serve il tuo consenso',
    'La prova carica davvero il modello e usa questo computer, quindi va accettata.',
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
    'Riprova con altri programmi chiusi.',
  ],
  RUNTIME_ALREADY_RUNNING: [
    'Il motore è già in uso',
    'Il motore locale sta già lavorando, o il modello scelto è caricato.',
    'Scarica il modello dal motore e riprova.',
  ],
  RUNTIME_NOT_AVAILABLE: [
    'Motore locale spento',
    'Il motore locale non è in funzione.',
    'Carica un modello e riprova.',
  ],
  RUNTIME_OPERATION_UNSUPPORTED: [
    'Azione non prevista dal motore',
    'Questo motore non permette l’azione richiesta.',
    'Esegui l’azione dal programma del motore.',
  ],
  RUNTIME_PROBE_FAILED: [
    'Esame del computer non riuscito',
    'Non si è riusciti a capire che cosa può fare questo computer.',
    'Riprova, o apri la diagnosi.',
  ],
  RUNTIME_UNREACHABLE: [
    'Motore irraggiungibile',
    'Il motore di modelli non risponde al suo indirizzo.',
    'Avvia il motore e controlla l’indirizzo, poi riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
