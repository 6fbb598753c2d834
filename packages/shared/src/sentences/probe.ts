import type { Language } from './entry.ts';

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
  'agent-missing': [
    'Nessun agente esterno configurato: indica il comando che lo avvia.',
    'No external agent is configured: enter the command that starts it.',
  ],
  'agent-ready': ['L’agente risponde e ha effettuato l’accesso.', 'The agent answers and is signed in.'],
  'agent-sign-in': [
    'L’agente risponde ma chiede l’accesso: avvialo in un terminale e accedi da lì.',
    'The agent answers but asks to sign in: start it in a terminal and sign in there.',
  ],
  'agent-not-started': [
    'Il programma dell’agente non si avvia o non risponde: prova il comando in un terminale.',
    'The agent’s program does not start or does not answer: try its command in a terminal.',
  ],
  'agent-refused': [
    'L’agente risponde ma rifiuta di aprire una conversazione.',
    'The agent answers but refuses to open a conversation.',
  ],
};

/** The sentence of a provider's test; `about` is the name and version of an external agent that answered. */
export function probeWords(detail: string, language: Language, about?: string): string {
  const sentence = DETAILS[detail]?.[language === 'it' ? 0 : 1] ?? detail;
  return about ? `${about}: ${sentence}` : sentence;
}
