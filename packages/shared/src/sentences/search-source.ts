import type { Language } from './entry.ts';

export const NOTES: Record<string, readonly [it: string, en: string]> = {
  duckduckgo: [
    'Senza chiave. Può limitare le richieste dopo molte ricerche.',
    'No key. May limit requests after many searches.',
  ],
  tavily: ['Pensato per gli agenti. Serve una chiave.', 'Built for agents. Needs a key.'],
  brave: ['Ha un indice proprio. Serve una chiave.', 'Has its own index. Needs a key.'],
  searxng: [
    'Un’istanza SearXNG tua o di cui ti fidi. Il formato JSON deve essere attivo.',
    'A SearXNG instance that you run or trust. Its JSON format must be enabled.',
  ],
  custom: [
    'Un indirizzo che restituisce JSON; {query} indica dove va il testo cercato. La chiave è facoltativa.',
    'An address that returns JSON; {query} marks where the search text goes. The key is optional.',
  ],
};

/** What the user should know before choosing a search source. */
export function searchSourceNote(id: string, language: Language): string {
  return NOTES[id]?.[language === 'it' ? 0 : 1] ?? '';
}
