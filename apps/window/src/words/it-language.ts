import type { enLanguage } from './en-language.ts';

export const itLanguage: Record<keyof typeof enLanguage, string> = {
  'formatters.title': 'Formattatori',
  'formatters.why':
    'Formattano i file che l’agente modifica. Vengono eseguiti nella sandbox; non viene scaricato nulla.',
  'formatters.none':
    'Nessun formattatore trovato per questo progetto: biome e prettier in node_modules, ruff, gofmt e rustfmt nel PATH.',
  'formatters.ofProject': 'Installato in questo progetto. Attivandolo gli dai fiducia così com’è ora.',
  'formatters.ofSystem': 'Installato su questo computer.',
  'formatters.changed':
    'È cambiato da quando gli hai dato fiducia, quindi non viene eseguito. Attivandolo dai fiducia a questa versione.',
  'language.servers': 'Language server',
  'language.servers.why':
    'Trovano gli errori mentre l’agente modifica i file e li mostrano nell’editor. Girano nella sandbox, senza rete, e non possono modificare il progetto.',
  'language.servers.none':
    'Nessun language server trovato per questo progetto. Fucina usa quelli installati e non ne scarica.',
  'language.servers.unreadable': 'Impossibile leggere i tuoi language server. Quelli già noti restano attivi.',
  'language.state.stopped': 'Si avvia quando serve',
  'language.state.not-trusted': 'Non approvato: disattivato',
  'language.state.not-sandboxed': 'Non attivo: nessuna sandbox su questo computer',
  'language.state.starting': 'In avvio…',
  'language.state.ready': 'Attivo',
  'language.state.failed': 'Non riuscito',
  'language.restart': 'Riavvia',
  'language.start': 'Avvia',
  'language.start.of': 'Avvia {{name}}',
  'language.restart.of': 'Riavvia {{name}}',
  'language.trust.why': 'Viene eseguito nella sandbox: legge il progetto, non può modificarlo e non usa la rete.',
  'language.trust.title': 'Approvare il language server {{name}} di questo progetto?',
  'problems.new': 'Nuovi problemi',
  'problems.errors_one': '{{count}} errore',
  'problems.errors_other': '{{count}} errori',
  'problems.warnings_one': '{{count}} avviso',
  'problems.warnings_other': '{{count}} avvisi',
};
