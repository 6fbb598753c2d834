import { cleanText } from '@fucina/conversation/clean-text';
import {
  AppWindow,
  BookMarked,
  Bot,
  Brain,
  Clock,
  FilePen,
  FilePlus2,
  FileSearch,
  FileText,
  FlaskConical,
  Folder,
  Globe,
  Hammer,
  Image,
  Library,
  ListChecks,
  ListTodo,
  type LucideIcon,
  MessageCircleQuestionMark,
  NotebookPen,
  Plug,
  Puzzle,
  SquareActivity,
  SquareCheck,
  Telescope,
  Terminal,
  Workflow,
  Wrench,
} from 'lucide-react';
import type { WordKey } from '../words/words.ts';

interface ToolWords {
  icon: LucideIcon;
  /** Labels while it runs, when it is done, and of its permission. */
  now: WordKey;
  done: WordKey;
  ask: WordKey;
  /** Its name in permission lists. */
  name: WordKey;
  /** Arguments that describe the subject of a call, best first. */
  about: readonly string[];
  /** It runs a command, which can be stopped and moved to the background. */
  isCommand: boolean;
}

function entry(id: KnownTool, icon: LucideIcon, ...about: string[]): ToolWords {
  return {
    icon,
    now: `tool.${id}.now`,
    done: `tool.${id}.done`,
    ask: `tool.${id}.ask`,
    name: `tool.${id}`,
    about,
    isCommand: id === 'shell' || id === 'prova',
  };
}

type KnownTool =
  | 'elenca'
  | 'cerca'
  | 'leggi'
  | 'scrivi'
  | 'file_edit'
  | 'prova'
  | 'shell'
  | 'document_create'
  | 'generate_image'
  | 'time_now'
  | 'find_tools'
  | 'use_tool'
  | 'naviga'
  | 'web_search'
  | 'rete'
  | 'lettura'
  | 'artifact_create'
  | 'delega_sottotask'
  | 'ask_user'
  | 'present_plan'
  | 'todo_write'
  | 'processi'
  | 'research_start'
  | 'workflow_propose'
  | 'workflow_status'
  | 'workflow_control'
  | 'skill_read'
  | 'tool_create'
  | 'other';

const TOOLS: Record<KnownTool, ToolWords> = {
  elenca: entry('elenca', Folder, 'percorso'),
  cerca: entry('cerca', FileSearch, 'testo', 'nome'),
  leggi: entry('leggi', FileText, 'percorso'),
  scrivi: entry('scrivi', FilePlus2, 'percorso'),
  file_edit: entry('file_edit', FilePen, 'percorso'),
  prova: entry('prova', FlaskConical),
  shell: entry('shell', Terminal, 'comando'),
  document_create: entry('document_create', FileText, 'title'),
  generate_image: entry('generate_image', Image, 'prompt'),
  time_now: entry('time_now', Clock),
  find_tools: entry('find_tools', Wrench, 'query'),
  use_tool: entry('use_tool', Wrench, 'name'),
  naviga: entry('naviga', Globe, 'url'),
  web_search: entry('web_search', Telescope, 'query'),
  rete: entry('rete', Globe, 'host'),
  lettura: entry('lettura', FileText, 'percorso'),
  artifact_create: entry('artifact_create', AppWindow, 'titolo'),
  delega_sottotask: entry('delega_sottotask', Bot, 'task'),
  ask_user: entry('ask_user', MessageCircleQuestionMark),
  present_plan: entry('present_plan', ListChecks),
  todo_write: entry('todo_write', ListTodo),
  processi: entry('processi', SquareActivity, 'id'),
  research_start: entry('research_start', Telescope, 'question'),
  workflow_propose: entry('workflow_propose', Workflow, 'title'),
  workflow_status: entry('workflow_status', Workflow, 'nodeId'),
  workflow_control: entry('workflow_control', Workflow, 'action'),
  skill_read: entry('skill_read', BookMarked, 'id'),
  tool_create: entry('tool_create', Hammer, 'title'),
  other: entry('other', Wrench),
};

/** Tools of extensions, or groups of tools: shown by their own name with their origin. */
const BROUGHT: readonly [prefix: string, icon: LucideIcon][] = [
  ['mcp__', Plug],
  ['plugin_', Puzzle],
  ['forge_', Hammer],
  ['browser_', AppWindow],
];

const RECORD_ICONS = {
  library: Library,
  research: Telescope,
  notes: NotebookPen,
  tasks: SquareCheck,
  memory: Brain,
} as const satisfies Record<string, LucideIcon>;
const RECORD_SUBJECTS = ['query', 'question', 'title', 'name', 'reference'] as const;

/**
 * The record tools (notes, tasks, memories and so on): the label comes from the kind of record and from whether it
 * reads, deletes or changes.
 */
function recordToolWords(name: string): ToolWords | undefined {
  const [, kind, act = ''] = /^(library|research|notes|tasks|memory)_(\w+)$/.exec(name) ?? [];
  if (!kind) return undefined;
  const record = kind as keyof typeof RECORD_ICONS;
  const about = { icon: RECORD_ICONS[record], about: RECORD_SUBJECTS, isCommand: false };
  if (/^(list|search|read|file_origin)$/.test(act)) {
    const base = `tool.${record}.look` as const;
    // Reading never asks.
    return { ...about, name: base, now: `${base}.now`, done: `${base}.done`, ask: base };
  }
  const base = act === 'delete' ? (`tool.${record}.delete` as const) : (`tool.${record}.change` as const);
  return { ...about, name: base, now: `${base}.now`, done: `${base}.done`, ask: `${base}.ask` };
}

const isKnown = (name: string): name is KnownTool => Object.hasOwn(TOOLS, name);

export function toolLabels(name: string): ToolWords {
  if (isKnown(name)) return TOOLS[name];
  if (name === 'workflow_output') return TOOLS.workflow_status;
  if (name === 'browser_open') return TOOLS.naviga;
  if (name === 'code_navigate') return { ...TOOLS.cerca, about: ['simbolo', 'percorso'] };
  if (name === 'code_change') return TOOLS.file_edit;
  if (name === 'repo_map') return TOOLS.elenca;
  const [, icon] = BROUGHT.find(([prefix]) => name.startsWith(prefix)) ?? [];
  return icon ? { ...TOOLS.other, icon } : (recordToolWords(name) ?? TOOLS.other);
}

/** The subject of a call in one line; an unknown tool is shown by its name. */
export function callSummary(name: string, args: Record<string, unknown>): string {
  const words = toolLabels(name);
  if (words.name === 'tool.other') return cleanText(labelOf(name));
  for (const field of words.about) {
    const value = args[field];
    if (typeof value === 'string' && value !== '') return cleanText(value);
  }
  return '';
}

/** `mcp__files__read_text_file` is the tool read_text_file of the server files. */
function labelOf(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server && tool ? `${server} · ${tool}` : name;
}
