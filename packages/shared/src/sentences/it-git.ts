import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const GIT_IT = {
  GIT_ABORTED: [
    'Operazione Git interrotta',
    'L’operazione di Git è stata interrotta prima della fine.',
    'Rieseguila quando vuoi.',
  ],
  GIT_ALREADY_A_REPOSITORY: [
    'È già un repository',
    'La cartella fa già parte di un repository Git.',
    'Usa il repository esistente, o scegli un’altra cartella.',
  ],
  GIT_BEHIND: ['Il remoto è più avanti', 'Il remoto ha commit che non hai in locale.', 'Fai pull, poi ripeti il push.'],
  GIT_BRANCH_CURRENT: [
    'È il branch corrente',
    'Il branch corrente non si può eliminare.',
    'Passa a un altro branch e riprova.',
  ],
  GIT_BRANCH_EXISTS: ['Branch già esistente', 'C’è già un branch con questo nome.', 'Scegli un altro nome.'],
  GIT_BRANCH_INVALID: [
    'Nome del branch non valido',
    'Git non accetta questo nome per un branch.',
    'Scegli un nome senza spazi e senza caratteri speciali.',
  ],
  GIT_BRANCH_NOT_FOUND: [
    'Branch non trovato',
    'Non c’è un branch con questo nome.',
    'Aggiorna l’elenco dei branch e scegli di nuovo.',
  ],
  GIT_BRANCH_NOT_MERGED: [
    'Branch senza merge',
    'Il branch ha commit che non esistono altrove. Eliminandolo andrebbero persi.',
    'Fai il merge del branch, o conferma l’eliminazione.',
  ],
  GIT_COMMAND_FAILED: [
    'Comando Git non riuscito',
    'Git non ha portato a termine l’operazione.',
    'Controlla che Git sia installato e riprova.',
  ],
  GIT_COMMIT_INVALID: [
    'Serve l’hash completo del commit',
    'I commit si indicano con l’hash completo.',
    'Scegli il commit dall’elenco.',
  ],
  GIT_COMMIT_OUTSIDE: [
    'Il commit include altre cartelle',
    'Il commit modifica anche file fuori dalla cartella della sessione.',
    'Annullalo da una sessione aperta sull’intero repository.',
  ],
  GIT_COMMIT_PUSHED: [
    'Push del commit già fatto',
    'Il commit è già sul remoto, quindi non si può modificare da qui.',
    'Crea un nuovo commit con la correzione.',
  ],
  GIT_COMMIT_UNKNOWN: [
    'Commit non trovato',
    'Nel repository non c’è questo commit.',
    'Aggiorna la cronologia e scegli di nuovo.',
  ],
  GIT_CONFLICTS: [
    'Conflitti da risolvere',
    'Alcuni file hanno conflitti non risolti.',
    'Risolvi i conflitti e riprova.',
  ],
  GIT_DETACHED: [
    'HEAD staccato',
    'Nel repository è attivo un commit, non un branch.',
    'Passa a un branch, o creane uno, e riprova.',
  ],
  GIT_DIFF_AREA_INVALID: [
    'Area delle modifiche non valida',
    'Si possono mostrare le modifiche in stage o fuori dallo stage; la richiesta ne indica altre.',
    'Scegli le modifiche in stage o fuori dallo stage.',
  ],
  GIT_DIFF_CHANGED: [
    'Modifiche non aggiornate',
    'Il file è cambiato dopo il caricamento del diff.',
    'Aggiorna le modifiche e riprova.',
  ],
  GIT_FETCH_RUNNING: [
    'Fetch già in corso',
    'Fucina sta già eseguendo un fetch dal remoto.',
    'Aspetta che finisca, o fermalo.',
  ],
  GIT_HEAD_CHANGED: [
    'L’ultimo commit è cambiato',
    'L’ultimo commit non è più quello mostrato.',
    'Aggiorna la cronologia e riprova.',
  ],
  GIT_HUNK_FAILED: [
    'Hunk non applicato',
    'Git non è riuscito ad applicare questo hunk.',
    'Aggiorna le modifiche e riprova, o usa l’intero file.',
  ],
  GIT_HUNK_INVALID: [
    'Hunk non valido',
    'L’hunk non esiste o non supporta questa azione.',
    'Scegli un hunk dal diff mostrato.',
  ],
  GIT_HUNK_UNSUPPORTED: [
    'Modifica non divisibile in hunk',
    'Questo tipo di modifica non si può gestire a parti.',
    'Usa l’intero file.',
  ],
  GIT_INIT_NEEDS_CONFIRM: [
    'Serve una conferma',
    'La cartella contiene la tua cartella personale: diventerebbe parte del repository.',
    'Conferma per continuare, o scegli una cartella più piccola.',
  ],
  GIT_MERGE_COMMIT: [
    'È un merge commit',
    'I merge commit non si possono annullare da qui.',
    'Annullalo con Git dal terminale.',
  ],
  GIT_MESSAGE_REQUIRED: [
    'Manca il messaggio di commit',
    'Un commit ha bisogno di un messaggio.',
    'Scrivi il messaggio e riprova.',
  ],
  GIT_NESTED_REPO: [
    'Repository annidato',
    'La cartella contiene un proprio repository, che non si può scartare da qui.',
    'Apri una sessione in quella cartella e scartalo da lì.',
  ],
  GIT_NOTHING_STAGED: [
    'Nessuna modifica in stage',
    'Non ci sono modifiche in stage per il commit.',
    'Aggiungi almeno un file allo stage e riprova.',
  ],
  GIT_NOTHING_TO_COMMIT: [
    'Niente da committare',
    'Non ci sono modifiche di cui fare il commit.',
    'Modifica qualcosa, poi fai il commit.',
  ],
  GIT_NOTHING_TO_DISCARD: [
    'Niente da scartare',
    'I file scelti non hanno modifiche da scartare.',
    'Aggiorna le modifiche e scegli di nuovo.',
  ],
  GIT_NOTHING_TO_STASH: [
    'Niente da mettere in stash',
    'Non ci sono modifiche da mettere nello stash.',
    'Puoi continuare: il working tree è pulito.',
  ],
  GIT_NOT_A_REPOSITORY: [
    'Non è un repository',
    'La cartella della sessione non è in un repository Git.',
    'Crea un repository in questa cartella, o scegline un’altra.',
  ],
  GIT_NO_REMOTE: [
    'Nessun remoto',
    'Il repository non ha un remoto per il push.',
    'Aggiungi un remoto dal terminale e riprova.',
  ],
  GIT_NO_UPSTREAM: [
    'Nessun branch upstream',
    'Il branch non traccia un branch remoto.',
    'Fai push del branch per impostare l’upstream.',
  ],
  GIT_OUTPUT_TOO_LARGE: [
    'Output di Git troppo grande',
    'Git ha prodotto più output di quanto se ne possa mostrare.',
    'Scegli meno file, o usa Git dal terminale.',
  ],
  GIT_PATHS_REQUIRED: [
    'Nessun file selezionato',
    'Non è stato selezionato nessun file.',
    'Seleziona almeno un file e riprova.',
  ],
  GIT_PATH_INVALID: [
    'Percorso non valido',
    'Il percorso è fuori dalla cartella della sessione o contiene caratteri non ammessi.',
    'Scegli il file dall’elenco delle modifiche.',
  ],
  GIT_PATH_UNCHANGED: [
    'Nessuna modifica in questo file',
    'Il file scelto non ha modifiche da mostrare.',
    'Aggiorna l’elenco delle modifiche.',
  ],
  GIT_PULL_FAILED: [
    'Pull non riuscito',
    'Git non ha potuto fare il pull dei commit dal remoto.',
    'Controlla la rete e l’accesso al remoto, poi riprova.',
  ],
  GIT_PUSH_REJECTED: [
    'Push rifiutato',
    'Il remoto non ha accettato i commit.',
    'Controlla di poter scrivere su quel branch, fai pull e riprova.',
  ],
  GIT_REMOTE_MISMATCH: [
    'Il remoto non corrisponde',
    'Il branch traccia un altro remoto.',
    'Scegli il remoto tracciato dal branch e riprova.',
  ],
  GIT_REMOTE_REQUIRED: [
    'Scegli un remoto',
    'Ci sono più remoti e il push non ne indica uno.',
    'Scegli un remoto e riprova.',
  ],
  GIT_REMOTE_UNKNOWN: [
    'Remoto non trovato',
    'Il repository non ha un remoto con questo nome.',
    'Scegli un remoto dall’elenco.',
  ],
  GIT_STAGED_CHANGED: [
    'Modifiche in stage non aggiornate',
    'Le modifiche in stage sono cambiate dopo il caricamento.',
    'Aggiorna le modifiche, rivedile e riprova.',
  ],
  GIT_STAGED_OUTSIDE: [
    'Modifiche in stage fuori cartella',
    'Alcuni file in stage sono fuori dalla cartella della sessione.',
    'Togli quei file dallo stage, o apri una sessione sull’intero repository.',
  ],
  GIT_STASH_CHANGED: [
    'Lo stash è cambiato',
    'Lo stash non è più quello mostrato.',
    'Aggiorna l’elenco degli stash e scegli di nuovo.',
  ],
  GIT_STASH_CONFLICT: [
    'Stash in conflitto',
    'Le modifiche nello stash sono in conflitto con i file attuali.',
    'Fai il commit delle modifiche o scartale, poi riprova.',
  ],
  GIT_STASH_OUTSIDE: [
    'Stash fuori cartella',
    'Lo stash contiene file fuori dalla cartella della sessione.',
    'Applicalo da una sessione aperta sull’intero repository.',
  ],
  GIT_STORE_UNAVAILABLE: [
    'Git non disponibile',
    'Al momento Fucina non può usare Git per questa sessione.',
    'Riprova fra poco o riavvia Fucina.',
  ],
  GIT_SWITCH_BLOCKED: [
    'Impossibile cambiare branch',
    'Passando a quel branch andrebbero perse le modifiche senza commit.',
    'Fai commit o stash delle modifiche, poi riprova.',
  ],
  GIT_TIMEOUT: [
    'Timeout di Git',
    'L’operazione di Git non è finita in tempo ed è stata interrotta.',
    'Riprova, o usa Git dal terminale.',
  ],
  GIT_UPSTREAM_GONE: [
    'Il branch remoto non esiste più',
    'Il branch remoto tracciato da questo branch è stato eliminato.',
    'Ripeti il push del branch, o passa a un altro.',
  ],
  GIT_WORKTREE_DIFFERS: [
    'File modificato dopo lo stage',
    'Un file è cambiato dopo lo stage: il commit non corrisponderebbe a ciò che vedi.',
    'Rimetti il file in stage, o fai il commit solo di ciò che è in stage.',
  ],
  GIT_WORKTREE_DIRTY: [
    'Modifiche senza commit',
    'Il pull sovrascriverebbe file con modifiche senza commit.',
    'Fai commit o stash delle modifiche, poi riprova.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
