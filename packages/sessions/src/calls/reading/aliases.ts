/** Names of tools and parameters in other programs and older models. Compared without case, `_`, `-` and `.`. */
export interface Alias {
  tool: string;
  /** As in the rows of the dialects. */
  when?: string;
  names: readonly string[];
  params: Readonly<Record<string, readonly string[]>>;
}

const PATH = ['path', 'file_path', 'file', 'filename', 'target_file', 'absolute_path', 'abs_path'];
const FOLDER = ['path', 'dir', 'directory', 'folder', 'dir_path', 'directory_path', 'target_directory', 'search_path'];
const OLD = ['old_string', 'old_str', 'old_text', 'old', 'search', 'find', 'original'];
const NEW = ['new_string', 'new_str', 'new_text', 'new', 'replace', 'replacement', 'updated'];
/** Of the edits in a list. */
export const EDIT_KEYS: Readonly<Record<string, readonly string[]>> = {
  vecchio: OLD,
  nuovo: NEW,
  tutte: ['replace_all', 'all', 'allow_multiple'],
};

export const ALIASES: readonly Alias[] = [
  {
    tool: 'leggi',
    names: ['read', 'read_file', 'view', 'view_file', 'open_file', 'cat', 'read_text_file', 'file_read'],
    params: {
      percorso: PATH,
      da: ['offset', 'start_line', 'line_start', 'start', 'from', 'from_line'],
      righe: ['limit', 'lines', 'line_count', 'num_lines', 'max_lines'],
    },
  },
  {
    tool: 'scrivi',
    names: ['write', 'write_file', 'create_file', 'write_to_file', 'file_write', 'save_file', 'create'],
    params: { percorso: PATH, contenuto: ['content', 'contents', 'text', 'file_text', 'data', 'file_content'] },
  },
  {
    tool: 'file_edit',
    names: ['edit', 'edit_file', 'multi_edit', 'replace', 'str_replace', 'search_replace', 'replace_in_file'],
    params: { percorso: PATH, ...EDIT_KEYS, altre: ['more_edits', 'edits', 'changes', 'replacements'] },
  },
  {
    tool: 'apply_patch',
    names: ['apply_patch', 'patch', 'apply_diff'],
    params: { input: ['patch', 'patch_text', 'diff', 'content', 'text'] },
  },
  {
    tool: 'shell',
    names: [
      'bash',
      'shell',
      'sh',
      'exec',
      'exec_command',
      'execute_command',
      'run_command',
      'run_shell_command',
      'run_terminal_cmd',
      'shell_command',
      'local_shell',
      'terminal',
    ],
    params: {
      comando: ['command', 'cmd', 'command_line', 'script'],
      secondi: ['timeout', 'timeout_seconds', 'timeout_sec', 'timeout_ms', 'time_limit'],
      sfondo: ['background', 'run_in_background', 'is_background'],
      descrizione: ['description', 'justification'],
    },
  },
  {
    tool: 'cerca',
    when: 'testo',
    names: ['grep', 'grep_files', 'grep_search', 'search', 'search_files', 'search_file_content', 'ripgrep', 'rg'],
    params: {
      testo: ['pattern', 'query', 'text', 'search_term', 'search', 'q'],
      nome: ['glob', 'include', 'include_pattern', 'file_pattern'],
      percorso: FOLDER,
    },
  },
  {
    tool: 'cerca',
    names: ['glob', 'find', 'find_files', 'file_search', 'glob_files', 'list_files_glob'],
    params: { nome: ['pattern', 'glob', 'glob_pattern', 'query', 'name'], percorso: FOLDER },
  },
  {
    tool: 'elenca',
    names: ['list', 'ls', 'list_dir', 'list_directory', 'list_files', 'tree', 'dir'],
    params: { percorso: FOLDER },
  },
  { tool: 'prova', names: ['test', 'run_tests', 'run_test', 'tests'], params: {} },
  {
    tool: 'processi',
    names: ['processes', 'bash_output', 'command_output', 'background_processes'],
    params: { id: ['bash_id', 'process_id', 'task_id', 'pid'] },
  },
  {
    tool: 'naviga',
    names: ['web_fetch', 'fetch', 'fetch_url', 'read_page', 'read_url', 'open_url', 'browse'],
    params: { url: ['uri', 'address', 'link', 'href'] },
  },
  {
    tool: 'web_search',
    names: ['web_search', 'search_web', 'google_search', 'internet_search'],
    params: {
      query: ['q', 'search_query', 'search_term'],
      maxResults: ['max_results', 'num_results', 'limit', 'count'],
    },
  },
  {
    tool: 'todo_write',
    names: ['todo_write', 'update_plan', 'todo', 'todos', 'update_todos', 'write_todos', 'set_plan'],
    params: { items: ['todos', 'plan', 'todo_list', 'tasks', 'steps'] },
  },
  {
    tool: 'delega_sottotask',
    names: ['task', 'agent', 'spawn_agent', 'subagent', 'delegate', 'new_task', 'dispatch_agent'],
    params: {
      task: ['prompt', 'task', 'instructions', 'message'],
      agente: ['agent', 'subagent_type', 'agent_type', 'agent_name'],
      cartella: ['folder', 'cwd', 'directory'],
    },
  },
  {
    tool: 'ask_user',
    names: ['ask_user', 'ask_user_question', 'ask', 'ask_question', 'request_user_input'],
    params: {},
  },
  { tool: 'present_plan', names: ['present_plan', 'exit_plan_mode', 'submit_plan'], params: {} },
];

/** Of the items of a list, by tool and parameter. */
export const ITEM_ALIASES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'file_edit.altre': EDIT_KEYS,
  'todo_write.items': { content: ['step', 'content', 'title', 'text', 'task', 'description'], status: ['state'] },
};

/** How names are compared. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]/g, '');
}
