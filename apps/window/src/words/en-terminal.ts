/** The words of terminals. */
export const enTerminal = {
  'terminal.tabs': 'Terminals',
  'terminal.name': 'Terminal {{number}}',
  'terminal.new': 'New terminal',
  'terminal.close': 'Close (Delete)',
  'terminal.type': 'Terminal input',
  'terminal.none': 'No terminal is open',
  'terminal.none.why':
    'A terminal is a shell of yours in the folder of this session. The agent neither sees nor uses it.',
  'terminal.lost': 'The server does not answer. Your terminal comes back as soon as it does.',
  'terminal.closed': 'This terminal was closed.',
  'terminal.unavailable': 'Terminals do not work on this computer: the part that runs shells cannot be loaded.',
  'terminal.exited': 'The shell ended with code {{code}}.',
  'terminal.noShell': 'No shell could be started: the folder of the session may be gone.',
  'terminal.again': 'Start again',
  'terminal.isNew': 'The server was restarted: this is a new shell.',
  'terminal.link': 'Open this address?',
  'terminal.link.open': 'Open',
  'terminal.leave': '{{keys}} leaves the terminal',
} as const;
