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
