import type { Language } from './entry.ts';

type Words<Key extends string> = Readonly<Record<Key, Readonly<Record<Language, string>>>>;

const TRUST: Words<'never' | 'changed' | 'too-large'> = {
  never: { it: 'Non è ancora stato approvato.', en: 'Not trusted yet.' },
  changed: {
    it: 'È cambiato dopo l’approvazione: rivedilo e approvalo di nuovo.',
    en: 'Changed since it was trusted: review it and trust it again.',
  },
  'too-large': {
    it: 'È troppo grande per essere controllato per intero, quindi non si può approvare.',
    en: 'Too large to review completely, so it cannot be trusted.',
  },
};

const WARNINGS: Words<'delete-root' | 'download-and-run' | 'send-credentials' | 'reverse-shell'> = {
  'delete-root': { it: 'Elimina un’intera cartella dalla radice.', en: 'Deletes a whole folder tree from the root.' },
  'download-and-run': {
    it: 'Scarica codice da Internet e lo esegue.',
    en: 'Downloads code from the internet and runs it.',
  },
  'send-credentials': {
    it: 'Può inviare in rete chiavi o password.',
    en: 'May send keys or passwords over the network.',
  },
  'reverse-shell': {
    it: 'Apre una shell verso un altro computer.',
    en: 'Opens a shell to another computer.',
  },
};

/** Why a plugin is not trusted. */
export function pluginTrust(because: keyof typeof TRUST, language: Language): string {
  return TRUST[because][language];
}

/** A warning to show before the user trusts a plugin. */
export function pluginWarning(warning: keyof typeof WARNINGS, language: Language): string {
  return WARNINGS[warning][language];
}
