import type { enShare } from './en-share.ts';

export const itShare: Record<keyof typeof enShare, string> = {
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
