import type { Language } from './entry.ts';

/** Said in the place of the list of tools. */
export const TOOLS_NOT_LOADED: Readonly<Record<Language, string>> = {
  it: 'Gli attrezzi dell’agente non si caricano. Il motivo è nel registro del server; di solito basta reinstallare e riavviare.',
  en: "The agent's tools cannot be loaded. The server's log says why; reinstalling and starting again is usually enough.",
};
