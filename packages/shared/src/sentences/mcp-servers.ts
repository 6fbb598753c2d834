import type { Entry, Language } from './entry.ts';

const entry = (en: Entry, it: Entry): Record<Language, Entry> => ({ en, it });

/** Why an MCP server was not saved, trusted or imported. */
export const MCP_REASONS: Readonly<Record<string, Record<Language, Entry>>> = {
  definition: entry(
    [
      'Invalid MCP server',
      'A field of this MCP server is not valid.',
      'Check the command or the address (https, or http on this computer), the variables and the headers.',
    ],
    [
      'Server MCP non valido',
      'Un campo di questo server MCP non è valido.',
      'Controlla il comando o l’indirizzo (https, oppure http su questo computer), le variabili e gli header.',
    ],
  ),
  exists: entry(
    [
      'Name already in use',
      'There is already an MCP server with this name.',
      'Choose another name, or edit that server.',
    ],
    ['Nome già in uso', 'Esiste già un server MCP con questo nome.', 'Scegli un altro nome o modifica quel server.'],
  ),
  'secret-for-other-address': entry(
    [
      'Secret needed again',
      'The address changed, and a secret is only sent to the address it was entered for.',
      'Enter the secret again.',
    ],
    [
      'Segreto da reinserire',
      'L’indirizzo è cambiato, e un segreto viene inviato solo all’indirizzo per cui è stato inserito.',
      'Inserisci di nuovo il segreto.',
    ],
  ),
  'declared-by-file': entry(
    [
      'Server of the project',
      'This MCP server is declared in .svc/mcp.json of the project.',
      'Turn it off here, or remove it from the file.',
    ],
    [
      'Server del progetto',
      'Questo server MCP è dichiarato in .svc/mcp.json del progetto.',
      'Disattivalo qui, o rimuovilo dal file.',
    ],
  ),
  'program-not-found': entry(
    [
      'Program not found',
      'The program of this MCP server was not found on this computer.',
      'Install it, or enter its full path.',
    ],
    [
      'Programma non trovato',
      'Il programma di questo server MCP non è stato trovato su questo computer.',
      'Installalo, o inserisci il percorso completo.',
    ],
  ),
  'secret-missing': entry(
    ['Secret missing', 'This MCP server uses a secret that was not entered.', 'Edit the server and enter it.'],
    [
      'Segreto mancante',
      'Questo server MCP usa un segreto che non è stato inserito.',
      'Modifica il server e inseriscilo.',
    ],
  ),
  'variable-missing': entry(
    [
      'Environment variable not set',
      'This MCP server uses an environment variable that Fucina does not have.',
      'Set it before starting Fucina, or enter its value in the server.',
    ],
    [
      'Variabile d’ambiente non impostata',
      'Questo server MCP usa una variabile d’ambiente che Fucina non ha.',
      'Impostala prima di avviare Fucina, o inserisci il valore nel server.',
    ],
  ),
  changed: entry(
    [
      'Configuration changed',
      'The configuration changed after it was shown, so nothing was imported.',
      'Look at it again and repeat the import.',
    ],
    [
      'Configurazione cambiata',
      'La configurazione è cambiata dopo l’anteprima, quindi non è stato importato nulla.',
      'Ricontrollala e ripeti l’importazione.',
    ],
  ),
  text: entry(
    [
      'Text not readable',
      'This text is not valid JSON or TOML.',
      'Paste the whole configuration, with all its brackets.',
    ],
    [
      'Testo non leggibile',
      'Questo testo non è JSON o TOML valido.',
      'Incolla l’intera configurazione, con tutte le parentesi.',
    ],
  ),
  'no-servers': entry(
    ['No servers in this text', 'No MCP servers were found in this text.', 'Paste an object with mcpServers.'],
    ['Nessun server nel testo', 'In questo testo non ci sono server MCP.', 'Incolla un oggetto con mcpServers.'],
  ),
  'no-sign-in': entry(
    ['No sign-in', 'This MCP server does not ask for a sign-in.', 'Connect it, or check its address and its headers.'],
    [
      'Nessun accesso',
      'Questo server MCP non chiede un accesso.',
      'Connettilo, oppure controlla l’indirizzo e gli header.',
    ],
  ),
};

/** Why a sign-in at an MCP server failed. */
export const MCP_SIGN_IN_REASONS = {
  rejected: entry(
    ['Sign-in failed', 'The MCP server did not accept the sign-in.', 'Sign in again. The log of the server says more.'],
    [
      'Accesso non riuscito',
      'Il server MCP non ha accettato l’accesso.',
      'Ripeti l’accesso. Il registro del server dice di più.',
    ],
  ),
  denied: entry(
    ['Access denied', 'Access was denied on the sign-in page.', 'Sign in again and allow access.'],
    ['Accesso negato', 'L’accesso è stato negato nella pagina di accesso.', 'Ripeti l’accesso e consentilo.'],
  ),
  registration: entry(
    [
      'Client ID needed',
      'This MCP server does not accept new programs by itself.',
      'Register Fucina there, then edit the server and enter the client ID.',
    ],
    [
      'Serve un client ID',
      'Questo server MCP non accetta da sé nuovi programmi.',
      'Registra lì Fucina, poi modifica il server e inserisci il client ID.',
    ],
  ),
  unreachable: entry(
    [
      'Sign-in server unreachable',
      'The sign-in of this MCP server cannot be reached.',
      'Check the network and sign in again.',
    ],
    [
      'Server di accesso irraggiungibile',
      'L’accesso di questo server MCP non è raggiungibile.',
      'Controlla la rete e ripeti l’accesso.',
    ],
  ),
  'key-store': entry(
    [
      'Key store not available',
      'A sign-in is kept in the key store, which is not available or locked.',
      'Unlock the key store and sign in again.',
    ],
    [
      'Portachiavi non disponibile',
      'Un accesso si conserva nel portachiavi, che non è disponibile o è bloccato.',
      'Sblocca il portachiavi e ripeti l’accesso.',
    ],
  ),
  response: entry(
    [
      'Unexpected sign-in response',
      'The sign-in of this MCP server did not work as specified.',
      'The log of the server says more.',
    ],
    [
      'Risposta di accesso inattesa',
      'L’accesso di questo server MCP non ha funzionato come previsto.',
      'Il registro del server dice di più.',
    ],
  ),
};
