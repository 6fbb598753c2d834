import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const HOST_IT = {
  HOST_BASE_UNKNOWN: [
    'Ramo di arrivo sconosciuto',
    'Sull’host del codice non c’è il ramo verso cui proporre le modifiche.',
    'Scegli un altro ramo di arrivo.',
  ],
  HOST_BRANCH_NOT_PUSHED: [
    'Ramo non ancora inviato',
    'L’host del codice non ha ancora questo ramo.',
    'Invia il ramo al remoto e riprova.',
  ],
  HOST_CHECKSUM_MISMATCH: [
    'Il programma scaricato non corrisponde',
    'Quello che è stato scaricato è diverso da quello atteso, quindi non è stato installato.',
    'Riprova l’installazione.',
  ],
  HOST_COMMAND_FAILED: [
    'Operazione sull’host non riuscita',
    'Il programma dell’host del codice non ha portato a termine l’operazione.',
    'Controlla la rete e l’accesso, poi riprova.',
  ],
  HOST_DOWNLOAD_FAILED: [
    'Programma non scaricato',
    'Non si è riusciti a scaricare il programma dell’host del codice.',
    'Controlla la rete e riprova.',
  ],
  HOST_EXTRACT_FAILED: [
    'Programma non installato',
    'Non si è riusciti ad aprire l’archivio scaricato.',
    'Controlla lo spazio libero sul disco e riprova.',
  ],
  HOST_GIT_FAILED: [
    'Git non è riuscito',
    'Git non ha dato le informazioni che servono per parlare con l’host del codice.',
    'Controlla che il repository sia in ordine e riprova.',
  ],
  HOST_INPUT_INVALID: [
    'Proposta da correggere',
    'Il titolo, il testo o i rami della proposta non sono validi.',
    'Correggi i campi e riprova.',
  ],
  HOST_LOGIN_FAILED: [
    'Accesso non riuscito',
    'L’accesso all’host del codice non è andato a buon fine.',
    'Ripeti l’accesso e inserisci il nuovo codice.',
  ],
  HOST_NOT_INSTALLED: [
    'Programma dell’host non trovato',
    'Il programma dell’host del codice non c’è, o è troppo vecchio.',
    'Installa o aggiorna il programma e riprova.',
  ],
  HOST_NOT_LOGGED_IN: [
    'Accesso da fare',
    'Non hai ancora fatto l’accesso all’host del codice.',
    'Fai l’accesso e riprova.',
  ],
  HOST_NOT_ON_HOST: [
    'Remoto su un altro host',
    'Il remoto di questo repository non è sull’host del codice previsto.',
    'Scegli un repository che sia su quell’host.',
  ],
  HOST_OUTPUT_INVALID: [
    'Risposta non riconosciuta',
    'Il programma dell’host del codice ha risposto in un modo inatteso.',
    'Aggiorna il programma e riprova.',
  ],
  HOST_OUTPUT_TOO_LARGE: [
    'Risposta troppo grande',
    'L’host del codice ha dato più dati di quanti se ne possano mostrare.',
    'Guarda la pagina del repository sull’host del codice.',
  ],
  HOST_STORE_UNAVAILABLE: [
    'Host del codice non disponibile',
    'In questo momento Fucina non può usare l’host del codice.',
    'Riprova fra poco o riavvia Fucina.',
  ],
  HOST_TIMEOUT: [
    'L’host non ha risposto in tempo',
    'L’operazione sull’host del codice non è finita nel tempo previsto.',
    'Controlla la rete e riprova.',
  ],
  HOST_UNSUPPORTED_PLATFORM: [
    'Installazione non prevista qui',
    'Fucina non può installare il programma dell’host del codice su questo sistema.',
    'Installalo a mano e riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
