import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const HUB_IT = {
  HUB_DOWNLOAD_FAILED: [
    'Download non riuscito',
    'Il modello non è stato scaricato per intero.',
    'Controlla la rete e riprendi il download.',
  ],
  HUB_HUB_INVALID: [
    'Richiesta all’hub non valida',
    'La richiesta all’hub dei modelli non è valida.',
    'Correggi la ricerca, o scegli un modello dall’elenco.',
  ],
  HUB_HUB_RESPONSE_INVALID: [
    'Risposta inattesa dell’hub',
    'L’hub dei modelli ha restituito una risposta che Fucina non riconosce.',
    'Riprova fra poco.',
  ],
  HUB_HUB_UPSTREAM: [
    'Hub dei modelli non disponibile',
    'L’hub dei modelli non ha risposto, o ha restituito un errore.',
    'Controlla la rete e riprova fra poco.',
  ],
  HUB_IMAGE_ABORTED: [
    'Timeout dell’immagine',
    'L’immagine della scheda ha impiegato troppo tempo a caricarsi.',
    'Ricarica la scheda del modello.',
  ],
  HUB_IMAGE_CONFIG_INVALID: [
    'Impostazioni delle immagini non valide',
    'L’elenco dei siti ammessi per le immagini non è valido.',
    'Apri la pagina del modello sul sito dell’hub dei modelli.',
  ],
  HUB_IMAGE_DNS_FAILED: [
    'Sito dell’immagine non trovato',
    'Impossibile risolvere il nome del sito dell’immagine.',
    'Controlla la rete e ricarica la scheda.',
  ],
  HUB_IMAGE_HOST_REJECTED: [
    'Sito dell’immagine non ammesso',
    'L’immagine è su un sito che non è nell’elenco di quelli ammessi.',
    'Apri la pagina del modello sul sito dell’hub dei modelli.',
  ],
  HUB_IMAGE_MIME_REJECTED: [
    'Non è un’immagine',
    'L’indirizzo ha restituito un contenuto che non è un’immagine supportata.',
    'Apri la pagina del modello sul sito dell’hub dei modelli.',
  ],
  HUB_IMAGE_PRIVATE_ADDRESS: [
    'Indirizzo privato',
    'L’immagine porta a un indirizzo della tua rete privata, quindi non è stata richiesta.',
    'Apri la pagina del modello sul sito dell’hub dei modelli.',
  ],
  HUB_IMAGE_REDIRECT_REJECTED: [
    'Redirect non ammesso',
    'Il sito dell’immagine reindirizza a un indirizzo non ammesso.',
    'Apri la pagina del modello sul sito dell’hub dei modelli.',
  ],
  HUB_IMAGE_TOO_LARGE: [
    'Immagine troppo grande',
    'L’immagine supera il limite di dimensione.',
    'Apri la pagina del modello sul sito dell’hub dei modelli.',
  ],
  HUB_IMAGE_UPSTREAM: [
    'Immagine non ricevuta',
    'Il sito dell’immagine non l’ha restituita.',
    'Ricarica la scheda del modello più tardi.',
  ],
  HUB_IMAGE_URL_INVALID: [
    'Indirizzo dell’immagine non valido',
    'L’indirizzo dell’immagine non è utilizzabile.',
    'Apri la pagina del modello sul sito dell’hub dei modelli.',
  ],
  HUB_PATH_REJECTED: [
    'Nome di file non ammesso',
    'Il modello contiene un file con un nome non sicuro da salvare.',
    'Scegli un altro modello.',
  ],
  HUB_RATE_LIMITED: [
    'Troppe richieste all’hub',
    'L’hub dei modelli sta limitando le richieste.',
    'Aspetta qualche minuto e riprova.',
  ],
  HUB_REDIRECT_HOST_REJECTED: [
    'Redirect a un altro sito',
    'L’hub dei modelli reindirizza a un sito da cui Fucina non scarica.',
    'Scegli un altro modello, o importa il file a mano.',
  ],
  HUB_REDIRECT_INVALID: [
    'Redirect non valido',
    'L’hub dei modelli reindirizza a un indirizzo non valido.',
    'Riprova fra poco.',
  ],
  HUB_REPOSITORY_GATED: [
    'Modello riservato',
    'Questo modello è disponibile solo per gli account autorizzati sull’hub dei modelli.',
    'Scegli un modello ad accesso libero, o importa il file a mano.',
  ],
  HUB_RESOLVE_INVALID: [
    'File del modello non verificabile',
    'L’hub dei modelli non pubblica la dimensione o l’hash di un file, quindi non si può verificare.',
    'Scegli un’altra versione del modello.',
  ],
  HUB_TRANSFER_COLLISION: [
    'Modello già esistente',
    'Esiste già un modello con lo stesso nome e un’altra origine.',
    'Usa il modello esistente, o eliminalo e riprova.',
  ],
  HUB_TRANSFER_INVALID: [
    'Download non valido',
    'Le informazioni sul download sono incomplete o incoerenti.',
    'Scegli di nuovo il modello dall’hub dei modelli.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
