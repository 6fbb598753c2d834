/** Texts of what the message field opens, in English. */
export const enComposer = {
  'mention.user': 'User',
  'mention.agent': 'Agent',
  'prompt.title': 'Prompts',
  'prompt.save': 'Save message as prompt',
  'prompt.save.why': 'Write a message first.',
  'prompt.saved': 'Prompt saved',
  'prompt.edit': 'Edit prompts in Notes',
  'dictation.start': 'Dictate',
  'dictation.stop': 'Stop dictation',
  'dictation.listening': 'Listening',
  'dictation.title': 'Dictate with the browser?',
  'dictation.why':
    'Speech is recognized by your browser, which may send the audio to its maker. Fucina receives only the text.',
  'dictation.denied': 'The browser does not allow the microphone for this page. Allow it in the site settings.',
  'dictation.failed': 'Dictation failed: {{code}}',
} as const;
