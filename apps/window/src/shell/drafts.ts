import { useCallback, useSyncExternalStore } from 'react';
import { now, readStored, removeStored, storedNames, writeStored } from '../ambient.ts';

/** Maximum length of one stored draft, in characters. */
const MAX_STORED = 200_000;
const MOST_DRAFTS = 50;
const PREFIX = 'draft.';

interface Draft {
  text: string;
  /** Sent but not accepted by the server yet. */
  sending: readonly string[];
}

interface Kept {
  text: string;
  at: number;
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';

/** Unsent drafts by session. They are also stored in the browser, so that closing the page loses nothing. */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function draftOf(name: string): Draft {
  let draft = drafts.get(name);
  if (!draft) {
    draft = { text: readStored(PREFIX + name, isKept)?.text ?? '', sending: [] };
    drafts.set(name, draft);
  }
  return draft;
}

const ageOf = (key: string): number => readStored(key, isKept)?.at ?? 0;
/** Drafts of this page: cached, because reading a long text at every keystroke would be slow. */
const stored = new Set<string>();

/** Removes the oldest drafts until there are `most`, except `key`. */
function dropOldest(most: number, key: string): void {
  const others = storedNames(PREFIX).filter((other) => other !== key);
  others.sort((one, other) => ageOf(other) - ageOf(one));
  for (const old of others.slice(Math.max(0, most))) removeStored(old);
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text.trim() !== '').join('\n\n');

function store(name: string, { text, sending }: Draft): void {
  const key = PREFIX + name;
  const whole = joined([...sending, text]).slice(0, MAX_STORED);
  if (whole === '') {
    stored.delete(key);
    return removeStored(key);
  }
  const value: Kept = { text: whole, at: now() };
  if (!stored.has(key)) dropOldest(MOST_DRAFTS - 1, key);
  stored.add(key);
  if (writeStored(key, value)) return;
  // The storage is full: older drafts are removed for the current one.
  dropOldest(0, key);
  writeStored(key, value);
}

function change(name: string, draft: Draft): void {
  drafts.set(name, draft);
  store(name, draft);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const setDraft = (name: string, text: string): void => change(name, { ...draftOf(name), text });

export function useDraft(name: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => draftOf(name).text);
  return [text, useCallback((next: string) => setDraft(name, next), [name])];
}

/** Appends text to a draft from elsewhere. */
export function addToDraft(name: string, words: string): void {
  const { text } = draftOf(name);
  setDraft(name, text === '' || /\s$/.test(text) ? `${text}${words} ` : `${text} ${words} `);
}

export interface Departure {
  /** The server has accepted it. */
  accepted(): void;
  /** Restores it before text typed in the meantime. */
  refused(): void;
}

/** Empties the field. The text stays in storage until the server has answered. */
export function sendDraft(name: string): Departure {
  const { text, sending } = draftOf(name);
  change(name, { text: '', sending: [...sending, text] });
  const without = (): Draft => {
    const draft = draftOf(name);
    const at = draft.sending.indexOf(text);
    return { ...draft, sending: draft.sending.filter((_, place) => place !== at) };
  };
  return {
    accepted: () => change(name, without()),
    refused() {
      const rest = without();
      change(name, { ...rest, text: joined([text, rest.text]) });
    },
  };
}

export const hasDrafts = (): boolean => storedNames(PREFIX).length > 0;
