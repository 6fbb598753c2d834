import type { Language } from '@fucina/shared/sentences';

/** Texts of the page that the window shows while there is no server. */
export interface PageWords {
  starting: string;
  failed: string;
  again: string;
  fix: string;
  log: string;
}

const EN: PageWords = {
  starting: 'Starting Fucina…',
  failed: 'Fucina did not start',
  again: 'It is started again in a moment.',
  fix: 'Fix what the log says, then open Fucina again.',
  log: 'Last lines of the log',
};
const IT: PageWords = {
  starting: 'Avvio di Fucina…',
  failed: 'Fucina non si è avviata',
  again: 'Tra poco verrà riavviata.',
  fix: 'Risolvi il problema indicato nel log, poi apri di nuovo Fucina.',
  log: 'Ultime righe del log',
};

export const PAGE_WORDS: Record<Language, PageWords> = { en: EN, it: IT };
