import type { EN_SCREEN_INPUT } from './en-screen-input.ts';

export const IT_SCREEN_INPUT: Record<keyof typeof EN_SCREEN_INPUT, string> = {
  'config.keymap-action': '{file}: ui.keymap non ha un’azione {action}; restano i tasti predefiniti',
  'config.keymap-key': '{file}: {key} non è un tasto per {action}: scrivilo come ctrl+shift+z, alt+/ o pageup',
};
