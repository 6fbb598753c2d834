import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const BROWSER_IT = {
  BROWSER_PROXY_IRRAGGIUNGIBILE: [
    'Pagina irraggiungibile',
    'L’indirizzo non ha risposto.',
    'Controlla l’indirizzo e che il sito sia acceso, poi riprova.',
  ],
  BROWSER_PROXY_NON_HTML: [
    'Non è una pagina web',
    'L’indirizzo risponde con un contenuto che non è una pagina web.',
    'Apri l’indirizzo di una pagina.',
  ],
  BROWSER_PROXY_SOLO_LOCALE: [
    'Solo pagine di questo computer',
    'Si può annotare solo una pagina servita da questo computer.',
    'Avvia il sito in locale e apri il suo indirizzo.',
  ],
  BROWSER_PROXY_TROPPO_GRANDE: ['Pagina troppo grande', 'La pagina supera i 5 MB.', 'Apri una pagina più leggera.'],
  BROWSER_VIVO_ASSENTE: [
    'Nessun browser trovato',
    'Su questo computer non si è trovato un browser adatto.',
    'Installa Chrome, Edge o Chromium e riprova.',
  ],
  BROWSER_VIVO_CONNESSIONE_FALLITA: [
    'Collegamento al browser non riuscito',
    'Il browser non è partito, o non ha accettato il collegamento.',
    'Chiudi il browser dal vivo e aprilo di nuovo.',
  ],
  BROWSER_VIVO_GESTO_IGNOTO: [
    'Gesto non riconosciuto',
    'Al browser si può chiedere un clic, un tasto o la rotella; è arrivato altro.',
    'Usa il mouse o la tastiera sulla pagina.',
  ],
  BROWSER_VIVO_NON_CONFIGURATO: [
    'Browser dal vivo non attivo',
    'Il browser dal vivo non è attivo in questo avvio di Fucina.',
    'Controlla le impostazioni del browser e riavvia Fucina.',
  ],
  BROWSER_VIVO_SCHEDA_ASSENTE: [
    'Nessuna scheda aperta',
    'Questa sessione non ha una scheda del browser aperta.',
    'Apri una pagina e riprova.',
  ],
  BROWSER_VIVO_SENZA_CONNESSIONE: [
    'Collegamento al browser perso',
    'La scheda è aperta, ma non risponde più ai comandi.',
    'Chiudi la scheda e aprila di nuovo.',
  ],
  BROWSER_VIVO_SENZA_SESSIONE: [
    'Manca la sessione',
    'La richiesta al browser non dice di quale sessione si tratta.',
    'Apri il browser da una sessione.',
  ],
  BROWSER_VIVO_TROPPE_SCHEDE: [
    'Troppe schede aperte',
    'Il browser dal vivo ha già il numero massimo di schede.',
    'Chiudi il browser in un’altra sessione e riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
