import type { Language } from './entry.ts';

export const PROBE_DETAILS: Record<string, readonly [it: string, en: string]> = {
  ready: ['Il provider risponde.', 'The provider responds.'],
  'key-not-checked': [
    'Il provider risponde; l’elenco dei modelli è pubblico, quindi la chiave non è stata verificata.',
    'The provider responds. Its model list is public, so the key was not checked.',
  ],
  'key-missing': ['Manca la chiave.', 'The key is missing.'],
  'address-missing': ['Manca l’indirizzo.', 'The address is missing.'],
  'key-refused': ['Il provider ha rifiutato la chiave.', 'The provider refused the key.'],
  'no-answer': ['Nessuna risposta da questo indirizzo.', 'No response from this address.'],
  'not-a-provider': [
    'Il servizio a questo indirizzo non è un provider di modelli.',
    'The service at this address is not a model provider.',
  ],
  'no-free-check': [
    'Questo provider non si può provare gratis: avvia una sessione.',
    'This provider cannot be tested for free: start a session to try it.',
  ],
  refused: ['Il provider ha rifiutato la richiesta.', 'The provider refused the request.'],
  'agent-missing': [
    'Nessun agente esterno configurato: indica il comando che lo avvia.',
    'No external agent is configured: enter the command that starts it.',
  ],
  'agent-ready': ['L’agente risponde e ha effettuato l’accesso.', 'The agent responds and is signed in.'],
  'agent-sign-in': [
    'L’agente risponde ma richiede l’accesso: avvialo in un terminale e accedi da lì.',
    'The agent responds but requires sign-in: start it in a terminal and sign in there.',
  ],
  'agent-not-started': [
    'Il programma dell’agente non si avvia o non risponde: prova il comando in un terminale.',
    'The agent’s program does not start or does not respond: try its command in a terminal.',
  ],
  'agent-refused': [
    'L’agente risponde ma rifiuta di aprire una sessione.',
    'The agent responds but refuses to open a session.',
  ],
};

/** The sentence for the result of a provider's test; `about` is the name and version of an external agent that answered. */
export function probeWords(detail: string, language: Language, about?: string): string {
  const sentence = PROBE_DETAILS[detail]?.[language === 'it' ? 0 : 1] ?? detail;
  return about ? `${about}: ${sentence}` : sentence;
}
