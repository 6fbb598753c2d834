import type { SessionEvent, Tool, ToolSpec } from '@fucina/shared';
import * as z from 'zod';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import { bestMatches } from './tool-matches.ts';
import { toolTokens } from './tool-tokens.ts';

/** What a session offers its model: every tool it may call. */
export interface SessionTools {
  tools: readonly Tool[];
  specs: readonly ToolSpec[];
}

/** What one request of the model has: all tools can be called, the specs of the rare ones follow once they were found. */
export interface RequestTools {
  tools: ReadonlyMap<string, Tool>;
  specs: readonly ToolSpec[];
  /** Those of these names that can be called and that no request had so far. */
  notYetFound(names: readonly string[]): string[];
}

export const FIND_TOOLS = 'find_tools';

/** By the beginning of their names, with what a model looks for them by. */
const RARE: Readonly<Record<string, string>> = {
  document: 'Word, PDF, Excel, PowerPoint, CSV, HTML files',
  generate: 'pictures',
  browser: 'a live browser: open, click, type, screenshot',
  artifact: 'an interactive page for the user',
  cerca: 'earlier conversations about this folder',
  notes: 'the user’s notes',
  tasks: 'the user’s tasks',
  memory: 'facts kept across sessions',
  library: 'documents and pictures made before',
  research: 'long web research with a report',
  workflow: 'plans of several agents that run for long',
  automation: 'work that runs on a schedule or an event',
  tool: 'a new tool for this project',
};
/** Their descriptions are lists that the model has to see. */
const ALWAYS_OFFERED: ReadonlySet<string> = new Set(['skill_read']);
/** The prompt of a workflow step refers to it by name. */
const OF_STEPS = 'workflow_output';
/** Estimated tokens of what a project brings (MCP, plugins, its own tools) that are offered in full; the others are found. */
export const BROUGHT_TOKENS = 500;
/** Of those that are found, in the description of `find_tools`. */
const MAX_BROUGHT_NAMES = 40;

/**
 * The everyday tools first, `find_tools` after them, then the tools found so far in the order of finding: what an earlier
 * request had stays the beginning of every later one.
 */
export function requestTools(
  { tools, specs }: SessionTools,
  { found, isStep }: { found: readonly string[]; isStep: boolean },
): RequestTools {
  const rare = rareOf(specs, isStep);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (!rare.length) return { tools: byName, specs, notYetFound: () => [] };
  const rareByName = new Map(rare.map((spec) => [spec.name, spec]));
  const notYetFound = (names: readonly string[]): string[] => [
    ...new Set(names.filter((name) => rareByName.has(name) && !found.includes(name))),
  ];
  byName.set(FIND_TOOLS, findTool(rare, notYetFound));
  return {
    tools: byName,
    specs: [
      ...specs.filter(({ name }) => name !== FIND_TOOLS && !rareByName.has(name)),
      findSpec(rare),
      ...found.flatMap((name) => rareByName.get(name) ?? []),
    ],
    notYetFound,
  };
}

/** Kept in the journal, so that a restart, a fork and another process offer the same. */
export function foundEvent(names: readonly string[]): SessionEvent {
  return customEvent(CUSTOM_EVENTS.foundTools, { nomi: names });
}

function rareOf(specs: readonly ToolSpec[], isStep: boolean): ToolSpec[] {
  let left = BROUGHT_TOKENS;
  return specs.filter((spec) => {
    const { name } = spec;
    if (ALWAYS_OFFERED.has(name) || (isStep && name === OF_STEPS)) return false;
    if (name.includes('_') && Object.hasOwn(RARE, groupOf(name))) return true;
    if (!BROUGHT.test(name)) return false;
    left -= toolTokens(spec);
    return left < 0;
  });
}

const BROUGHT = /^(mcp__|plugin_|forge_)/;

function groupOf(name: string): string {
  return /^(mcp__.+?)__/.exec(name)?.[1] ?? name.split('_', 1)[0] ?? name;
}

const specs = new Map<string, ToolSpec>();
const KEPT_SPECS = 64;

/** The same object for the same text, so that its tokens are estimated once. */
function findSpec(rare: readonly ToolSpec[]): ToolSpec {
  const description = `${PURPOSE}\n${directory(rare).join('\n')}`;
  const before = specs.get(description);
  if (before) return before;
  const spec = { name: FIND_TOOLS, description, inputSchema: INPUT_SCHEMA };
  specs.set(description, spec);
  for (const oldest of [...specs.keys()].slice(0, -KEPT_SPECS)) specs.delete(oldest);
  return spec;
}

const PURPOSE =
  'More tools than the ones listed here. Pass words for what you need, or names; the answer has the tools that match, and ' +
  'you can call them from then on. Look here before you say that something cannot be done. The tools:';

const INPUT_SCHEMA = {
  type: 'object',
  properties: { query: { type: 'string', description: 'words or names of tools' } },
  required: ['query'],
};

/** A line for each group, found tools included: the text never changes while a session goes on. */
function directory(rare: readonly ToolSpec[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { name } of rare) groups.set(groupOf(name), [...(groups.get(groupOf(name)) ?? []), name]);
  let left = MAX_BROUGHT_NAMES;
  return [...groups].map(([group, names]) => {
    if (Object.hasOwn(RARE, group)) return `- ${names.join(', ')} (${RARE[group]})`;
    const shown = names.slice(0, left);
    left -= shown.length;
    const more = names.length - shown.length;
    if (!shown.length) return `- ${more} of ${group}`;
    return `- ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  });
}

const input = z.strictObject({ query: z.string().trim().min(1).max(400) });

function findTool(
  rare: readonly ToolSpec[],
  notYetFound: (names: readonly string[]) => string[],
): Tool<z.infer<typeof input>> {
  return {
    name: FIND_TOOLS,
    description: PURPOSE,
    category: 'base',
    effect: 'read',
    gate: null,
    input,
    action: ({ query }) => ({ tipo: FIND_TOOLS, testo: query }),
    async run({ query }) {
      const matches = bestMatches(query, rare, (name) => RARE[groupOf(name)] ?? '');
      if (!matches.length) return { content: 'No tool matches these words.' };
      const added = notYetFound(matches.map(({ name }) => name));
      return {
        content: `You can call these tools now:\n${matches.map((spec) => JSON.stringify(spec)).join('\n')}`,
        ...(added.length > 0 && { events: [foundEvent(added)] }),
      };
    },
  };
}
