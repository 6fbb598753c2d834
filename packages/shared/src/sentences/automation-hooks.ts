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
