import { LABELS_IT } from '@fucina/conversation/labels/it';
import { IT_APP } from './it-app.ts';
import { IT_BACKUP } from './it-backup.ts';
import { IT_DOMAINS } from './it-domains.ts';
import { IT_FORMS } from './it-forms.ts';
import { IT_MCP } from './it-mcp.ts';
import { IT_SANDBOX } from './it-sandbox.ts';
import { IT_SCREEN_CONVERSATION } from './it-screen-conversation.ts';
import { IT_SCREEN_INPUT } from './it-screen-input.ts';
import { IT_SCREEN_LOOK } from './it-screen-look.ts';
import { IT_SERVICE } from './it-service.ts';
import { IT_TRACE } from './it-trace.ts';
import { IT_UPGRADE } from './it-upgrade.ts';
import { IT_USAGE } from './it-usage.ts';
import { IT_WORKTREES } from './it-worktrees.ts';
import type { Words } from './words.ts';

export const IT: Words = {
  ...LABELS_IT,
  ...IT_DOMAINS,
  ...IT_MCP,
  ...IT_SANDBOX,
  ...IT_APP,
  ...IT_SERVICE,
  ...IT_BACKUP,
  ...IT_TRACE,
  ...IT_UPGRADE,
  ...IT_USAGE,
  ...IT_WORKTREES,
  ...IT_FORMS,
  ...IT_SCREEN_CONVERSATION,
  ...IT_SCREEN_INPUT,
  ...IT_SCREEN_LOOK,
  'no-task': 'Manca il prompt: scrivilo con -p "…", o passalo da una pipe.',
  'no-model': 'Nessun modello selezionato.',
  'no-model-action':
    'Passa --model provider:modello, imposta FUCINA_MODEL, o scrivi "model" nel file delle impostazioni (fucina config path).',
  'resume-keeps-folder': '--dir non si usa con --resume: una sessione tiene la sua cartella.',
  'not-a-folder': '{path} non è una cartella.',
  'no-session-here': 'Nessuna sessione da continuare in questa cartella. Avviane una con -p "…".',
  'no-such-session': 'Sessione {id} non trovata.',
  'no-such-session-action': 'Esegui fucina sessions list per vedere le sessioni con i loro id.',
  'not-found-action': 'Controlla il nome o l’id.',
  'fork-of-nothing': '--fork copia una sessione: indicala con --resume SESSIONE o usa --continue.',
  'stream-both-ways': '--input-format stream-json richiede --output-format stream-json.',
  'piped.reading': 'Leggo lo standard input fino alla fine. Aggiungi < /dev/null se non passi nulla.',
  'piped.too-large':
    'Lo standard input supera 256 kB. Salvalo in un file e indica il file nel prompt, o passa meno testo.',
  'piped.not-text': 'Lo standard input non è testo in UTF-8.',
  'attachment.missing': '{path} non esiste o non è un file.',
  'attachment.too-large':
    '{path} è troppo grande da allegare: testi fino a 256 kB, immagini fino a 5 MB. Indicalo nel prompt e l’agente lo leggerà.',
  'attachment.not-text': '{path} non è né testo né un’immagine.',
  'bad-schema': '--json-schema non è un JSON Schema valido: {why}',
  'bad-record': 'la riga {line} dello standard input non è un record valido; ignorata',
  bug: 'Errore interno. Riprova con FUCINA_LOG=debug per i dettagli.',

  'tool.exit': 'uscita {code}',
  'tool.denied': 'negato',
  'tool.cut': 'fermato',
  'turn.retry': 'il provider è occupato; nuovo tentativo tra {seconds} s (tentativo {attempt})',
  'turn.changed-one': '1 file modificato',
  'turn.changed': '{count} file modificati',
  'turn.tokens': '{count} token',
  'turn.go-on': 'continua con: fucina --resume {id} -p "…"',
  'plain.hint':
    'Descrivi un’attività. Termina la riga con una barra rovesciata per continuare su quella dopo; Ctrl+C ferma il turno; /exit o Ctrl+D esce.',
  'turn.stopping': 'Mi fermo… (ancora Ctrl+C per uscire subito)',
  'turn.stopped': 'Fermato.',
  'turn.steps': 'Il turno ha raggiunto il limite di chiamate al modello.',
  'turn.error': 'Il turno è finito con un errore.',
  'turn.interrupted': 'Il turno è stato interrotto. Continua con fucina --resume {id}.',

  'failure.provider-said': 'Risposta del provider: {text}',

  'ask.title': 'Permettere {tool}?',
  'ask.agent': 'Richiesto dall’agente che lavora a: {task}',
  'ask.control-file': 'Questo file può eseguire codice o concedere altri permessi in seguito.',
  'ask.new-file': 'file nuovo',
  'ask.every': 'ogni occorrenza',
  'ask.more': '… altre {count} righe (v le mostra tutte)',
  'ask.in': 'in {folder}',
  'ask.once': 'y una volta',
  'ask.session': 'a per questa sessione',
  'ask.deny': 'n nega',
  'ask.all': 'v mostra tutto',
  'ask.unattended-level':
    'Negato, perché non c’è un terminale in cui chiedere: {what}. Per permetterlo passa --permissions "Workspace write" o rispondi da un terminale.',
  'ask.unattended-file':
    'Negato, perché non c’è un terminale in cui chiedere: {what}. Le modifiche a file come questo vanno sempre approvate da un terminale.',
  'ask.unattended-network':
    'Bloccato, perché non c’è un terminale in cui chiedere: {what}. Per permetterlo aggiungi la regola {rule} ai permessi.',
  'turn.denials': '{count} richieste di approvazione negate',
  'turn.answer-shape': 'La risposta non rispetta lo schema richiesto, nemmeno dopo due tentativi.',
  'question.choose': 'un numero, o una risposta tua; lascia vuoto per far decidere l’agente',
  'question.choose-many': 'dei numeri, o una risposta tua; lascia vuoto per far decidere l’agente',
  'question.free': 'la tua risposta; lascia vuoto per far decidere l’agente',
  'question.unattended': 'Decide l’agente, perché non c’è un terminale in cui chiedere: {question}',
  'plan.title': 'Piano',
  'plan.accept': 's approva',
  'plan.confirm': 'c approva, chiedi prima delle modifiche',
  'plan.stop': 'n rifiuta',
  'plan.feedback': 'o di’ cosa cambiare',
  'rules.deny': 'nega',
  'rules.ask': 'chiedi',
  'rules.allow': 'permetti',
  'rules.none': 'Nessuna regola. Aggiungine una con: fucina config set permissions.deny \'["Bash(rm *)"]\'',
  'rules.judged-deny': 'Negato.',
  'rules.judged-ask': 'Chiede ogni volta.',
  'rules.judged-allow': 'Permesso senza chiedere.',
  'rules.judged-none': 'Nessuna regola corrisponde: decide il livello di permessi della sessione.',
  'rules.judged-unclear':
    'Chiede: non si sa cosa fa questo comando finché non viene eseguito, e una regola potrebbe riguardarlo.',
  'rules.malformed': 'regola {rule} non valida: scrivi Strumento o Strumento(pattern)',
  'rules.unknown-tool':
    'strumento sconosciuto nella regola {rule}: usa Bash, Read, Edit, Write, WebFetch, WebSearch, Task, Network, o il nome di uno strumento',
  'rules.no-pattern': 'la regola {rule} ha un pattern, ma questo strumento non ha nulla con cui confrontarlo',

  'config.problem-unreadable':
    '{file}: non si può leggere: non è un file di testo, mancano i permessi di lettura, o supera 1 MB',
  'config.problem-outside': '{file}: punta fuori dal progetto',
  'config.problem-syntax': '{file}: JSON non valido: controlla qui graffe, virgole e virgolette',
  'config.problem-version': '{file}: versione del formato non supportata; ammesse: {allowed}',
  'config.problem-twice': '{file}: chiave {key} duplicata',
  'config.problem-value': '{file}: valore non valido per {key}; ammesso: {allowed}',
  'config.problem-unknown': '{file}: chiave sconosciuta {key}; conosciute: {allowed}',
  'config.problem-scope': '{file}: {key} non si può impostare qui ed è ignorata; ammessa in: {allowed}',
  'config.untrusted':
    '{file}: un progetto non attendibile non può estendere {key}; ignorata. Per rendere attendibile questo file: fucina config trust',
  'config.old-format': '{file}: formato 1; per aggiornarlo: fucina config migrate --scope {scope}',
  'config.default': 'predefinito',
  'config.absent': 'non trovato',
  'config.present': 'trovato',
  'config.trusted': 'attendibile',
  'config.not-trusted': 'non attendibile',
  'config.valid': 'Nessun problema trovato.',
  'config.no-such-key': 'chiave sconosciuta {key}; conosciute: {allowed}',
  'config.not-in-scope': '{key} non si può impostare nell’ambito {scope}; ammessa in: {allowed}',
  'config.bad-value': 'valore non valido per {key}; ammesso: {allowed}',
  'config.written': '{key} scritta in {file}',
  'config.removed': '{key} rimossa da {file}',
  'config.was-not-there': '{key} non è in {file}',
  'config.migrated': '{file} aggiornato; backup: {copy}',
  'config.nothing-to-migrate': 'Tutti i file sono aggiornati.',
  'config.nothing-to-trust': '{file} non esiste: niente da rendere attendibile',
  'config.now-trusted': 'Attendibile nella versione attuale: {file}',
  'config.no-longer-trusted': 'Non più attendibile: {file}',
  'config.was-not-trusted': 'Non era attendibile: {file}',

  'sessions.none': 'Ancora nessuna sessione.',
  'sessions.not-found': 'Nessun risultato nelle sessioni.',
  'sessions.deleted': 'Eliminata.',
  'sessions.imported': 'Importata. Continua con: fucina --resume {id}',
  'sessions.not-json': '{file}: non si può leggere, o non è JSON',
  'sessions.renamed': 'Rinominata.',
  'sessions.running': 'in corso',
  'sessions.waiting': 'in attesa di te',
  'sessions.interrupted': 'interrotta',
  'sessions.finished': 'conclusa',
  'sessions.stopped': 'fermata',
  'sessions.error': 'errore',
  'sessions.steps-used-up': 'limite di chiamate raggiunto',

  'store-damaged': 'L’archivio {store} è danneggiato e non è stato aperto.',
  'store-damaged-action':
    'Esegui `fucina doctor --repair`: recupera ciò che si può leggere e conserva il file danneggiato.',
  'doctor.ready': 'Tutto pronto.',
  'doctor.attention': 'Utilizzabile, con avvisi.',
  'doctor.broken': 'Qualcosa non funziona.',
  'doctor.repair-none': 'Nessun archivio è danneggiato.',
  'doctor.repaired': '{name}: recuperato. Il file danneggiato è conservato in {copy}.',
  'doctor.repair-empty': '  Non si è potuto leggere nulla: l’archivio riparte vuoto.',
  'doctor.repair-table': '  {table}: {rows} righe recuperate, {lost} perse',
  'doctor.repair-table-unknown': '  {table}: {rows} righe recuperate, un numero ignoto perso',
  'doctor.error': 'guasto',
  'doctor.state-attention': 'avviso',
  'doctor.unavailable': 'non disponibile',
  'doctor.ok': 'ok',

  'models.none': 'Nessun provider configurato. Vedi: fucina provider --help',
  'models.tokens': '{count} token',
  'models.tools': 'strumenti',
  'models.images': 'immagini',
  'providers.ready': 'pronto',
  'providers.key-missing': 'manca la chiave',
  'providers.address-missing': 'manca l’indirizzo',
  'providers.no-key-needed': 'senza chiave',
  'provider.key-prompt': 'Chiave per {label} (non si vede): ',
  'provider.key-empty': 'Nessuna chiave inserita.',
  'provider.key-saved': 'Chiave {fingerprint} di {label} salvata nel portachiavi.',
  'provider.key-removed': 'Tutte le chiavi di {label} rimosse.',
  'provider.key-memory':
    'Il portachiavi è solo in memoria: la chiave andrebbe persa alla fine di questo comando. Togli FUCINA_KEY_STORE=memory.',
  'provider.address-saved': 'Indirizzo di {label} impostato a {endpoint}.',
  'provider.models': '{count} modelli',

  'serve.address': 'Apri {address} (l’indirizzo contiene la chiave di accesso: non condividerlo).',
  'open.ready': 'Fucina è pronta. L’indirizzo contiene il suo token di accesso; non condividerlo:',

  'help.title-usage': 'Uso:',
  'help.title-options': 'Opzioni:',
  'help.title-commands': 'Comandi:',
  'help.title-arguments': 'Argomenti:',
  'help.program':
    'Esegue un agente di programmazione in una cartella, dal terminale. Da questo computer escono solo le chiamate al modello.',
  'help.version': 'mostra la versione',
  'help.help': 'mostra questo aiuto',
  'help.message': 'il primo messaggio; senza -p apre la schermata interattiva',
  'help.task': 'il prompt; - lo legge dallo standard input, come una pipe senza -p',
  'help.model': 'vendor/modello o provider:modello',
  'help.dir': 'la cartella in cui lavorare (predefinita: questa)',
  'help.permission-mode':
    'default, acceptEdits, auto: Workspace write; dontAsk: lo stesso, ma nega invece di chiedere; plan: nessuna modifica; bypassPermissions: Full access',
  'help.permissions': '"Read only", "Workspace write", "On request" o "Full access"',
  'help.test-command': 'il comando di test (predefinito: rilevato nella cartella)',
  'help.reasoning': 'quanto ragiona il modello',
  'help.resume': 'riprende una sessione; senza prompt, il suo turno interrotto',
  'help.continue': 'continua la sessione più recente della cartella',
  'help.fork': 'continua in una copia; la sessione originale non cambia',
  'help.max-turns': 'numero massimo di chiamate al modello (uscita 4 al limite)',
  'help.add-file': 'allega un file di testo o un’immagine; si può ripetere',
  'help.input-format': 'text, o stream-json: un record per riga, per programmi che guidano l’agente',
  'help.json-schema': 'la risposta finale è JSON conforme a questo schema, passato inline o come file',
  'help.output-format':
    'text, json (un oggetto alla fine), stream-json (una riga per evento), github (annotazioni), gitlab (report Code Quality) o junit',
  'help.json': 'output per programmi; con un prompt, come --output-format json',
  'help.no-color': 'senza colori',
  'help.quiet': 'nessun progresso sullo standard error',
  'help.plain': 'una conversazione riga per riga invece della schermata, per i lettori di schermo (o FUCINA_PLAIN=1)',
  'help.data-dir': 'dove sono salvate le sessioni (FUCINA_DATA_DIR)',
  'help.key-store': 'system o memory (FUCINA_KEY_STORE)',
  'help.serve': 'avvia il server della finestra; le opzioni sono quelle del server (--host, --port, --data-dir …)',
  'help.open': 'avvia il server e apre la finestra nel browser; --new-token disconnette gli altri browser',
  'help.sessions': 'elenca, cerca, mostra, esporta, elimina o rinomina le sessioni',
  'help.sessions-list': 'le più recenti prima (predefinito)',
  'help.sessions-search': 'cerca nel testo delle sessioni, prima i risultati migliori',
  'help.sessions-show': 'mostra una sessione',
  'help.sessions-export': 'una sessione sullo standard output',
  'help.sessions-format': 'json: tutti gli eventi (predefinito); md, html: un documento senza segreti',
  'help.sessions-import': 'una sessione esportata come JSON, senza le sue modifiche ai file e le impostazioni',
  'help.sessions-delete': 'elimina definitivamente una sessione',
  'help.sessions-rename': 'dà a una sessione un nome da 1 a 80 caratteri',
  'help.doctor-repair': 'recupera gli archivi danneggiati; i file danneggiati vengono conservati',
  'help.doctor': 'controlla la configurazione, prima i problemi più gravi',
  'help.models': 'elenca i modelli disponibili',
  'help.providers': 'elenca i provider e cosa manca alla loro configurazione',
  'help.provider': 'configura un provider',
  'help.provider-set-key': 'salva una chiave, scritta senza eco o letta dallo standard input; mai come argomento',
  'help.provider-remove-key': 'rimuove tutte le chiavi di un provider',
  'help.provider-set-address': 'imposta l’indirizzo di un provider',
  'help.provider-test': 'prova la connessione a un provider; senza costi',
  'help.config': 'le impostazioni di questo strumento',
  'help.config-list': 'tutte le impostazioni con valore e file di origine',
  'help.config-get': 'il valore effettivo di un’impostazione',
  'help.config-set':
    'imposta un valore; ciò che non è una parola semplice è letto come JSON (ambito predefinito: user)',
  'help.config-unset': 'rimuove un’impostazione da un file (ambito predefinito: user)',
  'help.config-path': 'percorsi dei tre file delle impostazioni',
  'help.config-validate': 'controlla i file delle impostazioni; elenca tutti i problemi con file e riga',
  'help.config-migrate': 'aggiorna i file più vecchi; conserva un backup',
  'help.config-trust':
    'permette alle impostazioni di un progetto, nella versione attuale, di estendere ciò che l’agente può fare',
  'help.config-untrust': 'revoca l’attendibilità',
  'help.scope': 'quale dei tre file',
  'help.rules': 'regole dei permessi: Strumento(pattern)',
  'help.rules-list': 'elenca le regole attive (predefinito)',
  'help.rules-dry-run': 'confronta una riga di comando con le regole senza eseguirla (uscita 3 se non è permessa)',
  'help.exits': `Codici di uscita:
  0 fatto                              4 limite di chiamate al modello raggiunto
  1 finito con un errore               75 occupato: riprova più tardi
  2 uso sbagliato                      78 configurazione
  3 serviva un permesso, non dato      130 interrotto`,
  'help.examples': `Esempi:
  fucina                                    la schermata interattiva
  fucina provider set-address ollama http://127.0.0.1:11434
  fucina -p "correggi il test che fallisce" --model ollama:qwen3
  fucina --permissions "Read only" --json < prompt.txt
  fucina -p "continua" --resume SESSIONE`,
};
