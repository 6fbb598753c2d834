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
};
