import type { SHARE_EN } from './share-en.ts';

/** Labels of a shared conversation, in Italian. */
export const SHARE_IT: Readonly<Record<keyof typeof SHARE_EN, string>> = {
  'share.user': 'Utente',
  'share.agent': 'Agente',
  'share.reasoning': 'Ragionamento',
  'share.output': 'Output',
  'share.failed': 'non riuscito',
  'share.too-large': 'Troppo grande da mostrare.',
  'share.end.stopped': 'Fermato',
  'share.end.exhausted': 'Fermato al limite di chiamate al modello',
  'share.end.interrupted': 'Interrotto',
  'share.end.failed': 'Non riuscito',
  'share.secret.private-key': 'chiave privata rimossa',
  'share.secret.token': 'token rimosso',
  'share.secret.password': 'password rimossa',
  'share.secret.address': 'credenziali rimosse',
};
