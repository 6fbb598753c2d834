/** The board of sessions. */
export const enBoard = {
  'board.title': 'Board',
  'board.recent': 'Recent',
  'board.none': 'No sessions in the last hours',
  'board.none.why': 'Sessions that run, wait for you or ended recently appear here, with their last line and changes.',
  'board.stop': 'Stop {{name}}',
  'board.elapsed': 'Time of the current turn',
  'board.ended': 'End of the last turn',
  'board.files_one': '{{count}} file changed',
  'board.files_other': '{{count}} files changed',
  'board.cost': 'Cost of the session',
  'board.cost.partly': 'Cost of the session. The price of some calls is unknown.',
  'board.cost.unknown': 'Price unknown',
} as const;
