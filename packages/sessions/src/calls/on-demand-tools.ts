import type { Tool, ToolSpec } from '@fucina/shared';
import * as z from 'zod';
import { toolTokens } from '../context/tool-tokens.ts';
import { createShowMessages, type ShowMessages } from '../dialects/shown-messages.ts';
import type { Dialect } from '../dialects/table.ts';
import { bestMatches } from './tool-matches.ts';
import { USE_SPEC, USE_TOOL, useTool } from './use-tool.ts';

/** Every tool that a session's model may call. */
export interface SessionTools {
  tools: readonly Tool[];
  specs: readonly ToolSpec[];
}

/**
 * The tools of one model request: all can be called, but the rare ones are not part of it. The model reads their specs in
 * the result of `find_tools` and calls them with `use_tool`, so that the beginning of its requests stays the same.
 */
export interface RequestTools {
  tools: ReadonlyMap<string, Tool>;
  specs: readonly ToolSpec[];
  /** A conversation with calls as this request names them. */
  show: ShowMessages;
  dialect: Dialect;
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

/** The everyday tools, then `find_tools` and `use_tool` for the others. */
export function requestTools(all: SessionTools, situation: RequestSituation): RequestTools {
  const same = latest.find((one) => isSameRequest(one, { all, ...situation }));
  if (same) return same.made;
  const made = chosenTools(all, situation);
  latest = [{ all, ...situation, made }, ...latest.slice(0, MAX_LATEST - 1)];
  return made;
}

/** Who gets the tools. */
interface RequestSituation {
  isStep: boolean;
  /** Of the model that is asked. */
  dialect: Dialect;
}

interface Asked extends RequestSituation {
  all: SessionTools;
}

/** Most requests have the tools of the one before, in each of the sessions that run. */
let latest: readonly (Asked & { made: RequestTools })[] = [];
const MAX_LATEST = 8;

function isSameRequest(one: Asked, other: Asked): boolean {
  return (
    one.isStep === other.isStep &&
    one.dialect === other.dialect &&
    (one.all === other.all || (hasSame(one.all.specs, other.all.specs) && hasSame(one.all.tools, other.all.tools)))
  );
}

function hasSame<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

function chosenTools({ tools, specs }: SessionTools, { isStep, dialect }: RequestSituation): RequestTools {
  const rare = rareOf(specs, isStep);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const names = new Set(specs.map(({ name }) => name));
  const shown = (some: readonly ToolSpec[]): ToolSpec[] =>
    some.filter(({ name }) => !dialect.isReplaced(name, names)).flatMap(dialect.specsOf);
  if (!rare.length) {
    return { tools: byName, specs: shown(specs), dialect, show: createShowMessages(dialect, () => false) };
  }
  const rareNames = new Set(rare.map(({ name }) => name));
  byName.set(FIND_TOOLS, findTool(rare, dialect));
  byName.set(USE_TOOL, useTool);
  const everyday = specs.filter(({ name }) => name !== FIND_TOOLS && name !== USE_TOOL && !rareNames.has(name));
  return {
    tools: byName,
    specs: [...shown(everyday), findSpec(rare, dialect), USE_SPEC],
    dialect,
    show: createShowMessages(dialect, (name) => rareNames.has(name)),
  };
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
function findSpec(rare: readonly ToolSpec[], dialect: Dialect): ToolSpec {
  const description = `${PURPOSE}\n${directory(rare, dialect).join('\n')}`;
  const before = specs.get(description);
  if (before) return before;
  const spec = { name: FIND_TOOLS, description, inputSchema: INPUT_SCHEMA };
  specs.set(description, spec);
  for (const oldest of [...specs.keys()].slice(0, -MAX_CACHED_SPECS)) specs.delete(oldest);
  return spec;
}

const PURPOSE =
  'More tools than the ones listed here. Pass words for what you need, or names; the answer has the tools that match, and ' +
  'you can call them with use_tool from then on. Look here before you say that something cannot be done. The tools:';

const INPUT_SCHEMA = {
  type: 'object',
  properties: { query: { type: 'string', description: 'words or names of tools' } },
  required: ['query'],
};

/** One line per group. The text does not change during a session. */
function directory(rare: readonly ToolSpec[], { nameOf }: Dialect): string[] {
  const groups = new Map<string, string[]>();
  for (const { name } of rare) groups.set(groupOf(name), [...(groups.get(groupOf(name)) ?? []), nameOf(name)]);
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

function findTool(rare: readonly ToolSpec[], dialect: Dialect): Tool<z.infer<typeof input>> {
  return {
    name: FIND_TOOLS,
    description: PURPOSE,
    category: 'base',
    effect: 'read',
    gate: null,
    input,
    action: ({ query }) => ({ tipo: FIND_TOOLS, testo: query }),
    async run({ query }) {
      const words = (name: string): string => `${RARE[groupOf(name)] ?? ''} ${dialect.nameOf(name)}`;
      const matches = bestMatches(query, rare, words);
      if (!matches.length) return { content: 'No tool matches these words.' };
      const found = matches
        .flatMap(dialect.specsOf)
        .map((spec) => JSON.stringify(spec))
        .join('\n');
      return { content: `You can call these tools with use_tool:\n${found}` };
    },
  };
}
