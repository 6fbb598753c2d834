/** Words of the composer, the pickers and the slash commands. */
export const EN_SCREEN_INPUT = {
  'config.keymap-action': '{file}: ui.keymap has no action {action}; the default keys stay',
  'config.keymap-key': '{file}: {key} is no key for {action}: write it like ctrl+shift+z, alt+/ or pageup',
};
