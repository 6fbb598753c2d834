import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const PROVIDERS_IT = {
  AGGREGATOR_ENDPOINTS_UNAVAILABLE: [
    'Provider non disponibili',
    'L’aggregatore non ha restituito i provider di questo modello.',
    'Riprova fra poco.',
  ],
  AGGREGATOR_PROVIDER_NOT_FOUND: [
    'Provider non trovato',
    'L’aggregatore non ha questo provider.',
    'Scegli un provider dall’elenco.',
  ],
  CATALOG_CONFIGURATION_REQUIRED: [
    'Provider non configurato',
    'Manca un’impostazione necessaria per elencare i modelli di questo provider.',
    'Completa le impostazioni del provider e riprova.',
  ],
  CATALOG_UNREACHABLE: [
    'Elenco dei modelli non raggiungibile',
    'Il provider non ha risposto alla richiesta dei suoi modelli.',
    'Controlla la rete e l’indirizzo, poi riprova.',
  ],
  CATALOG_UPSTREAM_ERROR: [
    'Elenco dei modelli non disponibile',
    'Il provider ha restituito un errore invece dei suoi modelli.',
    'Riprova fra poco, o controlla la chiave.',
  ],
  OAUTH_ATTESA_IGNOTA: [
    'Richiesta di accesso non più valida',
    'Questa richiesta di accesso è scaduta o è già stata usata.',
    'Ripeti l’accesso dalle impostazioni.',
  ],
  OAUTH_CODICE_MANCANTE: [
    'Manca il codice di accesso',
    'Il codice che conferma l’accesso non è stato ricevuto.',
    'Ripeti l’accesso e completa la conferma nel browser.',
  ],
  OAUTH_CUSTODIA_FALLITA: [
    'Chiave ricevuta ma non salvata',
    'L’accesso è riuscito, ma il portachiavi non ha potuto salvare la chiave.',
    'Sblocca il portachiavi e ripeti l’accesso.',
  ],
  OAUTH_NON_CONFIGURATO: [
    'Accesso non disponibile',
    'Fucina è stata avviata senza l’accesso a questo provider.',
    'Aggiungi la chiave a mano nelle impostazioni del provider.',
  ],
  OAUTH_RETE: [
    'Errore di rete durante l’accesso',
    'Impossibile raggiungere il provider per completare l’accesso.',
    'Controlla la rete e ripeti l’accesso.',
  ],
  OAUTH_RISPOSTA_INATTESA: [
    'Risposta inattesa del provider',
    'La risposta del provider non contiene una chiave.',
    'Ripeti l’accesso, o aggiungi la chiave a mano.',
  ],
  OAUTH_SCAMBIO_RIFIUTATO: [
    'Accesso rifiutato',
    'Il provider non ha accettato il codice di accesso.',
    'Ripeti l’accesso dalle impostazioni.',
  ],
  PROVIDER_FALLBACK_INVALID: [
    'Fallback non valido',
    'Il provider o il modello scelto come fallback non si può usare.',
    'Scegli un fallback dall’elenco.',
  ],
  PROVIDER_FALLBACK_TOOLS_UNSUPPORTED: [
    'Fallback senza strumenti',
    'La sessione usa strumenti e il modello di fallback non ne indica il supporto.',
    'Scegli come fallback un modello che supporta gli strumenti.',
  ],
  PROVIDER_INVALID: [
    'Provider non valido',
    'Questo provider è sconosciuto o non supporta questa azione.',
    'Scegli un provider dall’elenco.',
  ],
  PROVIDER_KEY_INVALID: [
    'Chiave non valida',
    'Il formato della chiave non è valido.',
    'Copia di nuovo la chiave dal sito del provider e incollala.',
  ],
  PROVIDER_KEY_NOT_FOUND: ['Chiave non trovata', 'Questa chiave non è salvata.', 'Aggiorna l’elenco delle chiavi.'],
  PROVIDER_KEY_REQUIRED: [
    'Manca la chiave',
    'Questo provider richiede una chiave.',
    'Aggiungi la chiave nelle impostazioni del provider.',
  ],
  PROVIDER_POOL_FULL: [
    'Troppe chiavi',
    'Questo provider ha raggiunto il numero massimo di chiavi.',
    'Togli una chiave che non serve più e riprova.',
  ],
  PROVIDER_RUNTIME_INVALID: [
    'Impostazioni del provider non valide',
    'L’indirizzo o il timeout del provider manca o non è valido.',
    'Correggi l’indirizzo e il timeout, poi riprova.',
  ],
  PROVIDER_RUNTIME_UNAVAILABLE: [
    'Provider non disponibile',
    'Al momento il provider non si può usare. Potrebbe mancare la chiave, o le impostazioni non sono leggibili.',
    'Controlla le impostazioni del provider e riprova.',
  ],
  PROVIDER_SETTINGS_ORIGIN_FORBIDDEN: [
    'Cambia le impostazioni nella finestra',
    'Le impostazioni dei provider si cambiano solo dalla finestra di Fucina.',
    'Cambia le impostazioni nella finestra.',
  ],
  PROVIDER_STORE_UNAVAILABLE: [
    'Portachiavi non disponibile',
    'Il portachiavi del computer non si può aprire, quindi le chiavi non si possono leggere né salvare.',
    'Sblocca il portachiavi, o apri Impostazioni → Salute per vedere che cosa manca.',
  ],
  SEARCH_BLOCKED: [
    'Ricerca bloccata',
    'La fonte di ricerca ha rifiutato la richiesta.',
    'Riprova più tardi o scegli un’altra fonte.',
  ],
  SEARCH_ENDPOINT_INVALID: [
    'Indirizzo di ricerca non valido',
    'L’indirizzo della fonte di ricerca manca o non è valido.',
    'Correggi l’indirizzo e riprova.',
  ],
  SEARCH_FAILED: [
    'Ricerca non riuscita',
    'La fonte di ricerca non ha restituito risultati utilizzabili.',
    'Riprova o scegli un’altra fonte.',
  ],
  SEARCH_KEY_INVALID: [
    'Chiave di ricerca non valida',
    'Il formato della chiave della fonte di ricerca non è valido.',
    'Copia di nuovo la chiave e incollala.',
  ],
  SEARCH_KEY_REQUIRED: [
    'Manca la chiave di ricerca',
    'Questa fonte di ricerca richiede una chiave.',
    'Inserisci la chiave della fonte.',
  ],
  SEARCH_NOT_READY: [
    'Fonte di ricerca non pronta',
    'A questa fonte di ricerca manca ancora la chiave o l’indirizzo.',
    'Completa le impostazioni della fonte e selezionala di nuovo.',
  ],
  SEARCH_SOURCE_INVALID: [
    'Fonte di ricerca sconosciuta',
    'Questa fonte di ricerca non esiste.',
    'Scegli una fonte dall’elenco.',
  ],
  SEARCH_STORE_UNAVAILABLE: [
    'Impostazioni di ricerca non disponibili',
    'Le impostazioni di ricerca non si possono leggere né salvare.',
    'Sblocca il portachiavi e controlla lo spazio libero, poi riprova.',
  ],
  SEARCH_UNREACHABLE: [
    'Fonte di ricerca non raggiungibile',
    'La fonte di ricerca non ha risposto.',
    'Controlla la rete e l’indirizzo della fonte, poi riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
