import type { ErrorCode } from '../codes.ts';
import type { Entry, Language } from './entry.ts';

const entry = (en: Entry, it: Entry): Record<Language, Entry> => ({ en, it });

/** Why the set-up of a worktree did not run. */
export const WORKTREE_QUERY_REASONS: Readonly<Record<string, Record<Language, Entry>>> = {
  'setup-not-trusted': entry(
    [
      'Script not trusted',
      'The set-up script of this worktree is not the version that you trust.',
      'Read the script, then trust it.',
    ],
    [
      'Script non fidato',
      'Lo script di preparazione di questo worktree non è la versione a cui hai dato fiducia.',
      'Leggi lo script, poi dagli fiducia.',
    ],
  ),
};

/** Why a worktree was not made, merged or removed. */
export const WORKTREE_REASONS: Partial<Record<ErrorCode, Readonly<Record<string, Record<Language, Entry>>>>> = {
  GIT_PATH_INVALID: {
    'local-file': entry(
      [
        'File cannot be copied',
        'Only ignored settings files such as .env are copied to a worktree, and only where its branch ignores them too.',
        'Deselect the file, or start from a branch that ignores it.',
      ],
      [
        'File non copiabile',
        'In un worktree si copiano solo i file di impostazioni ignorati, come .env, e solo se li ignora anche il suo branch.',
        'Deseleziona il file, oppure parti da un branch che lo ignora.',
      ],
    ),
  },
  GIT_COMMIT_UNKNOWN: {
    'no-commit': entry(
      [
        'No commit yet',
        'This repository has no commit, and a worktree starts from one.',
        'Make the first commit, or work in the folder itself.',
      ],
      [
        'Nessun commit',
        'Questo repository non ha commit, e un worktree parte da un commit.',
        'Fai il primo commit, oppure lavora nella cartella stessa.',
      ],
    ),
  },
  GIT_BRANCH_NOT_FOUND: {
    'pull-request': entry(
      [
        'Pull request not found',
        'The remote of this repository has no pull request with this number.',
        'Check the number. In a fork, add the original repository as the remote “upstream”.',
      ],
      [
        'Pull request non trovata',
        'Il remote di questo repository non ha una pull request con questo numero.',
        'Controlla il numero. In un fork, aggiungi il repository originale come remote “upstream”.',
      ],
    ),
  },
  GIT_NO_REMOTE: {
    'pull-request': entry(
      [
        'No remote',
        'Pull requests are fetched from a remote, and this repository has none.',
        'Add a remote in the terminal and try again.',
      ],
      [
        'Nessun remote',
        'Le pull request si scaricano da un remote, e questo repository non ne ha.',
        'Aggiungi un remote dal terminale e riprova.',
      ],
    ),
  },
  GIT_BRANCH_CURRENT: {
    'in-use': entry(
      [
        'Branch in use',
        'Another work tree has this branch checked out. A branch can be in one work tree at a time.',
        'Choose another branch, or a new branch that starts from it.',
      ],
      [
        'Branch in uso',
        'Questo branch è aperto in un altro worktree. Un branch può stare in un solo worktree alla volta.',
        'Scegli un altro branch, oppure un nuovo branch che parte da questo.',
      ],
    ),
  },
  GIT_CONFLICTS: {
    'carried-changes': entry(
      [
        'Changes do not apply',
        'The uncommitted changes conflict with the branch that the worktree starts from.',
        'Start from the current branch, or leave the changes in the folder.',
      ],
      [
        'Modifiche non applicabili',
        'Le modifiche non committate sono in conflitto con il branch da cui parte il worktree.',
        'Parti dal branch corrente, oppure lascia le modifiche nella cartella.',
      ],
    ),
    'changed-on-both-sides': entry(
      [
        'File changed on both sides',
        'A file was also changed on the branch of the folder, so taking it would undo that.',
        'Merge the branch, or take the change by hand.',
      ],
      [
        'File modificato da entrambe le parti',
        'Un file è stato modificato anche sul branch della cartella: prenderlo annullerebbe quella modifica.',
        'Unisci il branch, oppure riporta la modifica a mano.',
      ],
    ),
  },
  GIT_WORKTREE_DIRTY: {
    'worktree-changes': entry(
      [
        'Uncommitted changes',
        'The worktree has uncommitted changes.',
        'Commit them, or confirm that they may be lost.',
      ],
      [
        'Modifiche non committate',
        'Il worktree ha modifiche non committate.',
        'Fai un commit, oppure conferma che possono andare perse.',
      ],
    ),
    'worktree-broken': entry(
      [
        'Repository not found',
        'The repository of this worktree was moved or deleted, so its changes cannot be checked.',
        'Move the repository back, or confirm that the files of the worktree may be lost.',
      ],
      [
        'Repository non trovato',
        'Il repository di questo worktree è stato spostato o eliminato, quindi le sue modifiche non si possono controllare.',
        'Rimetti il repository al suo posto, oppure conferma che i file del worktree possono andare persi.',
      ],
    ),
    'worktree-ignored': entry(
      [
        'Ignored file in the way',
        'The branch has a file where the worktree has an ignored one, which a rebase would replace.',
        'Move the ignored file of the worktree, then try again.',
      ],
      [
        'File ignorato in mezzo',
        'Il branch ha un file dove il worktree ne ha uno ignorato, che il rebase sostituirebbe.',
        'Sposta il file ignorato del worktree, poi riprova.',
      ],
    ),
    'ignored-in-the-way': entry(
      [
        'Ignored file in the way',
        'The folder has an ignored file where a chosen change would make a new one.',
        'Move the ignored file, then try again.',
      ],
      [
        'File ignorato in mezzo',
        'La cartella ha un file ignorato dove una modifica scelta ne creerebbe uno nuovo.',
        'Sposta il file ignorato, poi riprova.',
      ],
    ),
    'merge-target': entry(
      [
        'Uncommitted changes in the way',
        'The folder has uncommitted changes in files that the merge would write.',
        'Commit or stash them in the folder, then try again.',
      ],
      [
        'Modifiche non committate in mezzo',
        'La cartella ha modifiche non committate in file che il merge scriverebbe.',
        'Fai un commit o uno stash nella cartella, poi riprova.',
      ],
    ),
  },
  GIT_OUTPUT_TOO_LARGE: {
    undo: entry(
      [
        'Too large to undo',
        'The files that would be replaced are too large to be stored for an undo.',
        'Choose fewer files, or merge the branch.',
      ],
      [
        'Troppo grande da annullare',
        'I file da sostituire sono troppo grandi per essere conservati per un annullamento.',
        'Scegli meno file, oppure fai il merge del branch.',
      ],
    ),
  },
  GIT_BRANCH_NOT_MERGED: {
    'worktree-commits': entry(
      [
        'Commits would be lost',
        'The worktree has commits that are on no other branch.',
        'Keep its branch, merge it, or confirm that the commits may be lost.',
      ],
      [
        'Commit che andrebbero persi',
        'Il worktree ha commit che non sono su nessun altro branch.',
        'Tieni il suo branch, fai il merge, oppure conferma che i commit possono andare persi.',
      ],
    ),
  },
};
