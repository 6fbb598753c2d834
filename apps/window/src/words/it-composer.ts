/** Texts of what the message field opens, in Italian. */
export const itComposer = {
  'mention.user': 'Utente',
  'mention.agent': 'Agente',
  'prompt.title': 'Prompt',
  'prompt.save': 'Salva il messaggio come prompt',
  'prompt.save.why': 'Prima scrivi un messaggio.',
  'prompt.saved': 'Prompt salvato',
  'prompt.edit': 'Modifica i prompt nelle Note',
  'dictation.start': 'Detta',
  'dictation.stop': 'Interrompi la dettatura',
  'dictation.listening': 'In ascolto',
  'dictation.title': 'Dettare con il browser?',
  'dictation.why':
    'Il parlato è riconosciuto dal browser, che può inviare l’audio al suo produttore. Fucina riceve solo il testo.',
  'dictation.denied': 'Il browser non consente il microfono a questa pagina. Consentilo nelle impostazioni del sito.',
  'dictation.failed': 'Dettatura non riuscita: {{code}}',
};
