import type { Language } from './entry.ts';

interface SignedInWords {
  title: string;
  explanation: string;
  action: string;
}

const WORDS: Record<Language, SignedInWords> = {
  it: {
    title: 'Accesso riuscito',
    explanation: 'La chiave è salvata nel portachiavi di questo computer.',
    action: 'Puoi chiudere questa pagina e tornare a Fucina.',
  },
  en: {
    title: 'Signed in',
    explanation: 'The key is saved in this computer’s key store.',
    action: 'You can close this page and return to Fucina.',
  },
};

/** Shown in the browser after signing in. */
export function signedInWords(language: Language): SignedInWords {
  return WORDS[language];
}

const MCP_WORDS: Record<Language, SignedInWords> = {
  it: { ...WORDS.it, explanation: 'L’accesso al server MCP è salvato nel portachiavi di questo computer.' },
  en: { ...WORDS.en, explanation: 'The sign-in at the MCP server is saved in this computer’s key store.' },
};

/** The same after signing in at an MCP server. */
export function mcpSignedInWords(language: Language): SignedInWords {
  return MCP_WORDS[language];
}
