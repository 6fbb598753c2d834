import type { Language } from '@fucina/shared/sentences';
import { EN } from './en.ts';
import { IT } from './it.ts';
import type { Words } from './words.ts';

export type { Words } from './words.ts';

export type Say = (key: keyof Words, params?: Readonly<Record<string, string | number>>) => string;

const CATALOG: Record<Language, Words> = { en: EN, it: IT };

/** Whether there is a text for it: a failure class on the wire may be newer than this catalog. */
export function isWordKey(key: string): key is keyof Words {
  return Object.hasOwn(EN, key);
}

/** According to POSIX: LC_ALL, then LC_MESSAGES, then LANG. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^it(?![a-z])/i.test(locale) ? 'it' : 'en';
}

export function translatorFor(language: Language): Say {
  return (key, params = {}) =>
    CATALOG[language][key].replace(/\{(\w+)\}/g, (match, name: string) => String(params[name] ?? match));
}
