import type { Language } from './entry.ts';

type Words<Key extends string> = Readonly<Record<Key, Readonly<Record<Language, string>>>>;

const TRUST: Words<'never' | 'changed' | 'too-large'> = {
  never: { it: 'Nessuno lo ha ancora approvato.', en: 'Nobody has trusted it yet.' },
  changed: {
    it: 'È cambiato dopo l’approvazione: va riletto e approvato di nuovo.',
    en: 'It has changed since it was trusted: look at it and trust it again.',
  },
  'too-large': {
    it: 'È troppo grande per essere controllato per intero, quindi non si può approvare.',
    en: 'It is too large to be looked at whole, so it cannot be trusted.',
  },
};

const WARNINGS: Words<'delete-root' | 'download-and-run' | 'send-credentials' | 'reverse-shell'> = {
  'delete-root': { it: 'Cancella una cartella intera dalla radice.', en: 'It deletes a whole folder from its root.' },
  'download-and-run': {
    it: 'Scarica qualcosa da Internet e lo esegue.',
    en: 'It downloads something from the internet and runs it.',
  },
  'send-credentials': {
    it: 'Può mandare in rete chiavi o password.',
    en: 'It may send keys or passwords over the network.',
  },
  'reverse-shell': {
    it: 'Apre un terminale verso un altro computer.',
    en: 'It opens a terminal to another computer.',
  },
};

/** Why a plugin is not trusted. */
export function pluginTrust(because: keyof typeof TRUST, language: Language): string {
  return TRUST[because][language];
}

/** What to know of a plugin before trusting it. */
export function pluginWarning(warning: keyof typeof WARNINGS, language: Language): string {
  return WARNINGS[warning][language];
}
