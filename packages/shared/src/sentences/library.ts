import type { Language } from './entry.ts';

/** What stands in for a list of what the person keeps when it cannot be read. */
export const LIBRARY_NOT_READ: Readonly<Record<Language, string>> = {
  it: 'L’archivio di note, attività e memorie non si può leggere. La diagnosi dice di più.',
  en: 'The store of notes, tasks and memories cannot be read. The diagnosis says more.',
};
