import { readStored } from '../ambient.ts';
import type { Catalog } from './texts.ts';

export const LANGUAGES = ['it', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export const CATALOGS: Record<Language, () => Promise<Catalog>> = {
  it: async () => (await import('./it.ts')).it,
  en: async () => (await import('./en.ts')).en,
};

const isLanguage = (value: unknown): value is Language => value === 'it' || value === 'en';

/** The chosen language, or that of the browser. */
export function firstLanguage(): Language {
  const preferred = navigator.language.toLowerCase().startsWith('it') ? 'it' : 'en';
  return readStored('language', isLanguage) ?? preferred;
}
