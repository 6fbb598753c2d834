import type { Entry, Language } from './entry.ts';

const entry = (en: Entry, it: Entry): Record<Language, Entry> => ({ en, it });

/** Why a call of an automation's webhook started nothing. */
export const HOOK_OFF: Readonly<Record<string, Record<Language, Entry>>> = {
  'hook-off': entry(
    ['Automation off', 'The automation is off, so other programs cannot start it.', 'Turn it on in Fucina.'],
    [
      'Automazione disattivata',
      'L’automazione è disattivata, quindi altri programmi non possono avviarla.',
      'Attivala in Fucina.',
    ],
  ),
};

/** Why a watch of files was not taken. */
export const WATCH_PATTERNS: Readonly<Record<string, Record<Language, Entry>>> = {
  'watch-patterns': entry(
    [
      'Patterns not valid',
      'The patterns name no files, or are more than 50 lines.',
      'Write one pattern per line, such as src/**/*.ts.',
    ],
    [
      'Pattern non validi',
      'I pattern non indicano alcun file, o superano le 50 righe.',
      'Scrivi un pattern per riga, per esempio src/**/*.ts.',
    ],
  ),
};

export const HOOK_CALLS: Readonly<Record<string, Record<Language, Entry>>> = {
  'hook-calls': entry(
    [
      'Too many calls',
      'Other programs started this automation 6 times in the last minute.',
      'Wait a minute, then call again.',
    ],
    [
      'Troppe chiamate',
      'Altri programmi hanno avviato questa automazione 6 volte nell’ultimo minuto.',
      'Aspetta un minuto, poi ripeti la chiamata.',
    ],
  ),
};
