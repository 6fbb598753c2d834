import type { ErrorCode } from '../codes.ts';
import type { StoreFailure } from '../store-failure.ts';
import { HOOK_CALLS, HOOK_OFF, WATCH_PATTERNS } from './automation-hooks.ts';
import { BACKUP_REASONS } from './backups.ts';
import { CONNECTION_REASONS, HEADER_MISSING } from './connections.ts';
import type { Entry, Language } from './entry.ts';
import {
  HOOK_REASONS,
  PLUGIN_REASONS,
  SKILL_EXISTS,
  SKILL_NOT_WRITTEN,
  SKILL_QUERY_REASONS,
  SKILL_TOO_LARGE,
} from './extension-reasons.ts';
import { GIT_REASONS } from './git-reasons.ts';
import { MCP_REASONS, MCP_SIGN_IN_REASONS } from './mcp-servers.ts';
import { RULE_REASONS } from './sandbox-rules.ts';
import { WORKTREE_QUERY_REASONS, WORKTREE_REASONS } from './worktrees.ts';

/** Sentences of one reason of a code, where they say more than those of the code. */
export const REASONS: Partial<Record<ErrorCode, Readonly<Record<string, Record<Language, Entry>>>>> = {
  PROVIDER_RUNTIME_INVALID: CONNECTION_REASONS,
  PROVIDER_STORE_UNAVAILABLE: { 'header-missing': HEADER_MISSING },
  QUERY_INVALID: {
    ...BACKUP_REASONS,
    ...SKILL_QUERY_REASONS,
    ...WORKTREE_QUERY_REASONS,
    'import-malformed': {
      en: [
        'Not an exported session',
        'This file is not a session that was exported as JSON.',
        'Export one from the menu of a session, or with fucina sessions export.',
      ],
      it: [
        'Non è una sessione esportata',
        'Questo file non è una sessione esportata come JSON.',
        'Esportane una dal menu di una sessione, o con fucina sessions export.',
      ],
    },
    'import-empty': {
      en: ['Empty session', 'Nothing was said in this exported session.', 'Choose another file.'],
      it: ['Sessione vuota', 'In questa sessione esportata non è stato detto nulla.', 'Scegli un altro file.'],
    },
    'path-outside': {
      en: [
        'Link outside the folder',
        'This link leads outside the folder, so it was not followed.',
        'Open the target folder as its own project, or show the link in the file manager.',
      ],
      it: [
        'Link fuori dalla cartella',
        'Questo link porta fuori dalla cartella, quindi non è stato seguito.',
        'Apri la cartella di destinazione come progetto a sé, o mostra il link nel gestore dei file.',
      ],
    },
    'path-loop': {
      en: ['Link loop', 'This link leads back to itself through other links.', 'Delete or fix one of the links.'],
      it: [
        'Link circolare',
        'Questo link torna a sé stesso passando da altri link.',
        'Elimina o correggi uno dei link.',
      ],
    },
  },
  FILE_EXISTS: SKILL_EXISTS,
  FILE_TOO_LARGE: {
    ...SKILL_TOO_LARGE,
    'download-limit': {
      en: [
        'File too large for one download',
        'A single download is limited to 64 MiB. Larger files are downloaded in parts.',
        'Request ranges of at most 64 MiB, or show the file in the file manager and copy it from there.',
      ],
      it: [
        'File troppo grande per un solo download',
        'Un singolo download è limitato a 64 MiB. Un file più grande si scarica a parti.',
        'Richiedi intervalli di al massimo 64 MiB, o mostra il file nel gestore dei file e copialo da lì.',
      ],
    },
  },
  MODEL_ID_INVALID: {
    'no-default-model': {
      en: [
        'No default model',
        'No model was chosen and no default model is set.',
        'Choose a model, add a provider under Settings → Providers, or set FUCINA_MODEL to provider:model.',
      ],
      it: [
        'Nessun modello predefinito',
        'Non è stato scelto un modello e non c’è un modello predefinito.',
        'Scegli un modello, aggiungi un provider in Impostazioni → Provider o imposta FUCINA_MODEL su provider:modello.',
      ],
    },
  },
  SESSION_NOT_READY: {
    'budget-day': {
      en: [
        'Daily budget reached',
        'The budget that you set for today is used up, so no new turn starts.',
        'Continue anyway for today, or raise the limit, under Settings → Usage (fucina usage allow or fucina usage budget).',
      ],
      it: [
        'Budget del giorno esaurito',
        'Il budget che hai impostato per oggi è esaurito, quindi non parte un nuovo turno.',
        'Continua comunque per oggi, o alza il limite, in Impostazioni → Consumo (fucina usage allow o fucina usage budget).',
      ],
    },
    'budget-session': {
      en: [
        'Session budget reached',
        'This session has used up the budget that you set for a session, so no new turn starts.',
        'Continue anyway in this session, or raise the limit, under Settings → Usage (fucina usage allow or fucina usage budget).',
      ],
      it: [
        'Budget della sessione esaurito',
        'Questa sessione ha esaurito il budget che hai impostato per una sessione, quindi non parte un nuovo turno.',
        'Continua comunque in questa sessione, o alza il limite, in Impostazioni → Consumo (fucina usage allow o fucina usage budget).',
      ],
    },
  },
  AUTOMATION_INVALID: { ...HOOK_OFF, ...WATCH_PATTERNS },
  AUTOMATION_SCHEDULE_TOO_FREQUENT: HOOK_CALLS,
  ...WORKTREE_REASONS,
  GIT_COMMAND_FAILED: GIT_REASONS,
  HOOK_INVALID: HOOK_REASONS,
  MCP_INVALID: MCP_REASONS,
  PLUGIN_INVALID: PLUGIN_REASONS,
  OAUTH_CUSTODIA_FALLITA: { 'mcp-sign-in': MCP_SIGN_IN_REASONS['key-store'] },
  OAUTH_NON_CONFIGURATO: {
    'mcp-registration': MCP_SIGN_IN_REASONS.registration,
    'mcp-sign-in': MCP_SIGN_IN_REASONS['key-store'],
  },
  OAUTH_RETE: { 'mcp-sign-in': MCP_SIGN_IN_REASONS.unreachable },
  OAUTH_RISPOSTA_INATTESA: { 'mcp-sign-in': MCP_SIGN_IN_REASONS.response },
  OAUTH_SCAMBIO_RIFIUTATO: { 'mcp-sign-in': MCP_SIGN_IN_REASONS.rejected, 'mcp-denied': MCP_SIGN_IN_REASONS.denied },
  WORKSPACE_NOT_AVAILABLE: SKILL_NOT_WRITTEN,
  PERMISSIONS_INVALID: {
    ...RULE_REASONS,
    'full-access': {
      en: [
        'Session with Full access',
        'Other programs cannot send messages to a session with Full access.',
        'Send it in Fucina, or give the session another permission level there.',
      ],
      it: [
        'Sessione con accesso completo',
        'Altri programmi non possono mandare messaggi a una sessione con accesso completo.',
        'Mandalo in Fucina, o dai lì un altro livello di permessi alla sessione.',
      ],
    },
  },
};

