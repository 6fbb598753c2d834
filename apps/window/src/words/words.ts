import { useSyncExternalStore } from 'react';
import { now, writeStored } from '../ambient.ts';
import { loadChunk } from '../wire/load-chunk.ts';
import type { en } from './en.ts';
import { CATALOGS, firstLanguage, type Language } from './first-words.ts';
import type { enMore } from './more-en.ts';
import { type Catalog, createTexts, type Texts, type WordValues } from './texts.ts';

type Plain<Key> = Key extends `${infer Base}_one` | `${infer Base}_other` ? Base : Key;
export type WordKey = Plain<keyof typeof en | keyof typeof enMore>;
export { LANGUAGES, type Language } from './first-words.ts';
export type { WordValues } from './texts.ts';

/** Texts of lazily loaded parts, which are not in the first load. */
const MORE = {
  it: async () => (await import('./more-it.ts')).itMore,
  en: async () => (await import('./more-en.ts')).enMore,
} as const;

let more: Promise<void> | undefined;

const TEXTS: Record<Language, Texts> = { it: createTexts(), en: createTexts() };
let current: Language = 'en';
const listeners = new Set<() => void>();

export const language = (): Language => current;

/** Whether there is a text: a newer server may send unknown values. */
export const isWordKey = (key: string): key is WordKey => TEXTS[current].has(key);

async function addMore(choice: Language): Promise<void> {
  TEXTS[choice].add(await loadChunk<Catalog>(MORE[choice]));
}

/** Loads a part together with its texts. */
export async function withWords<Part>(part: Promise<Part>): Promise<Part> {
  more ??= addMore(language());
  try {
    return (await Promise.all([part, more]))[0];
  } catch (cause) {
    more = undefined;
    throw cause;
  }
}

async function speak(choice: Language): Promise<void> {
  TEXTS[choice].add(await loadChunk<Catalog>(CATALOGS[choice]));
  if (more) await addMore(choice);
  current = choice;
  document.documentElement.lang = choice;
  for (const listener of listeners) listener();
}

/** Loads only the texts of the current language. */
export const startWords = (): Promise<void> => speak(firstLanguage());

export function setLanguage(choice: Language): void {
  writeStored('language', choice);
  // If the texts cannot be loaded now, the next load uses them.
  speak(choice).catch(() => undefined);
}

export interface Words {
  language: Language;
  say(key: WordKey, values?: WordValues): string;
  number(value: number): string;
  /** 12.4k, 1.2M: compact counts. */
  short(value: number): string;
  percent(fraction: number): string;
  /** Amount in dollars; small ones keep their significant digits. */
  money(usd: number): string;
  bytes(value: number): string;
  duration(ms: number): string;
  /** `3 minutes ago`, then the date; `at` in milliseconds or ISO. */
  ago(at: number | string): string;
  date(at: number | string): string;
  /** Of the day. */
  time(at: number | string): string;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEPS = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [7, 'day'],
] as const;

interface AgoFormats {
  near: () => Intl.RelativeTimeFormat;
  day: () => Intl.DateTimeFormat;
}

function agoIn({ near, day }: AgoFormats, at: number | string): string {
  let value = (new Date(at).getTime() - now()) / 1_000;
  for (const [size, unit] of STEPS) {
    if (Math.abs(value) < size) return near().format(Math.trunc(value), unit);
    value /= size;
  }
  return day().format(new Date(at));
}

function durationIn(locale: Language, ms: number): string {
  const unit = (value: number, name: string, digits = 0) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
      maximumFractionDigits: digits,
    }).format(value);
  if (ms < 1_000) return unit(Math.round(ms), 'millisecond');
  const seconds = ms / 1_000;
  if (seconds < 60) return unit(seconds, 'second', seconds < 10 ? 1 : 0);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${unit(minutes, 'minute')} ${unit(Math.floor(seconds % 60), 'second')}`;
  return `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`;
}

function moneyIn(locale: Language, usd: number): string {
  const digits = usd === 0 || usd >= 1 ? 2 : usd >= 0.01 ? 3 : 5;
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: digits }).format(
    usd,
  );
}

function bytesIn(locale: Language, value: number): string {
  const power = Math.min(UNITS.length - 1, value < 1_000 ? 0 : Math.floor(Math.log10(value) / 3));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power],
    // In the short form it would be "20 byte" for any number.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(value / 1_000 ** power);
}

/** Created at the first use: a formatter takes the browser milliseconds. */
function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function wordsOf(locale: Language): Words {
  const number = lazily(() => new Intl.NumberFormat(locale));
  const short = lazily(() => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }));
  const percent = lazily(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }));
  const time = lazily(() => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }));
  const near = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' }));
  const day = lazily(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }));
  const date = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
  return {
    language: locale,
    say: TEXTS[locale].say,
    number: (value) => number().format(value),
    short: (value) => short().format(value),
    percent: (fraction) => percent().format(fraction),
    money: (usd) => moneyIn(locale, usd),
    bytes: (value) => bytesIn(locale, value),
    duration: (ms) => durationIn(locale, ms),
    ago: (at) => agoIn({ near, day }, at),
    date: (at) => date().format(new Date(at)),
    time: (at) => time().format(new Date(at)),
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Cached: creating platform formatters is slow, and every component uses them. */
const made: Partial<Record<Language, Words>> = {};

/** The texts of the current language; redraws when it changes. */
export function useWords(): Words {
  const locale = useSyncExternalStore(subscribe, language);
  made[locale] ??= wordsOf(locale);
  return made[locale];
}
