import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const GIT_IT = {
  GIT_ABORTED: [
    'Operazione interrotta',
    'L’operazione di Git è stata fermata prima della fine.',
    'Avviala di nuovo quando vuoi.',
  ],
  GIT_ALREADY_A_REPOSITORY: [
    'È già un repository',
    'La cartella fa già parte di un repository Git.',
    'Usa il repository che c’è, o scegli un’altra cartella.',
  ],
  GIT_BEHIND: [
    'Il remoto è più avanti',
    'Il remoto ha commit che qui non ci sono ancora.',
    'Prendi le novità dal remoto, poi invia di nuovo.',
  ],
  GIT_BRANCH_CURRENT: ['È il ramo in uso', 'Il ramo in uso non si può eliminare.', 'Passa a un altro ramo e riprova.'],
  GIT_BRANCH_EXISTS: ['Ramo già esistente', 'C’è già un ramo con questo nome.', 'Scegli un altro nome.'],
  GIT_BRANCH_INVALID: [
    'Nome del ramo non valido',
    'Git non accetta questo nome per un ramo.',
    'Scegli un nome senza spazi e senza segni particolari.',
  ],
  GIT_BRANCH_NOT_FOUND: [
    'Ramo non trovato',
    'Non c’è un ramo con questo nome.',
    'Aggiorna l’elenco dei rami e scegli di nuovo.',
  ],
  GIT_BRANCH_NOT_MERGED: [
    'Ramo non ancora unito',
    'Il ramo ha commit che non sono in nessun altro posto: eliminandolo andrebbero persi.',
    'Unisci il ramo, o conferma di volerlo eliminare comunque.',
  ],
  GIT_COMMAND_FAILED: [
    'Git non è riuscito',
    'Git non ha portato a termine l’operazione.',
    'Controlla che Git sia installato e riprova.',
  ],
  GIT_COMMIT_INVALID: [
    'Commit indicato male',
    'Un commit va indicato con il suo codice completo.',
    'Scegli il commit dall’elenco.',
  ],
  GIT_COMMIT_OUTSIDE: [
    'Il commit tocca altre cartelle',
    'Il commit cambia anche file fuori dalla cartella della sessione.',
    'Annullalo da una sessione aperta sull’intero repository.',
  ],
  GIT_COMMIT_PUSHED: [
    'Commit già inviato',
    'Il commit è già sul remoto, quindi qui non si cambia più.',
    'Crea un nuovo commit con la correzione.',
  ],
  GIT_COMMIT_UNKNOWN: [
    'Commit non trovato',
    'Nel repository non c’è questo commit.',
    'Aggiorna la storia e scegli di nuovo.',
  ],
  GIT_CONFLICTS: [
    'Ci sono conflitti',
    'Alcuni file hanno conflitti ancora da risolvere.',
    'Risolvi i conflitti e riprova.',
  ],
  GIT_DETACHED: [
    'Nessun ramo in uso',
    'Il repository è fermo su un commit e non su un ramo.',
    'Passa a un ramo, o creane uno, e riprova.',
  ],
  GIT_DIFF_AREA_INVALID: [
    'Area delle modifiche non valida',
    'Si possono vedere le modifiche preparate o quelle in lavorazione; la scelta ricevuta è un’altra.',
    'Scegli una delle due aree.',
  ],
  GIT_DIFF_CHANGED: [
    'Le modifiche non sono più le stesse',
    'Il file è cambiato da quando lo hai guardato.',
    'Aggiorna le modifiche e riprova.',
  ],
  GIT_FETCH_RUNNING: [
    'Recupero già in corso',
    'Fucina sta già recuperando le novità dal remoto.',
    'Aspetta che finisca, o fermalo.',
  ],
  GIT_HEAD_CHANGED: [
    'L’ultimo commit è cambiato',
    'L’ultimo commit non è più quello che avevi davanti.',
    'Aggiorna la storia e riprova.',
  ],
  GIT_HUNK_FAILED: [
    'Blocco non applicato',
    'Git non è riuscito ad applicare questo blocco di modifiche.',
    'Aggiorna le modifiche e riprova, o agisci sull’intero file.',
  ],
  GIT_HUNK_INVALID: [
    'Blocco non valido',
    'Il blocco indicato non c’è, o non si può trattare nel modo richiesto.',
    'Scegli il blocco dalle modifiche mostrate.',
  ],
  GIT_HUNK_UNSUPPORTED: [
    'Modifica non divisibile in blocchi',
    'Questo tipo di modifica si può trattare solo per intero.',
    'Agisci sull’intero file.',
  ],
  GIT_INIT_NEEDS_CONFIRM: [
    'Serve una conferma',
    'La cartella contiene la tua cartella personale: il repository comprenderebbe anche quella.',
    'Conferma se lo vuoi davvero, o scegli una cartella più piccola.',
  ],
  GIT_MERGE_COMMIT: [
    'È un commit di unione',
    'Un commit che unisce due rami non si può annullare da qui.',
    'Annullalo con Git dal terminale.',
  ],
  GIT_MESSAGE_REQUIRED: [
    'Manca il messaggio',
    'Un commit ha bisogno di un messaggio.',
    'Scrivi il messaggio e riprova.',
  ],
  GIT_NESTED_REPO: [
    'C’è un altro repository dentro',
    'La cartella scelta contiene un repository a sé, che non si può scartare da qui.',
    'Apri una sessione in quella cartella e agisci da lì.',
  ],
  GIT_NOTHING_STAGED: [
    'Nulla di preparato',
    'Non ci sono modifiche preparate per il commit.',
    'Prepara almeno un file e riprova.',
  ],
  GIT_NOTHING_TO_COMMIT: [
    'Nulla da registrare',
    'Non ci sono modifiche né commit su cui lavorare.',
    'Modifica qualcosa, poi crea il commit.',
  ],
  GIT_NOTHING_TO_DISCARD: [
    'Nulla da scartare',
    'I file scelti non hanno modifiche da scartare.',
    'Aggiorna le modifiche e scegli di nuovo.',
  ],
  GIT_NOTHING_TO_STASH: [
    'Nulla da accantonare',
    'Non ci sono modifiche da mettere in un accantonamento.',
    'Continua pure: i file sono come nell’ultimo commit.',
  ],
  GIT_NOT_A_REPOSITORY: [
    'Non è un repository',
    'La cartella della sessione non è in un repository Git.',
    'Crea un repository in questa cartella, o scegline un’altra.',
  ],
  GIT_NO_REMOTE: [
    'Nessun remoto',
    'Il repository non ha un remoto a cui inviare.',
    'Aggiungi un remoto dal terminale e riprova.',
  ],
  GIT_NO_UPSTREAM: [
    'Ramo non collegato',
    'Il ramo non è collegato a un ramo del remoto.',
    'Invia il ramo al remoto per collegarlo.',
  ],
  GIT_OUTPUT_TOO_LARGE: [
    'Risposta di Git troppo grande',
    'Git ha prodotto più dati di quanti se ne possano mostrare.',
    'Scegli meno file, o usa Git dal terminale.',
  ],
  GIT_PATHS_REQUIRED: ['Nessun file scelto', 'Non è stato indicato nessun file.', 'Scegli almeno un file e riprova.'],
  GIT_PATH_INVALID: [
    'Percorso non valido',
    'Il percorso non è dentro la cartella della sessione, o è scritto in un modo non ammesso.',
    'Scegli il file dall’elenco delle modifiche.',
  ],
  GIT_PATH_UNCHANGED: [
    'File senza modifiche',
    'Il file scelto non ha modifiche da mostrare.',
    'Aggiorna l’elenco delle modifiche.',
  ],
  GIT_PULL_FAILED: [
    'Novità non ricevute',
    'Non si è riusciti a prendere le novità dal remoto.',
    'Controlla la rete e l’accesso al remoto, poi riprova.',
  ],
  GIT_PUSH_REJECTED: [
    'Invio rifiutato',
    'Il remoto non ha accettato i commit inviati.',
    'Controlla di poter scrivere su quel ramo, prendi le novità e riprova.',
  ],
  GIT_REMOTE_MISMATCH: [
    'Remoto diverso',
    'Il remoto scelto non è quello a cui il ramo è collegato.',
    'Scegli il remoto del ramo e riprova.',
  ],
  GIT_REMOTE_REQUIRED: [
    'Remoto da scegliere',
    'Ci sono più remoti e non è indicato a quale inviare.',
    'Scegli un remoto e riprova.',
  ],
  GIT_REMOTE_UNKNOWN: [
    'Remoto sconosciuto',
    'Il repository non ha un remoto con questo nome.',
    'Scegli un remoto dall’elenco.',
  ],
  GIT_STAGED_CHANGED: [
    'Le modifiche preparate sono cambiate',
    'Le modifiche preparate non sono più quelle che avevi davanti.',
    'Aggiorna le modifiche, ricontrollale e riprova.',
  ],
  GIT_STAGED_OUTSIDE: [
    'Modifiche preparate fuori cartella',
    'Tra le modifiche preparate ci sono file fuori dalla cartella della sessione.',
    'Togli quei file dalla preparazione, o apri una sessione sull’intero repository.',
  ],
  GIT_STASH_CHANGED: [
    'L’accantonamento è cambiato',
    'L’accantonamento scelto non è più quello che avevi davanti.',
    'Aggiorna l’elenco degli accantonamenti e scegli di nuovo.',
  ],
  GIT_STASH_CONFLICT: [
    'Accantonamento in conflitto',
    'Le modifiche accantonate sono in conflitto con i file di adesso.',
    'Registra o scarta le modifiche in corso, poi riprova.',
  ],
  GIT_STASH_OUTSIDE: [
    'Accantonamento fuori cartella',
    'L’accantonamento contiene file fuori dalla cartella della sessione.',
    'Riprendilo da una sessione aperta sull’intero repository.',
  ],
  GIT_STORE_UNAVAILABLE: [
    'Git non disponibile',
    'In questo momento Fucina non può usare Git per questa sessione.',
    'Riprova fra poco o riavvia Fucina.',
  ],
  GIT_SWITCH_BLOCKED: [
    'Cambio di ramo impedito',
    'Le modifiche in corso andrebbero perse passando a quel ramo.',
    'Registra o accantona le modifiche, poi riprova.',
  ],
  GIT_TIMEOUT: [
    'Git ci ha messo troppo',
    'L’operazione di Git non è finita nel tempo previsto ed è stata fermata.',
    'Riprova, o usa Git dal terminale.',
  ],
  GIT_UPSTREAM_GONE: [
    'Il ramo del remoto non c’è più',
    'Il ramo del remoto a cui questo era collegato è stato eliminato.',
    'Invia di nuovo il ramo, o passa a un altro.',
  ],
  GIT_WORKTREE_DIFFERS: [
    'File cambiato dopo la preparazione',
    'Un file è cambiato dopo essere stato preparato: nel commit entrerebbe un contenuto diverso.',
    'Prepara di nuovo il file, o registra solo ciò che è preparato.',
  ],
  GIT_WORKTREE_DIRTY: [
    'Modifiche in corso',
    'Le novità del remoto toccano file che hai modificato e non ancora registrato.',
    'Registra o accantona le modifiche, poi riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
