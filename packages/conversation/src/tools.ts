import { action, places } from '@fucina/wire-types/event-names';
import type { TOOLS_EN } from './labels/tools-en.ts';

/** The kind of work that a tool does: the icon of the window and the kind of an editor come from it. */
export type ToolKind =
  | 'list'
  | 'search'
  | 'read'
  | 'write'
  | 'edit'
  | 'test'
  | 'command'
  | 'document'
  | 'image'
  | 'time'
  | 'tools'
  | 'page'
  | 'web-search'
  | 'network'
  | 'artifact'
  | 'agent'
  | 'question'
  | 'plan'
  | 'todo'
  | 'processes'
  | 'research'
  | 'workflow'
  | 'skill'
  | 'forge'
  | 'library'
  | 'notes'
  | 'tasks'
  | 'memory'
  | 'server'
  | 'plugin'
  | 'browser'
  | 'other';

/** The names of tools in the keys of their words: `tool.<words>`, with `.now`, `.done` and `.ask`. */
export type ToolWords = keyof typeof TOOLS_EN extends infer Key
  ? Key extends `tool.${infer Name}.now`
    ? Name
    : never
  : never;

/** What every client knows of a tool. */
export interface ToolFacts {
  kind: ToolKind;
  /** `other`: it is shown by its own name. */
  words: ToolWords | 'other';
  /** Arguments that describe the subject of a call, best first. */
  subject: readonly string[];
  /** Whether it runs a command, which can be stopped and moved to the background. */
  isCommand?: true;
}

function tool(words: ToolWords, kind: ToolKind, ...subject: string[]): ToolFacts {
  return { words, kind, subject };
}

/** Our own tools, by their names on the wire. A new one gets a row here, and its words in `labels/tools-*.ts`. */
const TOOLS: Readonly<Record<string, ToolFacts>> = {
  elenca: tool('elenca', 'list', 'path'),
  repo_map: tool('elenca', 'list', 'path'),
  cerca: tool('cerca', 'search', 'text', 'name'),
  code_navigate: tool('cerca', 'search', 'symbol', 'path'),
  leggi: tool('leggi', 'read', 'path'),
  'hidden-read': tool('hidden-read', 'read', 'path'),
  scrivi: tool('scrivi', 'write', 'path'),
  file_edit: tool('file_edit', 'edit', 'path'),
  apply_patch: tool('file_edit', 'edit', 'path'),
  code_change: tool('file_edit', 'edit', 'path'),
  prova: { ...tool('prova', 'test'), isCommand: true },
  shell: { ...tool('shell', 'command', 'command'), isCommand: true },
  processi: tool('processi', 'processes', 'id'),
  document_create: tool('document_create', 'document', 'title'),
  generate_image: tool('generate_image', 'image', 'prompt'),
  artifact_create: tool('artifact_create', 'artifact', 'title'),
  time_now: tool('time_now', 'time'),
  find_tools: tool('find_tools', 'tools', 'query'),
  use_tool: tool('use_tool', 'tools', 'name'),
  naviga: tool('naviga', 'page', 'url'),
  browser_open: tool('naviga', 'page', 'url'),
  web_search: tool('web_search', 'web-search', 'query'),
  network: tool('network', 'network', 'host'),
  delega_sottotask: tool('delega_sottotask', 'agent', 'task'),
  ask_user: tool('ask_user', 'question'),
  present_plan: tool('present_plan', 'plan'),
  todo_write: tool('todo_write', 'todo'),
  research_start: tool('research_start', 'research', 'question'),
  workflow_propose: tool('workflow_propose', 'workflow', 'title'),
  workflow_status: tool('workflow_status', 'workflow', 'nodeId'),
  workflow_output: tool('workflow_status', 'workflow', 'nodeId'),
  workflow_control: tool('workflow_control', 'workflow', 'action'),
  skill_read: tool('skill_read', 'skill', 'id'),
  tool_create: tool('tool_create', 'forge', 'title'),
};

/** Tools of extensions, or groups of tools. */
const BROUGHT: readonly [prefix: string, kind: ToolKind][] = [
  ['mcp__', 'server'],
  ['plugin_', 'plugin'],
  ['forge_', 'forge'],
  ['browser_', 'browser'],
];

/** The usual arguments of tools that we do not know. */
const USUAL_SUBJECTS = [
  'command',
  'path',
  'text',
  'url',
  'query',
  'question',
  'task',
  'title',
  'prompt',
  'name',
  'reference',
  'id',
  'action',
] as const;

/** The English name of an argument of our own tools. */
export function argumentName(name: string): string {
  const fields = places[action]?.fields ?? {};
  return Object.hasOwn(fields, name) ? (fields[name]?.[0] ?? name) : name;
}

export const isOwnTool = (name: string): boolean => Object.hasOwn(TOOLS, name);

export function toolFacts(name: string): ToolFacts {
  if (Object.hasOwn(TOOLS, name)) return TOOLS[name] as ToolFacts;
  const [, kind] = BROUGHT.find(([prefix]) => name.startsWith(prefix)) ?? [];
  if (kind) return { kind, words: 'other', subject: USUAL_SUBJECTS };
  return recordTool(name) ?? { kind: 'other', words: 'other', subject: USUAL_SUBJECTS };
}

type LookWords = Extract<ToolWords, `${string}.look`>;

/** Reading records never asks, so there is no question for it. */
export function neverAsks(words: ToolFacts['words']): words is LookWords {
  return words.endsWith('.look');
}

type RecordKind = 'library' | 'research' | 'notes' | 'tasks' | 'memory';

/** Tools of notes, tasks and the like: the words come from the kind of record, and from whether it reads, deletes or changes. */
function recordTool(name: string): ToolFacts | undefined {
  const [, kind, act = ''] = /^(library|research|notes|tasks|memory)_(\w+)$/.exec(name) ?? [];
  if (!kind) return undefined;
  const record = kind as RecordKind;
  const what = /^(list|search|read|file_origin)$/.test(act) ? 'look' : act === 'delete' ? 'delete' : 'change';
  return tool(`${record}.${what}`, record, 'query', 'question', 'title', 'name', 'reference');
}

/** The subject of a call: the command, the path, the search text; empty if there is none. As the model wrote it. */
export function callSubject(name: string, args: Readonly<Record<string, unknown>>): string {
  for (const field of toolFacts(name).subject) {
    const value = args[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return name === 'apply_patch' && typeof args.input === 'string' ? patchedPaths(args.input).join(', ') : '';
}

/** The files of a patch, each once. */
function patchedPaths(patch: string): string[] {
  return [
    ...new Set(
      Array.from(patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm), ([, path = '']) => path.trim()),
    ),
  ];
}
