import { textStart } from '@fucina/shared';
import type { FrontMatter } from '../front-matter.ts';
import type { AgentTools } from '../state/session.ts';

/** The tools of other programs, by their names there. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  Read: ['leggi'],
  NotebookRead: ['leggi'],
  Grep: ['cerca'],
  Glob: ['cerca', 'elenca'],
  LS: ['elenca'],
  Bash: ['shell', 'prova', 'processi'],
  BashOutput: ['processi'],
  KillShell: ['processi'],
  Edit: ['file_edit'],
  MultiEdit: ['file_edit'],
  Write: ['scrivi'],
  WebFetch: ['naviga'],
  WebSearch: ['web_search'],
  TodoWrite: ['todo_write'],
  Task: ['delega_sottotask'],
  Agent: ['delega_sottotask'],
  AskUserQuestion: ['ask_user'],
  Skill: ['skill_read'],
};
const OWN_NAME = /^[a-z][a-z0-9_]{0,127}$/;
const MCP_SERVER = /^mcp__(?:(?!__).)+$/;
const MCP_NAME = /^mcp__[\w-]{1,200}\*?$/;
const MAX_NAMES = 200;
const MAX_UNKNOWN = 20;
const SHOWN_LENGTH = 60;

/** From the fields `tools` and `disallowedTools`; names without a counterpart are left out and listed. */
export function agentTools(front: FrontMatter): { tools: AgentTools; unknown: string[] } {
  const unknown: string[] = [];
  const namesOf = (field: string): string[] | null => {
    if (front.field(field) === undefined) return null;
    const given = front.list(field).slice(0, MAX_NAMES);
    if (given.includes('*')) return null;
    return given.flatMap((name) => {
      const own = ownNames(name);
      if (!own.length) unknown.push(textStart(name, SHOWN_LENGTH));
      return own;
    });
  };
  const tools = { allowed: namesOf('tools'), denied: namesOf('disallowedTools') ?? [] };
  return { tools, unknown: unknown.slice(0, MAX_UNKNOWN) };
}

/** A name with a pattern, as `Bash(git:*)`, has none: without its pattern it would allow more than was meant. */
function ownNames(name: string): readonly string[] {
  if (Object.hasOwn(NAMES, name)) return NAMES[name] ?? [];
  if (name.startsWith('mcp__')) return MCP_NAME.test(name) ? [MCP_SERVER.test(name) ? `${name}__*` : name] : [];
  return OWN_NAME.test(name) ? [name] : [];
}

const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

export function mayUse({ allowed, denied }: AgentTools, name: string): boolean {
  const isIn = (patterns: readonly string[]): boolean => patterns.some((pattern) => matches(name, pattern));
  return (allowed === null || isIn(allowed)) && !isIn(denied);
}
