import type { EN_TRACE } from './en-trace.ts';

export const IT_TRACE: Record<keyof typeof EN_TRACE, string> = {
  'help.sessions-trace': 'come un turno ha usato il suo tempo: modello, strumenti, attese, sotto-agenti',
  'help.sessions-turn': 'numero del turno, da 1 (predefinito: l’ultimo)',
  'trace.no-turn': 'la sessione non ha questo turno',
  'trace.none': 'Tempi non disponibili per questo turno.',
  'trace.model': 'in attesa del modello',
  'trace.wait': 'in attesa di te',
  'trace.retry': 'attesa prima di riprovare',
  'trace.compaction': 'compattazione',
  'trace.waited': 'in attesa di te per {time}',
  'trace.more': 'altri {count} passi',
  'trace.running': 'in corso',
  'trace.done': 'finito',
  'trace.failed': 'fallito',
  'trace.stopped': 'fermato',
  'trace.exhausted': 'limite di chiamate al modello raggiunto',
  'trace.interrupted': 'interrotto',
};
