import type { Language } from './entry.ts';

export const PROBE_DETAILS: Record<string, readonly [it: string, en: string]> = {
  ready: ['Il provider risponde.', 'The provider responds.'],
  'key-not-checked': [
    'Il provider risponde; l’elenco dei modelli è pubblico, quindi la chiave non è stata verificata.',
    'The provider responds. Its model list is public, so the key was not checked.',
  ],
  'key-missing': ['Manca la chiave.', 'The key is missing.'],
  'address-missing': ['Manca l’indirizzo.', 'The address is missing.'],
  'key-refused': ['Il provider ha rifiutato la chiave.', 'The provider refused the key.'],
  'no-answer': ['Nessuna risposta da questo indirizzo.', 'No response from this address.'],
  'proxy-sign-in': [
    'Il proxy richiede nome utente e password: aggiungili al suo indirizzo.',
    'The proxy requires a user name and a password: add them to its address.',
  ],
  'proxy-refused': ['Il proxy ha rifiutato la connessione.', 'The proxy refused the connection.'],
  'proxy-unreachable': ['Il proxy non è raggiungibile.', 'The proxy cannot be reached.'],
  'proxy-not-usable': [
    'La variabile non contiene l’indirizzo http o https di un proxy.',
    'The variable does not contain the http or https address of a proxy.',
  ],
  certificate: ['Il certificato non è stato accettato.', 'The certificate was not accepted.'],
  'certificate-issuer': [
    'L’emittente del certificato è sconosciuto: imposta NODE_EXTRA_CA_CERTS sul file del suo certificato e riavvia Fucina.',
    'The issuer of the certificate is unknown: set NODE_EXTRA_CA_CERTS to the file with its certificate and restart Fucina.',
  ],
  'certificate-expired': [
    'Il certificato è scaduto o non ancora valido: controlla la data di questo computer.',
    'The certificate has expired or is not valid yet: check the date of this computer.',
  ],
  'certificate-name': [
    'Il certificato è di un altro nome di host: controlla l’indirizzo.',
    'The certificate belongs to another host name: check the address.',
  ],
  'client-not-usable': [
    'FUCINA_CLIENT_CERT e FUCINA_CLIENT_KEY non sono i file PEM di un certificato e della sua chiave.',
    'FUCINA_CLIENT_CERT and FUCINA_CLIENT_KEY are not the PEM files of a certificate and its key.',
  ],
  'not-a-provider': [
    'Il servizio a questo indirizzo non è un provider di modelli.',
    'The service at this address is not a model provider.',
  ],
  'no-free-check': [
    'Questo provider non si può provare gratis: avvia una sessione.',
    'This provider cannot be tested for free: start a session to try it.',
  ],
  refused: ['Il provider ha rifiutato la richiesta.', 'The provider refused the request.'],
  'agent-missing': [
    'Nessun agente esterno configurato: indica il comando che lo avvia.',
    'No external agent is configured: enter the command that starts it.',
  ],
  'agent-ready': ['L’agente risponde e ha effettuato l’accesso.', 'The agent responds and is signed in.'],
  'agent-sign-in': [
    'L’agente risponde ma richiede l’accesso: avvialo in un terminale e accedi da lì.',
    'The agent responds but requires sign-in: start it in a terminal and sign in there.',
  ],
  'agent-not-started': [
    'Il programma dell’agente non si avvia o non risponde: prova il comando in un terminale.',
    'The agent’s program does not start or does not respond: try its command in a terminal.',
  ],
  'agent-refused': [
    'L’agente risponde ma rifiuta di aprire una sessione.',
    'The agent responds but refuses to open a session.',
  ],
};

/** The sentence for the result of a provider's test; `about` is whom it concerns: the external agent that answered, the proxy, the host. */
export function probeWords(detail: string, language: Language, about?: string): string {
  const sentence = PROBE_DETAILS[detail]?.[language === 'it' ? 0 : 1] ?? detail;
  return about ? `${about}: ${sentence}` : sentence;
}
