import { TOOLS_EN } from './tools-en.ts';

/** Labels that the window and the terminal share, in English: calls of tools, failures of a model's call, notes, slash commands. */
export const LABELS_EN = {
  ...TOOLS_EN,
  'failure.overloaded': 'The provider is rate limiting requests.',
  'failure.provider-failure': 'The provider had an internal error.',
  'failure.credential': 'The provider rejected the key.',
  'failure.credit': 'The provider account has no credit left.',
  'failure.context-too-long': 'The conversation is longer than the model’s context window.',
  'failure.request-refused': 'The provider rejected the request.',
  'failure.network': 'Could not reach the provider.',
  'failure.PROXY_FAILED': 'The proxy refused the connection or cannot be reached.',
  'failure.CERTIFICATE_REJECTED': 'The certificate of the provider was not accepted.',
  'failure.provider-timeout': 'The provider timed out.',
  'failure.stream-interrupted': 'The response was interrupted.',
  'instructions.changed': 'Instructions for agents changed',
  'instructions.tag': 'Instructions for agents',
  'slash.help': 'Show available commands',
  'slash.compact': 'Compact the conversation now',
  'slash.status': 'Show model, permissions, folder and usage',
  'slash.context': 'Show what fills the context window',
  'slash.cost': 'Show tokens and cost of the session',
  'slash.plan': 'Turn plan mode on or off',
  'slash.undo': 'Undo the last turn: its files, its messages or both',
  'slash.redo': 'Redo what was undone',
  'slash.diff': 'Show file changes',
} as const;
