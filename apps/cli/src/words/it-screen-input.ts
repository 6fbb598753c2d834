import type { EN_SCREEN_INPUT } from './en-screen-input.ts';

export const IT_SCREEN_INPUT: Record<keyof typeof EN_SCREEN_INPUT, string> = {
  'config.keymap-action': '{file}: ui.keymap non ha un’azione {action}; restano i tasti predefiniti',
  'config.keymap-key': '{file}: {key} non è un tasto per {action}: scrivilo come ctrl+shift+z, alt+/ o pageup',
  'composer.placeholder': 'Di’ cosa fare · / comandi · @ file · ! shell · ? aiuto',
  'composer.pasted': '{lines} righe incollate',
  'composer.no-picture': 'Negli appunti non c’è un’immagine che si possa leggere da qui.',
  'composer.editor-failed':
    'L’editor è finito con un errore; il testo è rimasto com’era. Con VISUAL o EDITOR se ne sceglie un altro.',
  'composer.shell': 'comando della shell',
  'composer.search': 'cerca',
  'composer.search-keys': 'Invio la prende · Ctrl+R più indietro · Esc torna',
  'composer.search-none': 'Niente di simile è stato detto prima.',
  'vim.insert': 'INSERIMENTO',
  'vim.normal': 'NORMALE',
  'vim.visual': 'VISUALE',
  'vim.visual-line': 'VISUALE A RIGHE',
};
