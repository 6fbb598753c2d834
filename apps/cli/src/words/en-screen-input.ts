/** Words of the composer, the pickers and the slash commands. */
export const EN_SCREEN_INPUT = {
  'config.keymap-action': '{file}: ui.keymap has no action {action}; the default keys stay',
  'config.keymap-key': '{file}: {key} is no key for {action}: write it like ctrl+shift+z, alt+/ or pageup',
  'composer.placeholder': 'Say what to do · / commands · @ files · ! shell · ? help',
  'composer.pasted': 'pasted {lines} lines',
  'composer.no-picture': 'There is no picture on the clipboard that can be read here.',
  'composer.editor-failed':
    'The editor ended with an error; the text is as it was. Set VISUAL or EDITOR to choose another.',
  'composer.shell': 'shell command',
  'composer.search': 'search',
  'composer.search-keys': 'Enter takes it · Ctrl+R older · Esc back',
  'composer.search-none': 'Nothing like it was said before.',
  'vim.insert': 'INSERT',
  'vim.normal': 'NORMAL',
  'vim.visual': 'VISUAL',
  'vim.visual-line': 'VISUAL LINE',
};
