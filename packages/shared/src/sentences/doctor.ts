import type { Language } from './entry.ts';

export interface DoctorWords {
  title: string;
  detail: string;
  action: string | null;
}

interface Facts {
  id: string;
  finding: string;
  params?: Record<string, string | number>;
}

type Words = readonly [it: string, en: string];
type Finding = readonly [detail: Words, action?: Words];

export const TITLES: Record<string, Words> = {
  'data-folder': ['Cartella dei dati', 'Data folder'],
  'free-space': ['Spazio libero', 'Free space'],
  'session-store': ['Archivio delle sessioni', 'Session store'],
  stores: ['Archivi', 'Stores'],
  'key-store': ['Portachiavi', 'Key store'],
  providers: ['Fornitori di modelli', 'Model providers'],
  'project-folders': ['Cartelle di progetto', 'Project folders'],
  git: ['Git', 'Git'],
  shell: ['Ambiente dei comandi', 'Command environment'],
  sandbox: ['Recinto dei comandi', 'Command sandbox'],
  'local-engine': ['Motore dei modelli locali', 'Engine of local models'],
  'live-browser': ['Browser dal vivo', 'Live browser'],
  runtime: ['Motore dell’agente', 'Agent runtime'],
};

export const FINDINGS: Record<string, Finding> = {
  'data-folder.writable': [['Si può leggere e scrivere.', 'It can be read and written.']],
  'data-folder.not-writable': [
    ['Non si può scrivere: nulla può essere conservato.', 'It cannot be written: nothing can be kept.'],
    [
      'Controlla i permessi della cartella o scegline un’altra con FUCINA_DATA_DIR.',
      'Check the folder’s permissions, or choose another with FUCINA_DATA_DIR.',
    ],
  ],
  'free-space.enough': [['{gigabytes} GB liberi.', '{gigabytes} GB free.']],
  'free-space.low': [
    ['Restano solo {gigabytes} GB.', 'Only {gigabytes} GB left.'],
    [
      'Libera spazio sul disco: a disco pieno le sessioni si fermano.',
      'Free some disk space: sessions stop when the disk is full.',
    ],
  ],
  'session-store.open': [['Aperto. Sessioni: {sessions}.', 'Open. Sessions: {sessions}.']],
  'session-store.not-opened': [
    [
      'Non si apre: sessions.db è danneggiato o illeggibile.',
      'It cannot be opened: sessions.db is damaged or unreadable.',
    ],
    [
      'Chiudi Fucina ed esegui `fucina doctor --repair`: il file danneggiato viene conservato.',
      'Quit Fucina and run `fucina doctor --repair`. The damaged file is kept.',
    ],
  ],
  'stores.sound': [['Integri: {stores}.', '{stores} checked, none damaged.']],
  'stores.damaged': [
    ['Danneggiati: {names}. Non accettano scritture.', 'Damaged: {names}. They accept no writes.'],
    [
      'Chiudi Fucina ed esegui `fucina doctor --repair`: il file danneggiato viene conservato.',
      'Quit Fucina and run `fucina doctor --repair`. The damaged file is kept.',
    ],
  ],
  'stores.unchecked': [
    ['Non controllati: {names}.', 'Not checked: {names}.'],
    ['Riprova quando sono liberi.', 'Try again when no other process uses them.'],
  ],
  'session-store.interrupted': [
    [
      'Sessioni: {sessions}. Interrotte dalla chiusura precedente: {recovered}.',
      'Sessions: {sessions}. Interrupted when the program last ended: {recovered}.',
    ],
    [
      'Apri le sessioni interrotte e riprendile, se servono ancora.',
      'Open the interrupted sessions and resume those you still need.',
    ],
  ],
  'key-store.ready': [['Le chiavi sono nel portachiavi del sistema.', 'Keys are kept in the system’s key store.']],
  'key-store.memory': [
    [
      'Le chiavi restano in memoria e vanno perse alla chiusura.',
      'Keys are kept in memory and are lost when the program ends.',
    ],
    ['Per conservarle avvia senza FUCINA_KEY_STORE=memory.', 'To keep them, start without FUCINA_KEY_STORE=memory.'],
  ],
  'key-store.no-service': [
    [
      'Questo computer non offre un portachiavi: le chiavi non si possono salvare.',
      'This computer offers no key store: keys cannot be saved.',
    ],
    [
      'Installa e sblocca un Secret Service (per esempio gnome-keyring), oppure avvia con FUCINA_KEY_STORE=memory. I motori locali senza chiave funzionano comunque.',
      'Install and unlock a Secret Service (gnome-keyring, for example), or start with FUCINA_KEY_STORE=memory. Local engines need no key and work all the same.',
    ],
  ],
  'key-store.locked': [
    ['Il portachiavi è chiuso.', 'The key store is locked.'],
    ['Sbloccalo e riprova.', 'Unlock it and try again.'],
  ],
  'providers.configured': [['Pronti: {providers}.', 'Ready: {providers}.']],
  'providers.none': [
    ['Nessun fornitore configurato.', 'No provider is configured.'],
    [
      'Aggiungi una chiave o l’indirizzo di un motore locale nelle impostazioni.',
      'Add a key, or the address of a local engine, in the settings.',
    ],
  ],
  'project-folders.known': [['Conosciute: {projects}.', '{projects} known.']],
  'project-folders.none': [['Nessuna ancora.', 'None yet.']],
  'git.found': [['Trovato.', 'Found.']],
  'git.missing': [
    ['Non trovato: ramo e modifiche non si vedono.', 'Not found: branch and changes cannot be shown.'],
    ['Installa git.', 'Install git.'],
  ],
  'shell.posix': [['I comandi girano nella shell di questo computer.', 'Commands run in this computer’s shell.']],
  'shell.cmd': [['I comandi girano in cmd.exe.', 'Commands run in cmd.exe.']],
  'live-browser.usable': [['Il browser si può aprire.', 'The browser can be opened.']],
  'live-browser.without-sandbox': [
    [
      'Il browser si può aprire, ma senza la sua protezione: il sistema non la concede a root.',
      'The browser can be opened, but without its own protection: the system gives none to root.',
    ],
    ['Avvia Fucina come utente normale.', 'Start Fucina as an ordinary user.'],
  ],
  'live-browser.missing': [
    ['Su questo computer non c’è un browser adatto.', 'There is no suitable browser on this computer.'],
    ['Installa Chrome, Edge o Chromium.', 'Install Chrome, Edge or Chromium.'],
  ],
  'live-browser.turned-off': [['Non attivo in questo avvio.', 'Not active in this start.']],
  'live-browser.not-a-program': [
    ['Il browser indicato da FUCINA_BROWSER non c’è.', 'The browser named by FUCINA_BROWSER is not there.'],
    [
      'Correggi il percorso, o toglilo per usare quello del computer.',
      'Correct the path, or remove it to use the computer’s own.',
    ],
  ],
  'sandbox.working': [
    [
      'I comandi dell’agente scrivono solo dove il livello lo consente ({kind}); chiavi, profili dei browser e i dati di questo programma restano fuori dalla loro vista. La rete è aperta.',
      'The agent’s commands write only where the level allows ({kind}); keys, browser profiles and this program’s data are out of their sight. The network is open.',
    ],
  ],
  'sandbox.missing': [
    [
      'Manca bubblewrap: i comandi non sono isolati e vale solo il livello di permesso della sessione.',
      'bubblewrap is missing: commands are not contained, and only the session’s permission level holds.',
    ],
    [
      'Installa bubblewrap. Finché manca, con progetti che non conosci scegli Su richiesta.',
      'Install bubblewrap. Until then, choose On request with projects you do not know.',
    ],
  ],
  'sandbox.refused': [
    [
      'Il recinto c’è, ma il sistema non lo lascia funzionare (spazi dei nomi vietati): i comandi non sono isolati.',
      'The sandbox is there, but the system does not let it work (namespaces refused): commands are not contained.',
    ],
    [
      'Consenti gli spazi dei nomi agli utenti. Fino ad allora, con progetti che non conosci scegli Su richiesta.',
      'Allow namespaces to users. Until then, choose On request with projects you do not know.',
    ],
  ],
  'sandbox.unsupported': [
    [
      'Su questo sistema i comandi non sono isolati: vale il livello di permesso della sessione.',
      'On this system commands are not contained: the session’s permission level is what holds.',
    ],
    ['Con progetti che non conosci scegli Su richiesta.', 'With projects you do not know, choose On request.'],
  ],
  'local-engine.usable': [['I modelli locali si possono caricare.', 'Local models can be loaded.']],
  'local-engine.processor-only': [
    [
      'I modelli locali girano sul processore: la scheda grafica ({cards}) non viene usata.',
      'Local models run on the processor: the graphics card ({cards}) is not used.',
    ],
    [
      'Per usarla, indica un tuo llama-server con FUCINA_LLAMA_SERVER.',
      'To use it, name a llama-server of yours with FUCINA_LLAMA_SERVER.',
    ],
  ],
  'local-engine.program-missing': [
    ['Il programma indicato da FUCINA_LLAMA_SERVER non c’è.', 'The program named by FUCINA_LLAMA_SERVER is not there.'],
    [
      'Correggi il percorso, o toglilo per usare il motore incluso.',
      'Correct the path, or remove it to use the engine that comes along.',
    ],
  ],
  'local-engine.program-unusable': [
    [
      'FUCINA_LLAMA_SERVER non è il percorso assoluto di un programma eseguibile.',
      'FUCINA_LLAMA_SERVER is not the absolute path of a program that can be run.',
    ],
    [
      'Correggi il percorso, o toglilo per usare il motore incluso.',
      'Correct the path, or remove it to use the engine that comes along.',
    ],
  ],
  'local-engine.library-missing': [
    [
      'Il motore incluso non è installato per questo sistema.',
      'The engine that comes along is not installed for this system.',
    ],
    [
      'Reinstalla, o indica un llama-server con FUCINA_LLAMA_SERVER.',
      'Install again, or name a llama-server with FUCINA_LLAMA_SERVER.',
    ],
  ],
  'runtime.running': [['Node {version}.', 'Node {version}.']],
  'check-failed': [
    ['Il controllo non è riuscito.', 'The check itself failed.'],
    ['Guarda il registro del programma.', 'See the program’s log.'],
  ],
};

/** The sentences of one line of the readiness report. */
export function doctorWords({ id, finding, params = {} }: Facts, language: Language): DoctorWords {
  const at = language === 'it' ? 0 : 1;
  const found = FINDINGS[`${id}.${finding}`] ?? FINDINGS[finding];
  const fill = (words: Words | undefined): string =>
    (words?.[at] ?? finding).replace(/\{(\w+)\}/g, (_match, name: string) => String(params[name] ?? ''));
  return { title: TITLES[id]?.[at] ?? id, detail: fill(found?.[0]), action: found?.[1] ? fill(found[1]) : null };
}
