import type { Entry, Language } from './entry.ts';

const entry = (en: Entry, it: Entry): Record<Language, Entry> => ({ en, it });

/** Why a rule of the sandbox was not added. */
export const RULE_REASONS: Readonly<Record<string, Record<Language, Entry>>> = {
  'rule-malformed': entry(
    ['Invalid rule', 'This rule cannot be read.', 'Write Network(host), Read(/folder) or Write(control file).'],
    [
      'Regola non valida',
      'Questa regola non è leggibile.',
      'Scrivi Network(host), Read(/cartella) o Write(file di controllo).',
    ],
  ),
  'rule-other-tool': entry(
    [
      'Rule for another tool',
      'Sandbox rules are Network(…), Read(…) and Write(…).',
      'Put rules for other tools into the settings file of the command line.',
    ],
    [
      'Regola di un altro strumento',
      'Le regole della sandbox sono Network(…), Read(…) e Write(…).',
      'Scrivi le regole degli altri strumenti nel file di impostazioni della riga di comando.',
    ],
  ),
  'rule-wildcard': entry(
    [
      'Wildcard in a path',
      'A path takes no wildcards, only /** at the end for a whole folder.',
      'Name the file or the folder.',
    ],
    [
      'Carattere jolly nel percorso',
      'Un percorso non ammette caratteri jolly, solo /** alla fine per una cartella intera.',
      'Indica il file o la cartella.',
    ],
  ),
  'rule-outside-project': entry(
    [
      'Path outside the project',
      'A Write rule opens control files of the project only.',
      'Write the path relative to the project folder, such as Write(.github/workflows/**).',
    ],
    [
      'Percorso fuori dal progetto',
      'Una regola Write vale solo per i file di controllo del progetto.',
      'Scrivi il percorso relativo alla cartella del progetto, per esempio Write(.github/workflows/**).',
    ],
  ),
  'rule-not-control-file': entry(
    [
      'Not a control file',
      'Commands can already write this path at Workspace write.',
      'Name a control file, such as .envrc or .github/workflows/**.',
    ],
    [
      'Non è un file di controllo',
      'I comandi possono già scrivere questo percorso con Scrittura nella cartella.',
      'Indica un file di controllo, per esempio .envrc o .github/workflows/**.',
    ],
  ),
  'rule-path-missing': entry(
    ['Path not found', 'This file or folder does not exist, or cannot be read.', 'Check the path.'],
    ['Percorso non trovato', 'Questo file o cartella non esiste, o non si può leggere.', 'Controlla il percorso.'],
  ),
  'rule-path-relative': entry(
    ['Relative path', 'A Read rule needs an absolute path or one that starts with ~/.', 'Write the whole path.'],
    [
      'Percorso relativo',
      'Una regola Read richiede un percorso assoluto o che inizi con ~/.',
      'Scrivi il percorso completo.',
    ],
  ),
  'rule-path-too-wide': entry(
    [
      'Path too wide',
      'This rule would show the whole home folder or the whole disk.',
      'Name the folder that commands need.',
    ],
    [
      'Percorso troppo ampio',
      'Questa regola mostrerebbe tutta la home o tutto il disco.',
      'Indica la cartella che serve ai comandi.',
    ],
  ),
  'rule-path-system': entry(
    [
      'System path',
      'Sockets, devices and temporary files of other programs stay hidden from commands.',
      'Use Full access for a command that needs them.',
    ],
    [
      'Percorso di sistema',
      'Socket, dispositivi e file temporanei di altri programmi restano nascosti ai comandi.',
      'Usa Accesso completo per un comando che ne ha bisogno.',
    ],
  ),
  'rule-path-data': entry(
    ['Fucina’s data', 'Commands never read Fucina’s own data.', 'Name another folder.'],
    ['Dati di Fucina', 'I comandi non leggono mai i dati di Fucina.', 'Indica un’altra cartella.'],
  ),
};
