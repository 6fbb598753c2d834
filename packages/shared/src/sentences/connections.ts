import type { Entry, Language } from './entry.ts';

const entry = (en: Entry, it: Entry): Record<Language, Entry> => ({ en, it });

/** Why the address or the headers of a provider were not taken. */
export const CONNECTION_REASONS: Readonly<Record<string, Record<Language, Entry>>> = {
  'no-connection': entry(
    ['No address', 'This provider is not reached at an address, so it has no headers.', 'Choose another provider.'],
    ['Nessun indirizzo', 'Questo provider non ha un indirizzo, quindi non ha header.', 'Scegli un altro provider.'],
  ),
  'header-name': entry(
    ['Invalid header name', 'The name of a header is not valid.', 'Use letters, digits and hyphens, such as X-Team.'],
    [
      'Nome di header non valido',
      'Il nome di un header non è valido.',
      'Usa lettere, cifre e trattini, per esempio X-Team.',
    ],
  ),
  'header-refused': entry(
    [
      'Header not allowed',
      'Host, Connection, Transfer-Encoding, Accept, Content-… and Proxy-… describe the connection or the content. Fucina sets them, and other values would break the request.',
      'Remove this header.',
    ],
    [
      'Header non consentito',
      'Host, Connection, Transfer-Encoding, Accept, Content-… e Proxy-… descrivono la connessione o il contenuto. Li imposta Fucina, e altri valori romperebbero la richiesta.',
      'Rimuovi questo header.',
    ],
  ),
  'header-value': entry(
    [
      'Invalid header value',
      'The value of a header is missing, too long, or has characters that cannot be sent.',
      'Enter a value of one line with at most 4,096 characters.',
    ],
    [
      'Valore di header non valido',
      'Il valore di un header manca, è troppo lungo o contiene caratteri che non si possono inviare.',
      'Inserisci un valore di una riga, di al massimo 4.096 caratteri.',
    ],
  ),
  'header-twice': entry(
    ['Header entered twice', 'The same header is there more than once.', 'Remove one of them.'],
    ['Header doppio', 'Lo stesso header compare più di una volta.', 'Rimuovine uno.'],
  ),
  'headers-too-many': entry(
    ['Too many headers', 'A provider can have at most 16 extra headers.', 'Remove those you do not need.'],
    ['Troppi header', 'Un provider può avere al massimo 16 header aggiuntivi.', 'Rimuovi quelli che non servono.'],
  ),
  'header-no-address': entry(
    [
      'Address required',
      'Headers are sent only to the address they were entered for, and this provider has none yet.',
      'Enter the address first.',
    ],
    [
      'Indirizzo necessario',
      'Gli header si inviano solo all’indirizzo per cui sono stati inseriti, e questo provider non ne ha ancora uno.',
      'Inserisci prima l’indirizzo.',
    ],
  ),
};

/** A value that should be in the key store. */
export const HEADER_MISSING = entry(
  [
    'Header value missing',
    'The value of an extra header of this provider is not in the key store any more.',
    'Enter the header again in the provider’s settings, or remove it.',
  ],
  [
    'Valore di header mancante',
    'Il valore di un header aggiuntivo di questo provider non è più nel portachiavi.',
    'Inserisci di nuovo l’header nelle impostazioni del provider, o rimuovilo.',
  ],
);
