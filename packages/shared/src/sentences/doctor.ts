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
  providers: ['Provider di modelli', 'Model providers'],
  'project-folders': ['Cartelle di progetto', 'Project folders'],
  'folder-watch': ['Osservazione delle cartelle', 'Watch on folders'],
  git: ['Git', 'Git'],
  shell: ['Ambiente dei comandi', 'Command environment'],
  access: ['Accesso al server', 'Access to the server'],
  sandbox: ['Sandbox dei comandi', 'Command sandbox'],
  'local-engine': ['Motore dei modelli locali', 'Local model engine'],
  'live-browser': ['Browser live', 'Live browser'],
  backups: ['Backup pianificati', 'Scheduled backups'],
  proxy: ['Proxy', 'Proxy'],
  certificates: ['Certificati TLS', 'TLS certificates'],
  'time-zones': ['Fusi orari', 'Time zones'],
  runtime: ['Motore dell’agente', 'Agent runtime'],
};

export const DOCTOR_FINDINGS: Record<string, Finding> = {
  'data-folder.writable': [['Leggibile e scrivibile.', 'Readable and writable.']],
  'data-folder.not-writable': [
    ['Cartella non scrivibile: Fucina non può salvare nulla.', 'Not writable: Fucina cannot save anything.'],
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
      'Chiudi Fucina ed esegui `fucina doctor --repair`: una copia del file danneggiato resta sul disco.',
      'Quit Fucina and run `fucina doctor --repair`. It keeps a copy of the damaged file.',
    ],
  ],
  'stores.sound': [['Integri: {stores}.', '{stores} checked, none damaged.']],
  'stores.newer': [
    ['Scritti da una versione più recente di Fucina: {names}.', 'Written by a newer version of Fucina: {names}.'],
    [
      'Avvia la versione più recente, ripristina un backup precedente o scegli un’altra cartella dei dati.',
      'Start the newer version, restore an earlier backup, or choose another data folder.',
    ],
  ],
  'stores.damaged': [
    ['Danneggiati: {names}. Sono in sola lettura.', 'Damaged: {names}. They are read-only.'],
    [
      'Chiudi Fucina ed esegui `fucina doctor --repair`: una copia del file danneggiato resta sul disco.',
      'Quit Fucina and run `fucina doctor --repair`. It keeps a copy of the damaged file.',
    ],
  ],
  'stores.unchecked': [
    ['Non controllati: {names}.', 'Not checked: {names}.'],
    ['Riprova quando sono liberi.', 'Try again when no other process uses them.'],
  ],
  'session-store.interrupted': [
    [
      'Sessioni: {sessions}. Interrotte dalla chiusura precedente: {recovered}.',
      'Sessions: {sessions}. Interrupted by the last shutdown: {recovered}.',
    ],
    [
      'Apri le sessioni interrotte e riprendile, se servono ancora.',
      'Open the interrupted sessions and resume those you still need.',
    ],
  ],
  'key-store.ready': [
    ['Le chiavi sono salvate nel portachiavi del sistema.', 'Keys are saved in the system key store.'],
  ],
  'key-store.memory': [
    [
      'Le chiavi sono solo in memoria e vanno perse alla chiusura di Fucina.',
      'Keys are kept in memory and are lost when Fucina stops.',
    ],
    ['Per salvarle avvia senza FUCINA_KEY_STORE=memory.', 'To save them, start without FUCINA_KEY_STORE=memory.'],
  ],
  'key-store.no-service': [
    [
      'Questo computer non ha un portachiavi, quindi le chiavi non si possono salvare.',
      'This computer has no key store, so keys cannot be saved.',
    ],
    [
      'Installa e sblocca un Secret Service (per esempio gnome-keyring), oppure avvia con FUCINA_KEY_STORE=memory. I motori locali funzionano senza chiave.',
      'Install and unlock a Secret Service (gnome-keyring, for example), or start with FUCINA_KEY_STORE=memory. Local engines work without a key.',
    ],
  ],
  'key-store.locked': [
    ['Il portachiavi è bloccato.', 'The key store is locked.'],
    ['Sbloccalo e riprova.', 'Unlock it and try again.'],
  ],
  'providers.configured': [['Pronti: {providers}.', 'Ready: {providers}.']],
  'providers.none': [
    ['Nessun provider configurato.', 'No provider is configured.'],
    [
      'Aggiungi una chiave o l’indirizzo di un motore locale in Impostazioni → Provider.',
      'Add a key or the address of a local engine in Settings → Providers.',
    ],
  ],
  'project-folders.known': [['Configurate: {projects}.', 'Configured: {projects}.']],
  'project-folders.none': [['Nessuna ancora.', 'None yet.']],
  'folder-watch.working': [
    ['Le modifiche di altri nelle cartelle aperte vengono notate.', 'Changes of others in open folders are noticed.'],
  ],
  'folder-watch.limited': [
    [
      'Il sistema non permette di osservare altre cartelle. Vengono rilette a intervalli e dopo i comandi: {folders}.',
      'The system allows no more watches. Read again at intervals and after commands: {folders}.',
    ],
    [
      'Su Linux alza il limite con `sudo sysctl fs.inotify.max_user_watches=1048576`, poi riavvia Fucina.',
      'On Linux, raise the limit with `sudo sysctl fs.inotify.max_user_watches=1048576`, then restart Fucina.',
    ],
  ],
  'folder-watch.unknown': [
    [
      'Non osservate, e le modifiche di altri non sono note: {folders}. Fucina riprova ogni minuto.',
      'Not watched, so changes of others are not known: {folders}. Fucina tries again every minute.',
    ],
    ['Consulta il log di Fucina.', 'See Fucina’s log.'],
  ],
  'git.found': [['Trovato.', 'Found.']],
  'git.missing': [
    ['Non trovato: branch e modifiche non sono disponibili.', 'Not found: branch and changes are not available.'],
    ['Installa git.', 'Install git.'],
  ],
  'git.view-missing': [
    [
      'Trovato. Senza bubblewrap, i comandi git che scrivono non sono limitati al loro repository: Fucina controlla soltanto i link nella cartella di git prima di avviarli.',
      'Found. Without bubblewrap, git commands that write are not limited to their repository: Fucina only checks the links in the git folder before it starts them.',
    ],
    ['Installa bubblewrap: sudo apt install bubblewrap.', 'Install bubblewrap: sudo apt install bubblewrap.'],
  ],
  'git.view-refused': [
    [
      'Trovato. Questo sistema non permette a bubblewrap di limitare i comandi git che scrivono al loro repository: Fucina controlla soltanto i link nella cartella di git prima di avviarli.',
      'Found. This system does not let bubblewrap limit git commands that write to their repository: Fucina only checks the links in the git folder before it starts them.',
    ],
    [
      'Consenti gli user namespace senza privilegi: vedi la riga “Sandbox dei comandi”.',
      'Allow unprivileged user namespaces: see the line “Command sandbox”.',
    ],
  ],
  'git.view-unsupported': [
    [
      'Trovato. Su questo sistema i comandi git che scrivono non sono limitati al loro repository: Fucina controlla i link nella cartella di git prima di avviarli.',
      'Found. On this system, git commands that write are not limited to their repository: Fucina checks the links in the git folder before it starts them.',
    ],
  ],
  'shell.posix': [['I comandi si eseguono nella shell di questo computer.', 'Commands run in this computer’s shell.']],
  'shell.cmd': [['I comandi si eseguono in cmd.exe.', 'Commands run in cmd.exe.']],
  'live-browser.usable': [['Browser disponibile.', 'Browser available.']],
  'live-browser.without-sandbox': [
    [
      'Browser disponibile, ma senza la propria sandbox perché Fucina è eseguita come root.',
      'Browser available, but without its own sandbox because Fucina runs as root.',
    ],
    ['Avvia Fucina come utente normale.', 'Start Fucina as a regular user.'],
  ],
  'live-browser.missing': [
    ['Nessun browser supportato su questo computer.', 'No supported browser on this computer.'],
    ['Installa Chrome, Edge o Chromium.', 'Install Chrome, Edge or Chromium.'],
  ],
  'live-browser.turned-off': [['Disattivato.', 'Turned off.']],
  'live-browser.not-a-program': [
    ['Il browser indicato da FUCINA_BROWSER non esiste.', 'The browser set in FUCINA_BROWSER does not exist.'],
    [
      'Correggi il percorso, o rimuovilo per usare il browser del computer.',
      'Correct the path, or remove it to use this computer’s browser.',
    ],
  ],
  'proxy.none': [['Nessuno: connessioni dirette.', 'None: direct connections.']],
  'proxy.used': [
    [
      '{proxies}. Gli indirizzi di questo computer e quelli in NO_PROXY si raggiungono direttamente.',
      '{proxies}. Addresses of this computer and those in NO_PROXY are reached directly.',
    ],
  ],
  'proxy.not-usable': [
    [
      '{variables}: non contiene l’indirizzo http o https di un proxy. Le richieste non riescono.',
      '{variables}: does not contain the http or https address of a proxy. Requests fail.',
    ],
    ['Correggi la variabile o rimuovila, poi riavvia Fucina.', 'Correct or remove the variable, then restart Fucina.'],
  ],
  'certificates.built-in': [['Autorità incluse in Node.', 'Authorities included in Node.']],
  'certificates.added': [
    ['Autorità incluse in Node e quelle in {files}.', 'Authorities included in Node, and those in {files}.'],
  ],
  'certificates.not-readable': [
    ['{files}: nessun certificato leggibile.', '{files}: no readable certificate.'],
    [
      'Correggi il percorso in NODE_EXTRA_CA_CERTS o SSL_CERT_FILE, poi riavvia Fucina.',
      'Correct the path in NODE_EXTRA_CA_CERTS or SSL_CERT_FILE, then restart Fucina.',
    ],
  ],
  'certificates.client-not-usable': [
    ['Il certificato client non è utilizzabile.', 'The client certificate cannot be used.'],
    [
      'Indica in FUCINA_CLIENT_CERT e FUCINA_CLIENT_KEY i file PEM di un certificato e della sua chiave.',
      'Set FUCINA_CLIENT_CERT and FUCINA_CLIENT_KEY to the PEM files of a certificate and its key.',
    ],
  ],
  'backups.not-scheduled': [['Nessuno.', 'None.']],
  'backups.daily': [['Ogni giorno.', 'Daily.']],
  'backups.weekly': [['Ogni settimana.', 'Weekly.']],
  'backups.failed': [
    ['L’ultimo backup non è riuscito ({code}).', 'The last backup failed ({code}).'],
    [
      'Controlla la cartella e lo spazio su disco: `fucina backup schedule`.',
      'Check the folder and the disk space: `fucina backup schedule`.',
    ],
  ],
  'access.token': [
    ['Il server risponde solo a chi ha il suo token.', 'The server answers only those who have its token.'],
  ],
  'access.open': [
    [
      'Il server non ha un token di accesso: ogni programma e ogni utente di questo computer può usarlo.',
      'The server has no access token: every program and every user of this computer can use it.',
    ],
    [
      'Avvia Fucina con un token: FUCINA_TOKEN, `npm start` o `fucina serve`.',
      'Start Fucina with a token: FUCINA_TOKEN, `npm start` or `fucina serve`.',
    ],
  ],
  'access.not-served': [['Questo comando non apre un server.', 'This command opens no server.']],
  'sandbox.working': [
    [
      'I comandi dell’agente scrivono solo dove il livello lo consente ({kind}). Della home vedono solo le toolchain; la rete passa da un proxy che consente solo gli host ammessi.',
      'The agent’s commands write only where the level allows ({kind}). Of the home folder they see only toolchains; the network goes through a proxy that allows only permitted hosts.',
    ],
  ],
  'sandbox.missing': [
    [
      'bubblewrap non è installato: i comandi non sono in sandbox e Scrittura nella cartella chiede prima di ognuno.',
      'bubblewrap is not installed: commands are not sandboxed, and Workspace write asks before each of them.',
    ],
    [
      'Installa bubblewrap. Fino ad allora, nei progetti di cui non ti fidi scegli Chiedi ogni volta.',
      'Install bubblewrap. Until then, choose Ask every time in projects you do not trust.',
    ],
  ],
  'sandbox.refused': [
    [
      'La sandbox è installata ma non funziona: i comandi non sono in sandbox. Motivo: {reason}',
      'The sandbox is installed but does not work: commands are not sandboxed. Reason: {reason}',
    ],
    [
      'Se il sistema non consente i namespace agli utenti, consentili. Fino ad allora, nei progetti di cui non ti fidi scegli Chiedi ogni volta.',
      'If the system does not allow user namespaces, allow them. Until then, choose Ask every time in projects you do not trust.',
    ],
  ],
  'sandbox.unsupported': [
    [
      'Su questo sistema i comandi non sono in sandbox: li limita solo il livello di permesso della sessione.',
      'Commands are not sandboxed on this system: only the session’s permission level limits them.',
    ],
    [
      'Nei progetti di cui non ti fidi scegli Chiedi ogni volta.',
      'In projects you do not trust, choose Ask every time.',
    ],
  ],
  'local-engine.usable': [['I modelli locali sono disponibili.', 'Local models are available.']],
  'local-engine.processor-only': [
    [
      'I modelli locali usano la CPU: la scheda grafica ({cards}) non viene usata.',
      'Local models run on the CPU: the graphics card ({cards}) is not used.',
    ],
    [
      'Per usarla, imposta FUCINA_LLAMA_SERVER sul percorso di un llama-server.',
      'To use it, set FUCINA_LLAMA_SERVER to the path of a llama-server.',
    ],
  ],
  'local-engine.program-missing': [
    [
      'Il programma indicato da FUCINA_LLAMA_SERVER non esiste.',
      'The program set in FUCINA_LLAMA_SERVER does not exist.',
    ],
    [
      'Correggi il percorso, o rimuovilo per usare il motore incluso.',
      'Correct the path, or remove it to use the built-in engine.',
    ],
  ],
  'local-engine.program-unusable': [
    [
      'FUCINA_LLAMA_SERVER non è il percorso assoluto di un file eseguibile.',
      'FUCINA_LLAMA_SERVER is not the absolute path of an executable.',
    ],
    [
      'Correggi il percorso, o rimuovilo per usare il motore incluso.',
      'Correct the path, or remove it to use the built-in engine.',
    ],
  ],
  'local-engine.library-missing': [
    ['Il motore dei modelli locali non è installato.', 'The engine for local models is not installed.'],
    [
      'Installalo in Modelli locali o con `fucina local install`, o imposta FUCINA_LLAMA_SERVER sul percorso di un llama-server.',
      'Install it in Local models or with `fucina local install`, or set FUCINA_LLAMA_SERVER to the path of a llama-server.',
    ],
  ],
  'time-zones.current': [
    ['Dati {version} ({year}), anni trascorsi: {years}.', 'Data {version} ({year}), years since then: {years}.'],
  ],
  'time-zones.old': [
    [
      'Dati {version} ({year}), anni trascorsi: {years}. Gli orari delle automazioni possono essere errati dove da allora le regole dell’ora legale sono cambiate.',
      'Data {version} ({year}), years since then: {years}. Times of automations may be wrong where daylight saving rules changed since then.',
    ],
    [
      'Aggiorna Fucina, o Node.js se l’hai installato a parte.',
      'Update Fucina, or Node.js if you installed it separately.',
    ],
  ],
  'time-zones.unknown': [
    [
      'Node.js non indica la versione dei dati dei fusi orari: sono quelli del sistema.',
      'Node.js does not tell the version of its time zone data: it uses the system’s.',
    ],
  ],
  'runtime.running': [['Node {version}.', 'Node {version}.']],
  'check-failed': [
    ['Il controllo non è riuscito.', 'The check failed.'],
    ['Consulta il log di Fucina.', 'See Fucina’s log.'],
  ],
};

/** The sentences of one line of the readiness report. */
export function doctorWords({ id, finding, params = {} }: Facts, language: Language): DoctorWords {
  const at = language === 'it' ? 0 : 1;
  const found = DOCTOR_FINDINGS[`${id}.${finding}`] ?? DOCTOR_FINDINGS[finding];
  const fill = (words: Words | undefined): string =>
    (words?.[at] ?? finding).replace(/\{(\w+)\}/g, (_match, name: string) => {
      const value = params[name] ?? '';
      // Italian writes fractions with a comma; whole numbers may be ports and stay as they are.
      return typeof value === 'number' && !Number.isInteger(value) ? value.toLocaleString(language) : String(value);
    });
  return { title: TITLES[id]?.[at] ?? id, detail: fill(found?.[0]), action: found?.[1] ? fill(found[1]) : null };
}
