import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const HUB_IT = {
  HUB_DOWNLOAD_FAILED: [
    'Scaricamento non riuscito',
    'Il modello non è stato scaricato per intero.',
    'Controlla la rete e riprendi lo scaricamento.',
  ],
  HUB_HUB_INVALID: [
    'Richiesta all’archivio non valida',
    'La richiesta all’archivio dei modelli non si può eseguire così com’è.',
    'Correggi la ricerca, o scegli un modello dall’elenco.',
  ],
  HUB_HUB_RESPONSE_INVALID: [
    'Risposta dell’archivio non riconosciuta',
    'L’archivio dei modelli ha risposto in un modo inatteso.',
    'Riprova fra poco.',
  ],
  HUB_HUB_UPSTREAM: [
    'L’archivio dei modelli non risponde',
    'L’archivio dei modelli non ha risposto, o ha dato un errore.',
    'Controlla la rete e riprova fra poco.',
  ],
  HUB_IMAGE_ABORTED: [
    'Immagine non arrivata in tempo',
    'L’immagine della scheda ci ha messo troppo ed è stata lasciata.',
    'Ricarica la scheda del modello.',
  ],
  HUB_IMAGE_CONFIG_INVALID: [
    'Immagini non configurate',
    'L’elenco dei siti da cui prendere le immagini non è valido.',
    'Apri la pagina del modello sul sito dell’archivio dei modelli.',
  ],
  HUB_IMAGE_DNS_FAILED: [
    'Sito dell’immagine non trovato',
    'Il nome del sito che tiene l’immagine non si è potuto trovare.',
    'Controlla la rete e ricarica la scheda.',
  ],
  HUB_IMAGE_HOST_REJECTED: [
    'Sito dell’immagine non ammesso',
    'L’immagine sta su un sito da cui Fucina non prende immagini.',
    'Apri la pagina del modello sul sito dell’archivio dei modelli.',
  ],
  HUB_IMAGE_MIME_REJECTED: [
    'Non è un’immagine',
    'L’indirizzo risponde con qualcosa che non è un’immagine ammessa.',
    'Apri la pagina del modello sul sito dell’archivio dei modelli.',
  ],
  HUB_IMAGE_PRIVATE_ADDRESS: [
    'Indirizzo privato',
    'L’immagine porta a un indirizzo della tua rete privata, quindi non è stata richiesta.',
    'Apri la pagina del modello sul sito dell’archivio dei modelli.',
  ],
  HUB_IMAGE_REDIRECT_REJECTED: [
    'Rinvio non ammesso',
    'Il sito dell’immagine rimanda a un indirizzo che Fucina non segue.',
    'Apri la pagina del modello sul sito dell’archivio dei modelli.',
  ],
  HUB_IMAGE_TOO_LARGE: [
    'Immagine troppo grande',
    'L’immagine supera la dimensione che si può mostrare.',
    'Apri la pagina del modello sul sito dell’archivio dei modelli.',
  ],
  HUB_IMAGE_UPSTREAM: [
    'Immagine non ricevuta',
    'Il sito che tiene l’immagine non l’ha data.',
    'Ricarica la scheda del modello più tardi.',
  ],
  HUB_IMAGE_URL_INVALID: [
    'Indirizzo dell’immagine non valido',
    'L’indirizzo dell’immagine non si può usare.',
    'Apri la pagina del modello sul sito dell’archivio dei modelli.',
  ],
  HUB_PATH_REJECTED: [
    'Nome di file non ammesso',
    'Il modello contiene un file con un nome che non si può salvare in sicurezza.',
    'Scegli un altro modello.',
  ],
  HUB_RATE_LIMITED: [
    'Troppe richieste all’archivio',
    'L’archivio dei modelli chiede di rallentare.',
    'Aspetta qualche minuto e riprova.',
  ],
  HUB_REDIRECT_HOST_REJECTED: [
    'Rinvio a un altro sito',
    'L’archivio dei modelli rimanda a un sito da cui Fucina non scarica.',
    'Scegli un altro modello, o importa il file a mano.',
  ],
  HUB_REDIRECT_INVALID: [
    'Rinvio non leggibile',
    'L’archivio dei modelli rimanda a un indirizzo che non si può leggere.',
    'Riprova fra poco.',
  ],
  HUB_REPOSITORY_GATED: [
    'Modello riservato',
    'L’archivio dei modelli dà questo modello solo a chi ne ha il permesso.',
    'Scegli un modello ad accesso libero, o importa il file a mano.',
  ],
  HUB_RESOLVE_INVALID: [
    'File del modello non verificabile',
    'L’archivio dei modelli non dice la dimensione o l’impronta di un file, quindi non si può verificare.',
    'Scegli un’altra versione del modello.',
  ],
  HUB_TRANSFER_COLLISION: [
    'Modello già presente',
    'C’è già un modello con lo stesso nome che viene da un’altra parte.',
    'Usa quello che c’è, o eliminalo e riprova.',
  ],
  HUB_TRANSFER_INVALID: [
    'Scaricamento non valido',
    'Le informazioni sullo scaricamento sono incomplete o non tornano.',
    'Scegli di nuovo il modello dall’archivio dei modelli.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
