import type { enNotifications } from './en-notifications.ts';

export const itNotifications: Record<keyof typeof enNotifications, string> = {
  'inbox.title': 'Inbox',
  'inbox.none': 'Nessuna richiesta in attesa',
  'inbox.none.why':
    'Qui compaiono approvazioni, domande e piani di tutte le sessioni. Puoi rispondere senza aprire la sessione.',
  'inbox.elicitation': 'Un server MCP chiede qualcosa. Rispondi nella sessione.',
  'notify.elicitation': 'Un server MCP chiede qualcosa',
  'notify.approval': 'Attende la tua approvazione',
  'notify.question': 'Ha una domanda per te',
  'notify.plan': 'Piano pronto da rivedere',
  'notify.finished': 'Terminata',
  'notify.failed': 'Non riuscita',
  'notify.on': 'Mostra notifiche',
  'notify.on.why': 'Quando la finestra è in secondo piano, per le sessioni non silenziate.',
  'notify.blocked':
    'Il browser blocca le notifiche di questa pagina. Consentile nelle impostazioni del sito, poi riprova.',
  'notify.unsupported':
    'Questo browser non mostra notifiche per questo indirizzo. Apri Fucina su 127.0.0.1 o localhost.',
  'notify.kinds': 'Avvisami quando una sessione',
  'notify.kind.waiting': 'attende me',
  'notify.kind.finished': 'termina',
  'notify.kind.failed': 'non riesce',
  'notify.sound': 'Riproduci un suono',
  'notify.quiet': 'Non disturbare',
  'notify.quiet.why': 'Nessuna notifica tra questi orari.',
  'notify.from': 'Dalle',
  'notify.to': 'Alle',
  'notify.test': 'Invia una notifica di prova',
  'notify.test.title': 'Fucina',
  'notify.test.body': 'Le notifiche funzionano.',
};
