import type { enShare } from './en-share.ts';

export const itShare: Record<keyof typeof enShare, string> = {
  'import.title': 'Importa una sessione',
  'import.act': 'Importa una sessione…',
  'import.why':
    'Da un export JSON. Il modello legge ciò che vi è stato detto; modifiche ai file e impostazioni restano fuori.',
  'import.folder': 'Scegli prima una cartella.',
  'share.title': 'Esporta la sessione',
  'share.format': 'Formato',
  'share.format.page': 'Pagina web',
  'share.format.markdown': 'Markdown',
  'share.format.json': 'JSON',
  'share.json': 'Tutti gli eventi come sono memorizzati, senza rimuovere nulla.',
  'share.output': 'Output degli strumenti',
  'share.changes': 'Modifiche ai file',
  'share.reasoning': 'Ragionamento',
  'share.clean': 'Nessun segreto trovato.',
  'share.removed_one': '{{count}} segreto rimosso',
  'share.removed_other': '{{count}} segreti rimossi',
  'share.kind.private-key': 'Chiave privata',
  'share.kind.token': 'Token',
  'share.kind.password': 'Password',
  'share.kind.address': 'Credenziali in un indirizzo',
  'share.preview': 'Anteprima',
  'share.save': 'Salva il file',
};
