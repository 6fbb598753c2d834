import type { DialectTable, ShownParam, ShownTool } from './table.ts';
import { GLOB, GREP } from './words.ts';

export const NAVIGATE_ACTIONS = {
  definizione: 'definition',
  riferimenti: 'references',
  info: 'info',
  simboli: 'symbols',
  correzioni: 'fixes',
} as const;
export const PROCESS_ACTIONS = { elenco: 'list', leggi: 'read', ferma: 'stop' } as const;
/** Of tools that no family was trained on. */
export const PROCESS_PARAMS: Readonly<Record<string, ShownParam>> = {
  azione: { name: 'action', values: PROCESS_ACTIONS, description: 'list, read the output, stop' },
  id: 'id',
  flusso: 'stream',
  da: 'offset',
  righe: 'limit',
  testo: 'text',
};
const CODE: Readonly<Record<string, ShownParam>> = { percorso: 'path', simbolo: 'symbol', riga: 'line' };

/** Tools of no family's training, under the same names in every dialect. */
export const COMMON: DialectTable['tools'] = [
  { tool: 'repo_map', name: 'repo_map', params: { percorso: 'path', token: 'tokens' } },
  {
    tool: 'code_navigate',
    name: 'code_navigate',
    params: { azione: { name: 'action', values: NAVIGATE_ACTIONS }, ...CODE },
  },
  {
    tool: 'code_change',
    name: 'code_change',
    params: {
      azione: { name: 'action', values: { rinomina: 'rename', correzione: 'fix' } },
      ...CODE,
      nuovo: 'new_name',
      titolo: 'title',
    },
  },
  { tool: 'cerca_conversazioni', name: 'search_conversations', params: { testo: 'text', limite: 'limit' } },
  { tool: 'artifact_create', name: 'artifact_create', params: { titolo: 'title' } },
];

const EDIT = { vecchio: 'old_string', nuovo: 'new_string', tutte: 'replace_all' } as const;
/** Parameters of an edit besides its file. */
export const EDIT_PARAMS = { ...EDIT, altre: { name: 'more_edits', items: EDIT } } as const;

/** The names of a search: for text in files, with its parameter for their names, and for names alone. */
export function searchRows({ text, files, names }: Record<'text' | 'files' | 'names', string>): readonly ShownTool[] {
  return [
    {
      tool: 'cerca',
      name: text,
      description: GREP,
      params: { testo: { name: 'pattern', description: 'regular expression' }, percorso: 'path', nome: files },
      required: ['testo'],
      fixed: { regex: true },
      when: 'testo',
    },
    {
      tool: 'cerca',
      name: names,
      description: GLOB,
      params: { nome: 'pattern', percorso: 'path' },
      required: ['nome'],
    },
  ];
}

/** Where files are edited one by one. */
export const EDITING = 'Prefer {file_edit} for changes to existing files and {scrivi} for new ones.';
export const PATCH: ShownTool = { tool: 'apply_patch', name: 'apply_patch', replacedBy: 'file_edit' };

/** Short lower-case names, as most open harnesses have them. */
export const DEFAULT: DialectTable = {
  editing: EDITING,
  tools: [
    { tool: 'elenca', name: 'list', params: { percorso: 'path' } },
    ...searchRows({ text: 'grep', files: 'glob', names: 'glob' }),
    { tool: 'leggi', name: 'read', params: { percorso: 'path', da: 'offset', righe: 'limit', pagina: 'page' } },
    { tool: 'scrivi', name: 'write', params: { percorso: 'path', contenuto: 'content' } },
    {
      tool: 'file_edit',
      name: 'edit',
      params: { percorso: 'path', ...EDIT_PARAMS },
    },
    { tool: 'prova', name: 'test' },
    {
      tool: 'shell',
      name: 'bash',
      params: { comando: 'command', descrizione: 'description', secondi: 'timeout', sfondo: 'background' },
    },
    { tool: 'processi', name: 'processes', params: PROCESS_PARAMS },
    { tool: 'naviga', name: 'web_fetch' },
    {
      tool: 'delega_sottotask',
      name: 'task',
      params: { task: 'prompt', cartella: 'folder', agente: 'agent', isolamento: 'isolation' },
    },
    PATCH,
    ...COMMON,
  ],
};
