import type { Entry, Language } from './entry.ts';

/** Why a git operation was refused or failed. */
export const GIT_REASONS: Readonly<Record<string, Record<Language, Entry>>> = {
  'filter-not-trusted': {
    en: [
      'Filter not trusted',
      'A filter that this repository defines converts “{path}” (filter “{filter}”). Without it, git would store or write other content, so nothing was done.',
      'Read the commands of the filter in the Git view (or with fucina git programs) and trust it, or use git in a terminal.',
    ],
    it: [
      'Filtro non fidato',
      'Un filtro definito da questo repository converte «{path}» (filtro «{filter}»). Senza il filtro git salverebbe o scriverebbe un altro contenuto, quindi non è stato fatto nulla.',
      'Leggi i comandi del filtro nella vista Git (o con fucina git programs) e dagli fiducia, oppure usa git in un terminale.',
    ],
  },
  'conflict-markers': {
    en: [
      'Conflict not resolved',
      '“{path}” is in conflict and still has conflict markers, so nothing was staged.',
      'Resolve the conflict in the file, then stage it. The Git view can also stage it as it is.',
    ],
    it: [
      'Conflitto non risolto',
      '«{path}» è in conflitto e contiene ancora i marcatori del conflitto: non è stato messo nulla nello stage.',
      'Risolvi il conflitto nel file, poi mettilo nello stage. La vista Git può anche metterlo nello stage così com’è.',
    ],
  },
  'link-in-git-folder': {
    en: [
      'Link in the git folder',
      '“{path}” is a link to another place, and git would write there. Nothing was done.',
      'Look where the link leads. If you did not make it, remove it; git makes the file again.',
    ],
    it: [
      'Link nella cartella di git',
      '«{path}» è un link a un altro posto, e git scriverebbe lì. Non è stato fatto nulla.',
      'Guarda dove porta il link. Se non l’hai creato tu, rimuovilo: git ricrea il file.',
    ],
  },
  'signing-not-trusted': {
    en: [
      'Signing program of the repository',
      'Commits are signed here, and the repository names the program itself ({setting}). It was not run, and nothing was committed.',
      'Set the program for all your repositories (git config --global), remove it from the repository, or commit in a terminal.',
    ],
    it: [
      'Programma di firma del repository',
      'Qui i commit vengono firmati, e il programma lo indica il repository stesso ({setting}). Non è stato eseguito, e non è stato creato alcun commit.',
      'Imposta il programma per tutti i tuoi repository (git config --global), toglilo dal repository, oppure fai il commit in un terminale.',
    ],
  },
  'signing-failed': {
    en: [
      'Commit not signed',
      'Commits are signed here (commit.gpgsign), and signing failed, so nothing was committed.',
      'Check user.signingkey and that your agent (gpg-agent or ssh-agent) has the key or can ask for its passphrase, or commit in a terminal.',
    ],
    it: [
      'Commit non firmato',
      'Qui i commit vengono firmati (commit.gpgsign), e la firma è fallita: non è stato creato alcun commit.',
      'Controlla user.signingkey e che il tuo agente (gpg-agent o ssh-agent) abbia la chiave o possa chiederne la passphrase, oppure fai il commit in un terminale.',
    ],
  },
  'filter-failed': {
    en: [
      'Filter failed',
      'A filter of git that must succeed failed, so nothing was done.',
      'Check that its program is installed and set up, for example with git add in a terminal.',
    ],
    it: [
      'Filtro fallito',
      'Un filtro di git che deve riuscire è fallito, quindi non è stato fatto nulla.',
      'Controlla che il suo programma sia installato e configurato, per esempio con git add in un terminale.',
    ],
  },
};
