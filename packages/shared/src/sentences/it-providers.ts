import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const PROVIDERS_IT = {
  AGGREGATOR_ENDPOINTS_UNAVAILABLE: [
    'Elenco dei fornitori non ricevuto',
    'L’aggregatore non ha detto quali fornitori servono questo modello.',
    'Riprova fra poco.',
  ],
  AGGREGATOR_PROVIDER_NOT_FOUND: [
    'Fornitore non trovato',
    'Tra i fornitori dell’aggregatore non c’è quello indicato.',
    'Scegli un fornitore dall’elenco.',
  ],
  CATALOG_CONFIGURATION_REQUIRED: [
    'Fornitore da configurare',
    'Per leggere i modelli di questo fornitore manca un’impostazione.',
    'Completa le impostazioni del fornitore e riprova.',
  ],
  CATALOG_UNREACHABLE: [
    'Elenco dei modelli irraggiungibile',
    'Il fornitore non ha risposto alla richiesta del suo elenco di modelli.',
    'Controlla la rete e l’indirizzo, poi riprova.',
  ],
  CATALOG_UPSTREAM_ERROR: [
    'Elenco dei modelli non ricevuto',
    'Il fornitore ha risposto con un errore invece che con il suo elenco di modelli.',
    'Riprova fra poco, o controlla la chiave.',
  ],
  OAUTH_ATTESA_IGNOTA: [
    'Richiesta di accesso non più valida',
    'Questa richiesta di accesso è scaduta o è già stata usata.',
    'Comincia di nuovo l’accesso dalle impostazioni.',
  ],
  OAUTH_CODICE_MANCANTE: [
    'Manca il codice di accesso',
    'Il codice che conferma l’accesso non è arrivato.',
    'Comincia di nuovo l’accesso e completa la conferma nel browser.',
  ],
  OAUTH_CUSTODIA_FALLITA: [
    'Chiave ricevuta ma non salvata',
    'L’accesso è riuscito, ma il portachiavi non ha potuto conservare la chiave.',
    'Sblocca il portachiavi e ripeti l’accesso.',
  ],
  OAUTH_NON_CONFIGURATO: [
    'Accesso non disponibile',
    'In questo avvio di Fucina l’accesso con il fornitore non è attivo.',
    'Aggiungi la chiave a mano nelle impostazioni del fornitore.',
  ],
  OAUTH_RETE: [
    'Rete non raggiunta durante l’accesso',
    'Non si è riusciti a raggiungere il fornitore per completare l’accesso.',
    'Controlla la rete e ripeti l’accesso.',
  ],
  OAUTH_RISPOSTA_INATTESA: [
    'Risposta inattesa del fornitore',
    'Il fornitore ha risposto senza dare la chiave attesa.',
    'Ripeti l’accesso, o aggiungi la chiave a mano.',
  ],
  OAUTH_SCAMBIO_RIFIUTATO: [
    'Accesso rifiutato',
    'Il fornitore non ha accettato il codice di accesso.',
    'Comincia di nuovo l’accesso dalle impostazioni.',
  ],
  PROVIDER_FALLBACK_INVALID: [
    'Riserva non valida',
    'Il fornitore o il modello scelto come riserva non si può usare.',
    'Scegli una riserva dall’elenco.',
  ],
  PROVIDER_FALLBACK_TOOLS_UNSUPPORTED: [
    'Riserva senza attrezzi',
    'La sessione usa attrezzi e il modello di riserva non dichiara di saperli usare.',
    'Scegli come riserva un modello che usa gli attrezzi.',
  ],
  PROVIDER_INVALID: [
    'Fornitore non valido',
    'Questo fornitore non è tra quelli conosciuti, o non permette questa azione.',
    'Scegli un fornitore dall’elenco.',
  ],
  PROVIDER_KEY_INVALID: [
    'Chiave non valida',
    'La chiave ha una forma che non si può usare.',
    'Copia di nuovo la chiave dal sito del fornitore e incollala.',
  ],
  PROVIDER_KEY_NOT_FOUND: [
    'Chiave non trovata',
    'Questa chiave non è tra quelle salvate.',
    'Aggiorna l’elenco delle chiavi.',
  ],
  PROVIDER_KEY_REQUIRED: [
    'Manca la chiave',
    'Per usare questo fornitore serve una chiave.',
    'Aggiungi la chiave nelle impostazioni del fornitore.',
  ],
  PROVIDER_POOL_FULL: [
    'Troppe chiavi',
    'Questo fornitore ha già il numero massimo di chiavi.',
    'Togli una chiave che non serve più e riprova.',
  ],
  PROVIDER_RUNTIME_INVALID: [
    'Impostazioni del fornitore non valide',
    'L’indirizzo o il tempo di attesa del fornitore manca, o non si può usare.',
    'Correggi l’indirizzo e il tempo di attesa, poi riprova.',
  ],
  PROVIDER_RUNTIME_UNAVAILABLE: [
    'Fornitore non utilizzabile',
    'In questo momento il fornitore non si può usare: forse manca la chiave, o le impostazioni non si leggono.',
    'Controlla le impostazioni del fornitore e riprova.',
  ],
  PROVIDER_SETTINGS_ORIGIN_FORBIDDEN: [
    'Impostazioni da cambiare nella finestra',
    'Le impostazioni dei fornitori si cambiano solo dalla finestra di Fucina.',
    'Apri le impostazioni nella finestra e ripeti da lì.',
  ],
  PROVIDER_STORE_UNAVAILABLE: [
    'Portachiavi non disponibile',
    'Il portachiavi del computer non si può aprire, quindi le chiavi non si possono leggere né salvare.',
    'Sblocca il portachiavi, o apri la diagnosi per vedere che cosa manca.',
  ],
  SEARCH_BLOCKED: [
    'Ricerca bloccata',
    'La fonte di ricerca ha fermato la richiesta.',
    'Riprova più tardi o scegli un’altra fonte.',
  ],
  SEARCH_ENDPOINT_INVALID: [
    'Indirizzo di ricerca non valido',
    'L’indirizzo della fonte di ricerca manca, o non si può usare.',
    'Correggi l’indirizzo e riprova.',
  ],
  SEARCH_FAILED: [
    'Ricerca non riuscita',
    'La fonte di ricerca non ha dato risultati utilizzabili.',
    'Riprova o scegli un’altra fonte.',
  ],
  SEARCH_KEY_INVALID: [
    'Chiave di ricerca non valida',
    'La chiave della fonte di ricerca ha una forma che non si può usare.',
    'Copia di nuovo la chiave e incollala.',
  ],
  SEARCH_KEY_REQUIRED: [
    'Manca la chiave di ricerca',
    'Per questa fonte di ricerca serve una chiave.',
    'Inserisci la chiave della fonte.',
  ],
  SEARCH_NOT_READY: [
    'Fonte di ricerca non pronta',
    'Prima di scegliere questa fonte mancano la sua chiave o il suo indirizzo.',
    'Completa le impostazioni della fonte e sceglila di nuovo.',
  ],
  SEARCH_SOURCE_INVALID: [
    'Fonte di ricerca non valida',
    'La fonte di ricerca indicata non è tra quelle previste.',
    'Scegli una fonte dall’elenco.',
  ],
  SEARCH_STORE_UNAVAILABLE: [
    'Impostazioni di ricerca non disponibili',
    'Le impostazioni di ricerca non si possono leggere né salvare.',
    'Sblocca il portachiavi e controlla lo spazio libero, poi riprova.',
  ],
  SEARCH_UNREACHABLE: [
    'Fonte di ricerca irraggiungibile',
    'La fonte di ricerca non ha risposto.',
    'Controlla la rete e l’indirizzo della fonte, poi riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
