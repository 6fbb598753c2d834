import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const BROWSER_IT = {
  BROWSER_PROXY_IRRAGGIUNGIBILE: [
    'Pagina irraggiungibile',
    'L’indirizzo non ha risposto.',
    'Controlla l’indirizzo e che il sito sia attivo, poi riprova.',
  ],
  BROWSER_PROXY_NON_HTML: [
    'Non è una pagina web',
    'L’indirizzo ha restituito un contenuto diverso da HTML.',
    'Apri l’indirizzo di una pagina web.',
  ],
  BROWSER_PROXY_SOLO_LOCALE: [
    'Solo pagine locali',
    'Si può annotare solo una pagina servita da questo computer.',
    'Avvia il sito in locale e apri il suo indirizzo.',
  ],
  BROWSER_PROXY_TROPPO_GRANDE: ['Pagina troppo grande', 'La pagina supera i 5 MB.', 'Apri una pagina più leggera.'],
  BROWSER_VIVO_ASSENTE: [
    'Nessun browser trovato',
    'Su questo computer non c’è un browser adatto.',
    'Installa Chrome, Edge o Chromium e riprova.',
  ],
  BROWSER_VIVO_CONNESSIONE_FALLITA: [
    'Connessione al browser non riuscita',
    'Il browser non si è avviato o non ha accettato la connessione.',
    'Chiudi il browser live e aprilo di nuovo.',
  ],
  BROWSER_VIVO_GESTO_IGNOTO: [
    'Input non riconosciuto',
    'Il browser accetta clic, tasti e scorrimento; questa richiesta era altro.',
    'Usa il mouse o la tastiera sulla pagina.',
  ],
  BROWSER_VIVO_NON_CONFIGURATO: [
    'Browser live non disponibile',
    'Fucina è stata avviata senza il browser live.',
    'Controlla le impostazioni del browser e riavvia Fucina.',
  ],
  BROWSER_VIVO_SCHEDA_ASSENTE: [
    'Nessuna scheda aperta',
    'Questa sessione non ha una scheda del browser aperta.',
    'Apri una pagina e riprova.',
  ],
  BROWSER_VIVO_SENZA_CONNESSIONE: [
    'Connessione al browser persa',
    'La scheda è aperta, ma non risponde più.',
    'Chiudi la scheda e aprila di nuovo.',
  ],
  BROWSER_VIVO_SENZA_SESSIONE: [
    'Sessione mancante',
    'La richiesta al browser non indica una sessione.',
    'Apri il browser da una sessione.',
  ],
  BROWSER_VIVO_TROPPE_SCHEDE: [
    'Troppe schede aperte',
    'Il browser live ha raggiunto il numero massimo di schede.',
    'Chiudi il browser in un’altra sessione e riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
