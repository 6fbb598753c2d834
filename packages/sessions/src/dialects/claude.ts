import { COMMON, EDIT_PARAMS, EDITING, PATCH, PROCESS_PARAMS, searchRows } from './default.ts';
import type { DialectTable } from './table.ts';

export const CLAUDE: DialectTable = {
  editing: EDITING,
  tools: [
    { tool: 'elenca', name: 'LS', params: { percorso: 'path' } },
    ...searchRows({ text: 'Grep', files: 'glob', names: 'Glob' }),
    { tool: 'leggi', name: 'Read', params: { percorso: 'file_path', da: 'offset', righe: 'limit', pagina: 'page' } },
    { tool: 'scrivi', name: 'Write', params: { percorso: 'file_path', contenuto: 'content' } },
    {
      tool: 'file_edit',
      name: 'Edit',
      params: { percorso: 'file_path', ...EDIT_PARAMS },
    },
    { tool: 'prova', name: 'Test' },
    {
      tool: 'shell',
      name: 'Bash',
      params: {
        comando: 'command',
        descrizione: 'description',
        secondi: { name: 'timeout', description: 'seconds, default 120' },
        sfondo: 'run_in_background',
      },
    },
    { tool: 'processi', name: 'Processes', params: PROCESS_PARAMS },
    { tool: 'naviga', name: 'WebFetch' },
    { tool: 'web_search', name: 'WebSearch', params: { query: 'query', maxResults: 'max_results' } },
    {
      tool: 'todo_write',
      name: 'TodoWrite',
      params: { items: { name: 'todos', items: { content: 'content', status: 'status' } } },
    },
    {
      tool: 'delega_sottotask',
      name: 'Task',
      params: { task: 'prompt', cartella: 'folder', agente: 'subagent_type', isolamento: 'isolation' },
    },
    PATCH,
    ...COMMON,
  ],
};
