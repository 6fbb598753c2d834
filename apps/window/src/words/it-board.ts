import type { enBoard } from './en-board.ts';

export const itBoard: Record<keyof typeof enBoard, string> = {
  'board.title': 'Panoramica',
  'board.recent': 'Recenti',
  'board.none': 'Nessuna sessione nelle ultime ore',
  'board.none.why':
    'Qui compaiono le sessioni in corso, in attesa di te o appena concluse, con l’ultima riga e le modifiche.',
  'board.stop': 'Ferma {{name}}',
  'board.elapsed': 'Durata del turno in corso',
  'board.ended': 'Fine dell’ultimo turno',
  'board.files_one': '{{count}} file modificato',
  'board.files_other': '{{count}} file modificati',
  'board.cost': 'Costo della sessione',
  'board.cost.partly': 'Costo della sessione. Il prezzo di alcune chiamate non è noto.',
  'board.cost.unknown': 'Prezzo sconosciuto',
};
