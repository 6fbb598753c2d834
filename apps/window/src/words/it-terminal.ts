/** Le parole dei terminali. */
export const itTerminal = {
  'terminal.tabs': 'Terminali',
  'terminal.name': 'Terminale {{number}}',
  'terminal.new': 'Nuovo terminale',
  'terminal.close': 'Chiudi (Canc)',
  'terminal.type': 'Scrittura nel terminale',
  'terminal.none': 'Nessun terminale aperto',
  'terminal.none.why':
    'Un terminale è una tua shell nella cartella di questa sessione. L’agente non la vede e non la usa.',
  'terminal.lost': 'Il server non risponde. Il terminale torna appena risponde.',
  'terminal.closed': 'Questo terminale è stato chiuso.',
  'terminal.unavailable': 'I terminali non funzionano su questo computer: la parte che avvia le shell non si carica.',
  'terminal.exited': 'La shell è terminata con codice {{code}}.',
  'terminal.noShell': 'Nessuna shell si è avviata: forse la cartella della sessione non c’è più.',
  'terminal.again': 'Riavvia',
  'terminal.isNew': 'Il server è stato riavviato: questa è una shell nuova.',
  'terminal.link': 'Aprire questo indirizzo?',
  'terminal.link.open': 'Apri',
  'terminal.leave': '{{keys}} esce dal terminale',
} as const;
