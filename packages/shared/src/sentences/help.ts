import type { Language } from './entry.ts';

/** The answer of the built-in help when no page matches. */
export const HELP_UNKNOWN: Readonly<Record<Language, string>> = {
  it: 'Nelle pagine di aiuto non ho trovato niente su questo argomento. Prova con altre parole, per esempio «permessi», «chiavi» o «riprendere una sessione».',
  en: 'I found nothing about this in the help pages. Try other words, for example “permissions”, “keys” or “resume a session”.',
};
