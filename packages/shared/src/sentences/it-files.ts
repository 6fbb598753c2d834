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
    'Il file o la cartella non c’è: forse è stato spostato o eliminato.',
    'Aggiorna l’elenco dei file e scegli di nuovo.',
  ],
  FILE_TOO_LARGE: [
    'File troppo grande da mostrare',
    'Il file supera la dimensione che si può vedere in anteprima.',
    'Scarica il file o aprilo con un altro programma.',
  ],
  LIBRARY_INVALID: [
    'Richiesta alla libreria non valida',
    'La richiesta su questa voce della libreria non si può eseguire così com’è.',
    'Scegli di nuovo la voce dall’elenco.',
  ],
  LIBRARY_MALFORMED: [
    'Libreria illeggibile',
    'I dati di una voce della libreria sono rovinati.',
    'Controlla la cartella della libreria e ripristina la voce rovinata.',
  ],
  LIBRARY_NAME_EMPTY: [
    'Nome vuoto',
    'Nel nome non resta nessuna lettera e nessuna cifra.',
    'Scrivi un nome con almeno una lettera o una cifra.',
  ],
  LIBRARY_NOT_FOUND: [
    'Voce non trovata',
    'Questa voce della libreria non c’è, o non c’è più.',
    'Aggiorna la libreria e scegli di nuovo.',
  ],
  LIBRARY_READ_FAILED: [
    'Libreria non letta',
    'Il disco non ha permesso di leggere la libreria.',
    'Controlla i permessi della cartella e riprova.',
  ],
  LIBRARY_TOO_LARGE: [
    'Troppo grande da scaricare',
    'La voce della libreria supera la dimensione che si può scaricare.',
    'Apri il file direttamente dalla sua cartella.',
  ],
  MEMORY_INVALID: [
    'Memoria non valida',
    'Il titolo o il testo della memoria è vuoto, o troppo lungo.',
    'Correggi la memoria e salvala di nuovo.',
  ],
  MEMORY_NOT_FOUND: [
    'Memoria non trovata',
    'Questa memoria non c’è, o non c’è più.',
    'Aggiorna l’elenco delle memorie.',
  ],
  NOTE_INVALID: [
    'Nota non valida',
    'Il titolo o il testo della nota è vuoto, o troppo lungo.',
    'Correggi la nota e salvala di nuovo.',
  ],
  NOTE_NOT_FOUND: ['Nota non trovata', 'Questa nota non c’è, o non c’è più.', 'Aggiorna l’elenco delle note.'],
  PAGE_ORIGIN_FORBIDDEN: [
    'Pagina da aprire nella finestra',
    'Le pagine del progetto si aprono solo dalla finestra di Fucina.',
    'Apri la pagina dalla finestra.',
  ],
  RESEARCH_CONFLICT: [
    'Ricerca in un altro stato',
    'La ricerca adesso non permette questa azione.',
    'Aggiorna la ricerca e guarda a che punto è.',
  ],
  RESEARCH_INVALID: [
    'Richiesta di ricerca non valida',
    'La richiesta contiene una scelta non prevista per le ricerche.',
    'Scegli uno dei valori proposti e riprova.',
  ],
  RESEARCH_NOT_FOUND: [
    'Ricerca non trovata',
    'Questa ricerca non c’è, o non c’è più.',
    'Aggiorna l’elenco delle ricerche.',
  ],
  RESEARCH_RECHECK_UNAVAILABLE: [
    'Verifica della ricerca non disponibile',
    'In questo momento la ricerca non si può verificare né modificare.',
    'Riprova più tardi.',
  ],
  TASK_INVALID: [
    'Compito non valido',
    'Il titolo o un altro campo del compito è vuoto, troppo lungo o non previsto.',
    'Correggi il compito e salvalo di nuovo.',
  ],
  TASK_NOT_FOUND: ['Compito non trovato', 'Questo compito non c’è, o non c’è più.', 'Aggiorna l’elenco dei compiti.'],
  WORKSPACE_ALREADY_EXISTS: [
    'Cartella già esistente',
    'In questo posto c’è già qualcosa con lo stesso nome.',
    'Scegli un altro nome.',
  ],
  WORKSPACE_LAUNCH_NOT_AVAILABLE: [
    'Avvio non più disponibile',
    'La richiesta di aprire questa cartella è scaduta o è già stata usata.',
    'Apri di nuovo la cartella dal programma da cui sei partito.',
  ],
  WORKSPACE_LAUNCH_UNAUTHORIZED: [
    'Avvio non autorizzato',
    'Il programma che voleva aprire una cartella non ha mostrato il suo segreto.',
    'Scegli la cartella dalla finestra di Fucina.',
  ],
  WORKSPACE_NOT_AVAILABLE: [
    'Cartella non disponibile',
    'La cartella non c’è, non si può leggere o non si può scegliere.',
    'Scegli un’altra cartella o controlla i suoi permessi.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
