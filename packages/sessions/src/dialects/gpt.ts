import { COMMON, EDIT_PARAMS, PROCESS_PARAMS, searchRows } from './default.ts';
import type { DialectTable } from './table.ts';

const WRITE =
  'Write a whole text file (at most 32 MiB), creating it and its folders (UTF-8) or replacing what is there in its ' +
  'encoding and line ends. A file that you have not read is shown instead: call again to replace it. Control files (of ' +
  'git, editors, CI) are written with this tool only.';
export const GPT: DialectTable = {
  editing: 'Change, move and delete files with {apply_patch}, and create them with it or with {scrivi}.',
  tools: [
    { tool: 'elenca', name: 'list_dir', params: { percorso: 'path' } },
    ...searchRows({ text: 'grep_files', files: 'include', names: 'find_files' }),
    { tool: 'leggi', name: 'read_file', params: { percorso: 'path', da: 'offset', righe: 'limit', pagina: 'page' } },
    {
      tool: 'scrivi',
      name: 'write_file',
      description: WRITE,
      params: { percorso: 'path', contenuto: 'content' },
    },
    { tool: 'apply_patch', name: 'apply_patch' },
    {
      tool: 'file_edit',
      name: 'edit_file',
      replacedBy: 'apply_patch',
      params: { percorso: 'path', ...EDIT_PARAMS },
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
