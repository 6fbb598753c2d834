import { COMMON, PROCESS_PARAMS } from './default.ts';
import type { DialectTable } from './table.ts';
import { GLOB, GREP } from './words.ts';

const EDIT = { vecchio: 'old_string', nuovo: 'new_string', tutte: 'replace_all' } as const;

export const GPT: DialectTable = {
  tools: [
    { tool: 'elenca', name: 'list_dir', params: { percorso: 'path' } },
    {
      tool: 'cerca',
      name: 'grep_files',
      description: GREP,
      params: { testo: { name: 'pattern', description: 'regular expression' }, percorso: 'path', nome: 'include' },
      required: ['testo'],
      fixed: { regex: true },
      when: 'testo',
    },
    {
      tool: 'cerca',
      name: 'find_files',
      description: GLOB,
      params: { nome: 'pattern', percorso: 'path' },
      required: ['nome'],
    },
    { tool: 'leggi', name: 'read_file', params: { percorso: 'path', da: 'offset', righe: 'limit', pagina: 'page' } },
    { tool: 'scrivi', name: 'write_file', params: { percorso: 'path', contenuto: 'content' } },
    {
      tool: 'file_edit',
      name: 'edit_file',
      params: { percorso: 'path', ...EDIT, altre: { name: 'more_edits', items: EDIT } },
    },
    { tool: 'prova', name: 'run_tests' },
    {
      tool: 'shell',
      name: 'shell',
      params: {
        comando: 'command',
        descrizione: 'description',
        secondi: { name: 'timeout', description: 'seconds, default 120' },
        sfondo: 'background',
      },
    },
    { tool: 'processi', name: 'processes', params: PROCESS_PARAMS },
    { tool: 'naviga', name: 'web_fetch' },
    {
      tool: 'todo_write',
      name: 'update_plan',
      params: { items: { name: 'plan', items: { content: 'step', status: 'status' } } },
    },
    {
      tool: 'delega_sottotask',
      name: 'spawn_agent',
      params: { task: 'task', cartella: 'folder', agente: 'agent', isolamento: 'isolation' },
    },
    ...COMMON,
  ],
};
