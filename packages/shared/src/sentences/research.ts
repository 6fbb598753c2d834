import type { Language } from './entry.ts';

type EndedState = 'failed' | 'cancelled' | 'paused' | 'senza-rapporto' | 'bloccata-dal-permesso' | 'giri-esauriti';

const WHY: Record<Language, Record<EndedState, string>> = {
  it: {
    failed: 'La ricerca si è fermata prima di trovare fonti da leggere, o la sua conversazione è stata interrotta.',
    cancelled: 'La ricerca è stata annullata.',
    paused: 'La ricerca è ferma e può riprendere da dov’era.',
    'senza-rapporto': 'La ricerca è finita senza un rapporto che regga al controllo.',
    'bloccata-dal-permesso': 'I permessi della conversazione non hanno lasciato cercare o leggere sul web.',
    'giri-esauriti': 'La ricerca ha esaurito i passi che può fare.',
  },
  en: {
    failed: 'The research stopped before it found sources to read, or its conversation was interrupted.',
    cancelled: 'The research was cancelled.',
    paused: 'The research rests and can go on from where it was.',
    'senza-rapporto': 'The research ended without a report that passes its check.',
    'bloccata-dal-permesso': 'The permissions of the conversation did not let it search or read the web.',
    'giri-esauriti': 'The research used up the steps it may take.',
  },
};

/** Why a research stands where it stands; null while it runs, and when it is done. */
export function researchReason(state: string, language: Language): string | null {
  return (WHY[language] as Record<string, string>)[state] ?? null;
}

/** Said in the place of the list of researches. */
export const RESEARCH_NOT_READ: Readonly<Record<Language, string>> = {
  it: 'Le ricerche di questo progetto non si possono leggere.',
  en: 'The researches of this project cannot be read.',
};
