import type { Language } from './entry.ts';

type EndedState = 'failed' | 'cancelled' | 'paused' | 'senza-rapporto' | 'bloccata-dal-permesso' | 'giri-esauriti';

const WHY: Record<Language, Record<EndedState, string>> = {
  it: {
    failed: 'La ricerca si è fermata prima di trovare fonti da leggere, o la sua conversazione è stata interrotta.',
    cancelled: 'La ricerca è stata annullata.',
    paused: 'La ricerca è in pausa e può riprendere.',
    'senza-rapporto': 'La ricerca è finita senza un report che superi la verifica.',
    'bloccata-dal-permesso': 'I permessi della conversazione non consentono di cercare o leggere sul web.',
    'giri-esauriti': 'La ricerca ha raggiunto il numero massimo di passi.',
  },
  en: {
    failed: 'The research stopped before it found sources to read, or its conversation was interrupted.',
    cancelled: 'The research was cancelled.',
    paused: 'The research is paused and can be resumed.',
    'senza-rapporto': 'The research finished without a report that passes verification.',
    'bloccata-dal-permesso': 'The conversation’s permissions do not allow searching or reading the web.',
    'giri-esauriti': 'The research reached its maximum number of steps.',
  },
};

/** Why research is in a state; null while it runs and when it is done. */
export function researchReason(state: string, language: Language): string | null {
  return (WHY[language] as Record<string, string>)[state] ?? null;
}

/** Shown in place of the list of research reports. */
export const RESEARCH_NOT_READ: Readonly<Record<Language, string>> = {
  it: 'Impossibile leggere le ricerche di questo progetto.',
  en: 'Could not read the research reports of this project.',
};
