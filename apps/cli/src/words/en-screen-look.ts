/** Words of what is drawn on the screen, and of the cards that wait for an answer. */
export const EN_SCREEN_LOOK = {
  'look.more-lines': '… {count} more lines',
  'look.same-line': '1 line the same',
  'look.same-lines': '{count} lines the same',
} as const;
