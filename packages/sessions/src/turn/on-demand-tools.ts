import type { SessionEvent, Tool, ToolSpec } from '@fucina/shared';
import * as z from 'zod';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import { bestMatches } from './tool-matches.ts';
import { toolTokens } from './tool-tokens.ts';

/** Every tool that a session's model may call. */
export interface SessionTools {
  tools: readonly Tool[];
  specs: readonly ToolSpec[];
}

/**
 * The tools of one model request: all can be called, but the specs of on-demand tools are included only after they were
 * found.
 */
export interface RequestTools {
  tools: ReadonlyMap<string, Tool>;
  specs: readonly ToolSpec[];
  /** Those of these names that exist and were not part of a request yet. */
  notYetFound(names: readonly string[]): string[];
}

export const FIND_TOOLS = 'find_tools';

/** Groups by name prefix, with search terms for the model. */
const RARE: Readonly<Record<string, string>> = {
  document: 'Word, PDF, Excel, PowerPoint, CSV, HTML files',
  generate: 'pictures',
  repo: 'an outline of a large repository',
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
/** Their descriptions contain lists that the model has to see. */
const ALWAYS_OFFERED: ReadonlySet<string> = new Set(['skill_read']);
/** The prompt of a workflow step refers to it by name. */
const OF_STEPS = 'workflow_output';
/**
 * Limit in estimated tokens for project tools (MCP, plugins, forged) offered in full; beyond it they are on demand.
 */
export const BROUGHT_TOKENS = 500;
/** Limit for their list in the description of `find_tools`. */
const MAX_BROUGHT_NAMES = 40;

/**
 * The standard tools first, then `find_tools`, then the found tools in the order of finding: each request starts with
 * the tools of the earlier ones.
 */
export function requestTools(all: SessionTools, choice: Choice): RequestTools {
  const same = latest.find((one) => isSameChoice(one, { all, choice }));
  if (same) return same.made;
  const made = chosenTools(all, choice);
  latest = [{ all, choice, made }, ...latest.slice(0, MAX_LATEST - 1)];
  return made;
}

interface Choice {
  found: readonly string[];
  isStep: boolean;
}

interface Asked {
  all: SessionTools;
  choice: Choice;
}

/** Most requests have the tools of the one before, in each of the sessions that run. */
let latest: readonly (Asked & { made: RequestTools })[] = [];
const MAX_LATEST = 8;

function isSameChoice(one: Asked, other: Asked): boolean {
  return (
    one.choice.isStep === other.choice.isStep &&
    hasSame(one.choice.found, other.choice.found) &&
    (one.all === other.all || (hasSame(one.all.specs, other.all.specs) && hasSame(one.all.tools, other.all.tools)))
  );
}

function hasSame<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

function chosenTools({ tools, specs }: SessionTools, { found, isStep }: Choice): RequestTools {
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

/** Stored in the journal, so that a restart, a fork and another process offer the same tools. */
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
const MAX_CACHED_SPECS = 64;

/** The same object for the same text, so that its tokens are estimated once. */
function findSpec(rare: readonly ToolSpec[]): ToolSpec {
  const description = `${PURPOSE}\n${directory(rare).join('\n')}`;
  const before = specs.get(description);
  if (before) return before;
  const spec = { name: FIND_TOOLS, description, inputSchema: INPUT_SCHEMA };
  specs.set(description, spec);
  for (const oldest of [...specs.keys()].slice(0, -MAX_CACHED_SPECS)) specs.delete(oldest);
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

/** One line per group, found tools included: the text does not change during a session. */
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
