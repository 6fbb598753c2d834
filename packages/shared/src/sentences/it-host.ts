import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const HOST_IT = {
  HOST_BASE_UNKNOWN: [
    'Branch di base non trovato',
    'Sull’host del codice non esiste il branch di base della pull request.',
    'Scegli un altro branch di base.',
  ],
  HOST_BRANCH_NOT_PUSHED: [
    'Push del branch non ancora fatto',
    'L’host del codice non ha ancora questo branch.',
    'Fai push del branch e riprova.',
  ],
  HOST_CHECKSUM_MISMATCH: [
    'Checksum non corrispondente',
    'Il programma scaricato non corrisponde al checksum atteso, quindi non è stato installato.',
    'Riprova l’installazione.',
  ],
  HOST_COMMAND_FAILED: [
    'Operazione sull’host non riuscita',
    'La CLI dell’host del codice non ha completato l’operazione.',
    'Controlla la rete e l’accesso, poi riprova.',
  ],
  HOST_DOWNLOAD_FAILED: [
    'Download della CLI non riuscito',
    'Impossibile scaricare la CLI dell’host del codice.',
    'Controlla la rete e riprova.',
  ],
  HOST_EXTRACT_FAILED: [
    'Installazione della CLI non riuscita',
    'Non si è riusciti ad aprire l’archivio scaricato.',
    'Controlla lo spazio libero sul disco e riprova.',
  ],
  HOST_GIT_FAILED: [
    'Comando Git non riuscito',
    'Git non ha restituito le informazioni necessarie per contattare l’host del codice.',
    'Controlla il repository con `git status` e riprova.',
  ],
  HOST_INPUT_INVALID: [
    'Pull request non valida',
    'Il titolo, il testo o i branch della pull request non sono validi.',
    'Correggi i campi e riprova.',
  ],
  HOST_LOGIN_FAILED: [
    'Accesso non riuscito',
    'L’accesso all’host del codice non è stato completato.',
    'Ripeti l’accesso e inserisci il nuovo codice.',
  ],
  HOST_NOT_INSTALLED: [
    'CLI dell’host non trovata',
    'La CLI dell’host del codice non è installata o è troppo vecchia.',
    'Installa o aggiorna la CLI e riprova.',
  ],
  HOST_NOT_LOGGED_IN: ['Accesso richiesto', 'Non hai effettuato l’accesso all’host del codice.', 'Accedi e riprova.'],
  HOST_NOT_ON_HOST: [
    'Remoto su un altro host',
    'Il remoto di questo repository non è su un host del codice supportato.',
    'Scegli un repository che sia su un host supportato.',
  ],
  HOST_OUTPUT_INVALID: [
    'Output inatteso della CLI',
    'La CLI dell’host del codice ha restituito un output che Fucina non riconosce.',
    'Aggiorna la CLI e riprova.',
  ],
  HOST_OUTPUT_TOO_LARGE: [
    'Output della CLI troppo grande',
    'L’host del codice ha restituito più dati di quanti se ne possano mostrare.',
    'Apri la pagina del repository sull’host del codice.',
  ],
  HOST_STORE_UNAVAILABLE: [
    'Host del codice non disponibile',
    'Al momento Fucina non può usare l’host del codice.',
    'Riprova fra poco o riavvia Fucina.',
  ],
  HOST_TIMEOUT: [
    'Timeout dell’host del codice',
    'L’host del codice non ha risposto in tempo.',
    'Controlla la rete e riprova.',
  ],
  HOST_UNSUPPORTED_PLATFORM: [
    'Installazione non supportata',
    'Fucina non può installare la CLI dell’host del codice su questo sistema.',
    'Installala a mano e riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
