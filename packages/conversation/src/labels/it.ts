import type { LABELS_EN } from './en.ts';
import { TOOLS_IT } from './tools-it.ts';

export const LABELS_IT: Record<keyof typeof LABELS_EN, string> = {
  ...TOOLS_IT,
  'failure.overloaded': 'Il provider sta limitando le richieste.',
  'failure.provider-failure': 'Il provider ha avuto un errore interno.',
  'failure.credential': 'Il provider ha rifiutato la chiave.',
  'failure.credit': 'L’account presso il provider non ha più credito.',
  'failure.context-too-long': 'La conversazione supera la finestra di contesto del modello.',
  'failure.request-refused': 'Il provider ha rifiutato la richiesta.',
  'failure.network': 'Impossibile raggiungere il provider.',
  'failure.PROXY_FAILED': 'Il proxy ha rifiutato la connessione o non è raggiungibile.',
  'failure.CERTIFICATE_REJECTED': 'Il certificato del provider non è stato accettato.',
  'failure.provider-timeout': 'Il provider non ha risposto in tempo.',
  'failure.stream-interrupted': 'La risposta si è interrotta.',
  'instructions.changed': 'Istruzioni per gli agenti modificate',
  'instructions.tag': 'Istruzioni per gli agenti',
  'slash.help': 'Mostra i comandi disponibili',
  'slash.compact': 'Compatta ora la conversazione',
  'slash.status': 'Mostra modello, permessi, cartella e consumo',
  'slash.context': 'Mostra cosa riempie la finestra di contesto',
  'slash.cost': 'Mostra token e costo della sessione',
  'slash.plan': 'Attiva o disattiva la modalità piano',
  'slash.undo': 'Annulla l’ultimo turno: i file, i messaggi o entrambi',
  'slash.redo': 'Ripete ciò che è stato annullato',
  'slash.diff': 'Mostra le modifiche ai file',
};
