import { callSubject, neverAsks, type ToolKind, toolFacts } from '@fucina/conversation';
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

interface ToolLabels {
  icon: LucideIcon;
  /** Labels while it runs, when it is done, and of its permission. */
  now: WordKey;
  done: WordKey;
  ask: WordKey;
  /** Its name in permission lists. */
  name: WordKey;
  /** Whether it runs a command, which can be stopped and moved to the background. */
  isCommand: boolean;
}

const ICONS: Readonly<Record<ToolKind, LucideIcon>> = {
  list: Folder,
  search: FileSearch,
  read: FileText,
  write: FilePlus2,
  edit: FilePen,
  test: FlaskConical,
  command: Terminal,
  document: FileText,
  image: Image,
  time: Clock,
  tools: Wrench,
  page: Globe,
  'web-search': Telescope,
  network: Globe,
  artifact: AppWindow,
  agent: Bot,
  question: MessageCircleQuestionMark,
  plan: ListChecks,
  todo: ListTodo,
  processes: SquareActivity,
  research: Telescope,
  workflow: Workflow,
  skill: BookMarked,
  forge: Hammer,
  library: Library,
  notes: NotebookPen,
  tasks: SquareCheck,
  memory: Brain,
  server: Plug,
  plugin: Puzzle,
  browser: AppWindow,
  other: Wrench,
};

export function toolLabels(tool: string): ToolLabels {
  const { kind, words, isCommand = false } = toolFacts(tool);
  const name = `tool.${words}` as const;
  const ask = neverAsks(words) ? (`tool.${words}` as const) : (`tool.${words}.ask` as const);
  return { icon: ICONS[kind], name, now: `${name}.now`, done: `${name}.done`, ask, isCommand };
}

/** The subject of a call in one line; an unknown tool is shown by its name. */
export function callSummary(name: string, args: Record<string, unknown>): string {
  return cleanText(toolFacts(name).words === 'other' ? labelOf(name) : callSubject(name, args));
}

/** `mcp__files__read_text_file` is the tool read_text_file of the server files. */
function labelOf(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server && tool ? `${server} · ${tool}` : name;
}
