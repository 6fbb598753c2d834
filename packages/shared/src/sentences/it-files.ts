import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const FILES_IT = {
  FILE_EXISTS: [
    'Nome già usato',
    'In questa cartella c’è già un file o una cartella con lo stesso nome.',
    'Scegli un altro nome.',
  ],
  FILE_NOT_FOUND: [
    'File non trovato',
    'Il file o la cartella non esiste. Potrebbe essere stato spostato o eliminato.',
    'Aggiorna l’elenco dei file e scegli di nuovo.',
  ],
  FILE_TOO_LARGE: [
    'File troppo grande da mostrare',
    'Il file supera il limite dell’anteprima.',
    'Scarica il file o aprilo con un altro programma.',
  ],
  LIBRARY_INVALID: [
    'Richiesta non valida per la libreria',
    'La richiesta per questa voce della libreria non è valida.',
    'Scegli di nuovo la voce dall’elenco.',
  ],
  LIBRARY_MALFORMED: [
    'Voce della libreria danneggiata',
    'I dati di una voce della libreria sono danneggiati.',
    'Controlla la cartella della libreria e ripristina la voce danneggiata.',
  ],
  LIBRARY_NAME_EMPTY: [
    'Nome vuoto',
    'Il nome non contiene lettere o cifre.',
    'Inserisci un nome con almeno una lettera o una cifra.',
  ],
  LIBRARY_NOT_FOUND: [
    'Voce non trovata',
    'Questa voce della libreria non esiste o è stata eliminata.',
    'Aggiorna la libreria e scegli di nuovo.',
  ],
  LIBRARY_READ_FAILED: [
    'Impossibile leggere la libreria',
    'La lettura della libreria dal disco non è riuscita.',
    'Controlla i permessi della cartella e riprova.',
  ],
  LIBRARY_TOO_LARGE: [
    'Troppo grande da scaricare',
    'La voce della libreria supera il limite di download.',
    'Apri il file direttamente dalla sua cartella.',
  ],
  MEMORY_INVALID: [
    'Memoria non valida',
    'Il titolo o il testo della memoria è vuoto, o troppo lungo.',
    'Correggi la memoria e salvala di nuovo.',
  ],
  MEMORY_NOT_FOUND: [
    'Memoria non trovata',
    'Questa memoria non esiste o è stata eliminata.',
    'Aggiorna l’elenco delle memorie.',
  ],
  NOTE_INVALID: [
    'Nota non valida',
    'Il titolo o il testo della nota è vuoto, o troppo lungo.',
    'Correggi la nota e salvala di nuovo.',
  ],
  NOTE_NOT_FOUND: ['Nota non trovata', 'Questa nota non esiste o è stata eliminata.', 'Aggiorna l’elenco delle note.'],
  PAGE_ORIGIN_FORBIDDEN: [
    'Pagine apribili solo nella finestra',
    'Le pagine del progetto si aprono solo dalla finestra di Fucina.',
    'Apri la pagina dalla finestra.',
  ],
  RESEARCH_CONFLICT: [
    'Azione non disponibile per questa ricerca',
    'La ricerca è in uno stato che non permette questa azione.',
    'Aggiorna la ricerca e controllane lo stato.',
  ],
  RESEARCH_INVALID: [
    'Richiesta di ricerca non valida',
    'La richiesta contiene un’opzione non supportata.',
    'Scegli una delle opzioni disponibili e riprova.',
  ],
  RESEARCH_NOT_FOUND: [
    'Ricerca non trovata',
    'Questa ricerca non esiste o è stata eliminata.',
    'Aggiorna l’elenco delle ricerche.',
  ],
  RESEARCH_RECHECK_UNAVAILABLE: [
    'Verifica della ricerca non disponibile',
    'Al momento la ricerca non si può verificare né modificare.',
    'Riprova più tardi.',
  ],
  TASK_INVALID: [
    'Attività non valida',
    'Il titolo o un altro campo dell’attività è vuoto, troppo lungo o non supportato.',
    'Correggi l’attività e salvala di nuovo.',
  ],
  TASK_NOT_FOUND: [
    'Attività non trovata',
    'Questa attività non esiste o è stata eliminata.',
    'Aggiorna l’elenco delle attività.',
  ],
  WORKSPACE_ALREADY_EXISTS: [
    'Cartella già esistente',
    'Qui esiste già un file o una cartella con lo stesso nome.',
    'Scegli un altro nome.',
  ],
  WORKSPACE_LAUNCH_NOT_AVAILABLE: [
    'Avvio non più disponibile',
    'La richiesta di aprire questa cartella è scaduta o è già stata usata.',
    'Apri di nuovo la cartella dal programma da cui sei partito.',
  ],
  WORKSPACE_LAUNCH_UNAUTHORIZED: [
    'Avvio non autorizzato',
    'Il programma che ha chiesto di aprire una cartella non ha inviato il token del launcher.',
    'Scegli la cartella dalla finestra di Fucina.',
  ],
  WORKSPACE_NOT_AVAILABLE: [
    'Cartella non disponibile',
    'La cartella non esiste, non si può leggere o non si può selezionare.',
    'Scegli un’altra cartella o controlla i suoi permessi.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
