import type { Language } from './entry.ts';

/** Shown in place of a list of notes, tasks or memories that cannot be read. */
export const LIBRARY_NOT_READ: Readonly<Record<Language, string>> = {
  it: 'Impossibile leggere l’archivio di note, attività e memorie. I dettagli sono in Impostazioni → Salute.',
  en: 'Could not read notes, tasks and memories. See Settings → Health for details.',
};
