import type { Language } from './index.ts';

export const DETAILS: Record<string, readonly [it: string, en: string]> = {
  ready: ['Il fornitore risponde.', 'The provider answers.'],
  'key-not-checked': [
    'Il fornitore risponde; l’elenco dei modelli è pubblico, quindi la chiave non è stata provata.',
    'The provider answers; its list of models is public, so the key was not checked.',
  ],
  'key-missing': ['Manca la chiave.', 'The key is missing.'],
  'address-missing': ['Manca l’indirizzo.', 'The address is missing.'],
  'key-refused': ['Il fornitore ha rifiutato la chiave.', 'The provider refused the key.'],
  'no-answer': ['Nessuna risposta a questo indirizzo.', 'Nothing answers at this address.'],
  'not-a-provider': [
    'A questo indirizzo risponde qualcosa che non è un fornitore di modelli.',
    'Something answers at this address, but it is not a model provider.',
  ],
  'no-free-check': [
    'Questo fornitore non si può provare senza spendere: avvia una sessione.',
    'This provider cannot be tested for free: start a session to try it.',
  ],
  refused: ['Il fornitore ha rifiutato la richiesta.', 'The provider refused the request.'],
};

/** The sentence of a provider's test. */
export function probeWords(detail: string, language: Language): string {
  return DETAILS[detail]?.[language === 'it' ? 0 : 1] ?? detail;
}
