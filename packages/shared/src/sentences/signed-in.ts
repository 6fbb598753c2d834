import type { Language } from './entry.ts';

interface SignedInWords {
  title: string;
  explanation: string;
  action: string;
}

const WORDS: Record<Language, SignedInWords> = {
  it: {
    title: 'Accesso riuscito',
    explanation: 'La chiave è nel portachiavi di questo computer e Fucina può usarla.',
    action: 'Puoi chiudere questa pagina e tornare a Fucina.',
  },
  en: {
    title: 'Signed in',
    explanation: 'The key is in the key store of this computer and Fucina can use it.',
    action: 'You can close this page and go back to Fucina.',
  },
};

/** What a person reads in the browser after signing in. */
export function signedInWords(language: Language): SignedInWords {
  return WORDS[language];
}
