/** Texts of terminals, in Italian. */
export const itTerminal = {
  'terminal.tabs': 'Terminali',
  'terminal.name': 'Terminale {{number}}',
  'terminal.new': 'Nuovo terminale',
  'terminal.close': 'Chiudi (Canc)',
  'terminal.type': 'Input del terminale',
  'terminal.none': 'Nessun terminale aperto',
  'terminal.none.why':
    'Un terminale è una tua shell nella cartella della sessione. L’agente non può vederla né usarla.',
  'terminal.lost': 'Il server non risponde. Il terminale si ricollega quando il server torna.',
  'terminal.closed': 'Questo terminale è stato chiuso.',
  'terminal.unavailable':
    'I terminali non sono disponibili su questo computer: impossibile caricare la libreria del terminale.',
  'terminal.exited': 'La shell è uscita con codice {{code}}.',
  'terminal.noShell': 'Impossibile avviare una shell: la cartella della sessione potrebbe essere stata eliminata.',
  'terminal.again': 'Riavvia',
  'terminal.isNew': 'Il server è stato riavviato. Questa è una nuova shell.',
  'terminal.link': 'Aprire questo link?',
  'terminal.link.open': 'Apri',
  'terminal.leave': '{{keys}} per uscire dal terminale',
} as const;