/** Sentences of reasons that mean the same with every code. */
export const STORE_REASONS: Readonly<Record<StoreFailure, Record<Language, Entry>>> = {
  'disk-full': {
    en: [
      'Disk full',
      'The disk that holds Fucina’s data is full. Nothing was changed.',
      'Free some space and try again. Deleting sessions, notes and reports still works.',
    ],
    it: [
      'Disco pieno',
      'Il disco con i dati di Fucina è pieno. Non è stato modificato nulla.',
      'Libera spazio e riprova. Puoi ancora eliminare sessioni, note e report.',
    ],
  },
  'disk-failed': {
    en: [
      'Disk error',
      'The disk that holds Fucina’s data cannot be read or written.',
      'Check the disk and its permissions, then try again. Settings → Health shows which store fails.',
    ],
    it: [
      'Errore del disco',
      'Il disco con i dati di Fucina non si può leggere o scrivere.',
      'Controlla il disco e i permessi, poi riprova. Impostazioni → Salute indica quale archivio non funziona.',
    ],
  },
  'store-damaged': {
    en: [
      'Damaged data file',
      'A file with Fucina’s data is damaged. Nothing was changed.',
      'Stop Fucina and run `fucina doctor --repair`. It keeps a copy of the damaged file.',
    ],
    it: [
      'File di dati danneggiato',
      'Un file con i dati di Fucina è danneggiato. Non è stato modificato nulla.',
      'Ferma Fucina ed esegui `fucina doctor --repair`. Conserva una copia del file danneggiato.',
    ],
  },
  'store-missing': {
    en: [
      'Missing data file',
      'A file with Fucina’s data is missing.',
      'Put the file back from a backup, or run `fucina doctor --repair` to start with an empty one.',
    ],
    it: [
      'File di dati mancante',
      'Manca un file con i dati di Fucina.',
      'Ripristina il file da un backup, oppure esegui `fucina doctor --repair` per ripartire da un file vuoto.',
    ],
  },
  'store-newer': {
    en: [
      'Data of a newer version',
      'A newer version of Fucina wrote this data. Nothing was changed.',
      'Start the newer version, restore a backup that this version made, or choose another data folder.',
    ],
    it: [
      'Dati di una versione più recente',
      'Questi dati sono stati scritti da una versione più recente di Fucina. Non è stato modificato nulla.',
      'Avvia la versione più recente, ripristina un backup fatto da questa versione o scegli un’altra cartella dei dati.',
    ],
  },
};
