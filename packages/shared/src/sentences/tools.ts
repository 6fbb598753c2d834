import type { Language } from './entry.ts';

/** Shown in place of the list of tools. */
export const TOOLS_NOT_LOADED: Readonly<Record<Language, string>> = {
  it: 'Impossibile caricare gli strumenti dell’agente. Il motivo è nel log del server; di solito basta reinstallare e riavviare Fucina.',
  en: "Could not load the agent's tools. See the server log for the reason; reinstalling and restarting Fucina usually fixes it.",
};
