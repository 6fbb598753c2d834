import type { Entry, Language } from './entry.ts';

type Reasons = Readonly<Record<string, Record<Language, Entry>>>;

const entry = (en: Entry, it: Entry): Record<Language, Entry> => ({ en, it });

/** Why a hook was not saved, trusted or removed. */
export const HOOK_REASONS: Reasons = {
  definition: entry(
    [
      'Invalid hook',
      'A field of this hook is not valid.',
      'Check the name, the events, the command (one line), the tools and the time limit (1 to 600 seconds).',
    ],
    [
      'Hook non valido',
      'Un campo di questo hook non è valido.',
      'Controlla il nome, gli eventi, il comando (una riga), gli strumenti e il limite di tempo (da 1 a 600 secondi).',
    ],
  ),
  exists: entry(
    ['Name already in use', 'There is already a hook with this name.', 'Choose another name, or edit that hook.'],
    ['Nome già in uso', 'Esiste già un hook con questo nome.', 'Scegli un altro nome o modifica quell’hook.'],
  ),
  program: entry(
    [
      'Program cannot be run',
      'The program of this hook is not on this computer, or a hook of a project may not run it (only node and echo).',
      'Check the first word of the command.',
    ],
    [
      'Programma non eseguibile',
      'Il programma di questo hook non è su questo computer, o un hook del progetto non può eseguirlo (solo node ed echo).',
      'Controlla la prima parola del comando.',
    ],
  ),
  'declared-by-file': entry(
    [
      'Hook of the project',
      'This hook is in `.svc/hooks.json` of the project, which Fucina does not change.',
      'Edit that file, or turn the hook off.',
    ],
    [
      'Hook del progetto',
      'Questo hook è in `.svc/hooks.json` del progetto, che Fucina non modifica.',
      'Modifica quel file o disattiva l’hook.',
    ],
  ),
};

/** Why a plugin was not added, removed or trusted. */
export const PLUGIN_REASONS: Reasons = {
  folder: entry(
    [
      'Folder not usable',
      'There is no folder at this path, or it cannot be read.',
      'Enter the absolute path of the plugin’s folder.',
    ],
    [
      'Cartella non utilizzabile',
      'A questo percorso non c’è una cartella, o non si può leggere.',
      'Inserisci il percorso assoluto della cartella del plugin.',
    ],
  ),
  manifest: entry(
    [
      'No valid plugin',
      'The folder has no valid `plugin.json`.',
      'Choose the folder that contains it, or correct that file.',
    ],
    [
      'Nessun plugin valido',
      'La cartella non ha un `plugin.json` valido.',
      'Scegli la cartella che lo contiene o correggi quel file.',
    ],
  ),
  'too-large': entry(
    [
      'Plugin too large',
      'A plugin has at most 2,000 files and 50 MiB, so that all of it can be checked before each use.',
      'Remove what it does not need.',
    ],
    [
      'Plugin troppo grande',
      'Un plugin ha al massimo 2.000 file e 50 MiB, così che si possa controllare tutto prima di ogni uso.',
      'Togli ciò che non gli serve.',
    ],
  ),
  exists: entry(
    ['Plugin already added', 'There is already a plugin with this folder name.', 'Remove that one first.'],
    ['Plugin già aggiunto', 'Esiste già un plugin con questo nome di cartella.', 'Rimuovi prima quello.'],
  ),
  changed: entry(
    ['Plugin changed', 'The folder changed after its contents were shown.', 'Review it again.'],
    ['Plugin cambiato', 'La cartella è cambiata dopo che il contenuto è stato mostrato.', 'Rivedilo di nuovo.'],
  ),
  'declared-by-project': entry(
    [
      'Plugin of the project',
      'This plugin is in `.svc/plugins` of the project, which Fucina does not change.',
      'Delete its folder there, or turn the plugin off.',
    ],
    [
      'Plugin del progetto',
      'Questo plugin è in `.svc/plugins` del progetto, che Fucina non modifica.',
      'Elimina lì la sua cartella o disattiva il plugin.',
    ],
  ),
};

/** Why a skill was not written. */
export const SKILL_QUERY_REASONS: Reasons = {
  skill: entry(
    [
      'Invalid skill',
      'The name or the description of this skill is not valid.',
      'Enter both: a name of at most 64 characters, a description of at most 1,024.',
    ],
    [
      'Skill non valida',
      'Il nome o la descrizione di questa skill non è valido.',
      'Inserisci entrambi: un nome di al massimo 64 caratteri, una descrizione di al massimo 1.024.',
    ],
  ),
  'skill-id': entry(
    [
      'Invalid folder name',
      'This cannot be the name of a skill’s folder.',
      'Use letters, digits, dots, hyphens and underscores.',
    ],
    [
      'Nome della cartella non valido',
      'Questo non può essere il nome della cartella di una skill.',
      'Usa lettere, cifre, punti, trattini e trattini bassi.',
    ],
  ),
  'extension-place': entry(
    ['Project missing', 'This request is about one project, and names none.', 'Choose a project.'],
    ['Progetto mancante', 'Questa richiesta riguarda un progetto e non ne indica nessuno.', 'Scegli un progetto.'],
  ),
};

export const SKILL_EXISTS: Reasons = {
  skill: entry(
    [
      'Skill already exists',
      'There is already a skill with this folder name.',
      'Choose another name, or edit that skill.',
    ],
    [
      'Skill già esistente',
      'Esiste già una skill con questo nome di cartella.',
      'Scegli un altro nome o modifica quella skill.',
    ],
  ),
};

export const SKILL_TOO_LARGE: Reasons = {
  skill: entry(
    ['Skill too long', 'A skill’s text is limited to 64 KiB.', 'Put the details into files beside it.'],
    ['Skill troppo lunga', 'Il testo di una skill è limitato a 64 KiB.', 'Metti i dettagli in file accanto.'],
  ),
};

export const SKILL_NOT_WRITTEN: Reasons = {
  skill: entry(
    [
      'Skill not written',
      'The folder of the skill cannot be changed: access is denied, or a link leads out of the project.',
      'Check `.svc/skills` of the project.',
    ],
    [
      'Skill non scritta',
      'La cartella della skill non si può modificare: l’accesso è negato o un link porta fuori dal progetto.',
      'Controlla `.svc/skills` del progetto.',
    ],
  ),
};
