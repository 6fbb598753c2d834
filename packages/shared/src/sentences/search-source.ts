import type { Language } from './entry.ts';

export const NOTES: Record<string, readonly [it: string, en: string]> = {
  duckduckgo: [
    'Senza chiave. Può fermarsi per qualche tempo dopo molte ricerche.',
    'No key. It may stop answering for a while after many searches.',
  ],
  tavily: ['Pensata per gli agenti. Serve una chiave.', 'Made for agents. Needs a key.'],
  brave: ['Un indice proprio. Serve una chiave.', 'An index of its own. Needs a key.'],
  searxng: [
    'Un SearXNG tuo o di chi conosci; il formato JSON deve essere attivo.',
    'A SearXNG of your own or of someone you know; its JSON format must be on.',
  ],
  custom: [
    'Un indirizzo che risponde JSON; {query} segna dove vanno le parole. La chiave è facoltativa.',
    'An address that answers JSON; {query} marks where the words go. The key is optional.',
  ],
};

/** What a person should know before choosing a search source. */
export function searchSourceNote(id: string, language: Language): string {
  return NOTES[id]?.[language === 'it' ? 0 : 1] ?? '';
}
