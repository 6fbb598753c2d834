import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, namesIn, systemCode, type Tool, textStart, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';
import { extensionsError } from '../errors.ts';
import type { RowsOrProblem } from '../hooks/hooks.ts';
import { schemaValidator } from '../schema-validator.ts';
import { type Capability, capabilitiesOf, flow, type Risk, riskOf } from './flow.ts';
import { type Capabilities, runFlow } from './run-flow.ts';

export interface ForgedRow {
  id: string;
  title: string;
  description: string;
  capabilities: readonly Capability[];
  risk: Risk;
  isEnabled: boolean;
  /** ISO time. */
  installedAt: string;
}

/**
 * Tools that an agent created for the user: small flows over notes, tasks and memories, inactive until the user
 * activates them.
 */
export interface Forge {
  list(): Promise<RowsOrProblem<ForgedRow>>;
  /** NOT_FOUND. */
  enable(id: string, isEnabled: boolean): Promise<void>;
  /** The active ones. */
  tools(): Promise<readonly Tool[]>;
  /** The tool that creates others. */
  createTool: Tool;
}

export interface ForgeNeeds {
  ambient: Ambient;
  dataDir: string;
  capabilities: Capabilities;
  isEnabled(id: string): boolean;
}

const toolId = z.string().regex(/^[a-z][a-z0-9_-]{2,63}$/);
const schemaShape = z.record(z.string(), z.json());
const MAX_SCHEMA = 16 * 1024;
const MAX_RESULT = 16 * 1024;

const draft = z.strictObject({
  id: toolId.describe('slug of 3 to 64 letters, digits, - and _'),
  title: z.string().trim().min(1).max(80),
  description: z.string().trim().min(1).max(400).describe('for the model that will call it: what it does and when'),
  input_schema: schemaShape.optional().describe('JSON schema of the input, an object; absent: no input'),
  // As an object without a nested schema: this description takes a tenth of the tokens of its schema.
  flow: z
    .record(z.string(), z.json())
    .describe(
      'The program: {entry, maxTransitions 1-256, nodes}. Nodes: {id, type: "capability", capability, args, saveAs?, next}, {id, type: "if", condition: {op, left, right?}, whenTrue, whenFalse}, {id, type: "return", value}, {id, type: "fail", message}. A value is literal JSON or {"$ref": "$.input.x"} or {"$ref": "$.state.x"}. Capabilities: tasks.list, tasks.create, tasks.setStatus, notes.list, notes.create, notes.update, memory.search, memory.create.',
    ),
});
type Draft = z.infer<typeof draft>;

const forged = draft.extend({ flow });
type Forged = z.infer<typeof forged>;

const stored = forged.extend({ abilitato: z.boolean(), installatoAlle: z.string() });
type Stored = z.infer<typeof stored>;

export function createForge({ ambient, dataDir, capabilities, isEnabled }: ForgeNeeds): Forge {
  const folder = join(dataDir, 'forge');
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  const save = async (tool: Stored): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFileAtomically(fileOf(tool.id), `${JSON.stringify(tool)}\n`);
  };
  const readAll = async (): Promise<{ tools: Stored[] } | { problem: string }> => {
    const tools: Stored[] = [];
    const names = (await namesIn(folder)).filter((name) => name.endsWith('.json')).sort();
    for (const name of names) {
      const read = await readStored(join(folder, name));
      if ('problem' in read) return { problem: `${name}: ${read.problem}` };
      tools.push(read.tool);
    }
    return { tools };
  };

  return {
    async list() {
      const found = await readAll();
      return 'problem' in found ? found : { rows: found.tools.map(rowOf) };
    },
    async enable(id, isEnabled) {
      const read = toolId.safeParse(id).success ? await readStored(fileOf(id)) : { problem: 'missing' };
      if ('problem' in read) throw extensionsError('NOT_FOUND', { reason: 'forged-tool' });
      await save({ ...read.tool, abilitato: isEnabled });
    },
    async tools() {
      const found = await readAll();
      if ('problem' in found) {
        ambient.log.warn('forge.not-read', found);
        return [];
      }
      const offered = found.tools.filter(({ id, abilitato }) => abilitato && isEnabled(id));
      return offered.map((tool) => forgedTool(tool, capabilities));
    },
    createTool: forgingTool({
      exists: async (id) => !('problem' in (await readStored(fileOf(id)))),
      save: (tool) => save({ ...tool, abilitato: false, installatoAlle: new Date(ambient.now()).toISOString() }),
    }),
  };
}

function rowOf({ id, title, description, abilitato, installatoAlle, ...tool }: Stored): ForgedRow {
  const used = capabilitiesOf(tool.flow);
  return {
    id,
    title,
    description,
    capabilities: used,
    risk: riskOf(used),
    isEnabled: abilitato,
    installedAt: installatoAlle,
  };
}

async function readStored(path: string): Promise<{ tool: Stored } | { problem: string }> {
  try {
    const parsed = stored.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? { tool: parsed.data } : { problem: parsed.error.issues[0]?.message ?? 'not a tool' };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { problem: 'missing' };
    return { problem: (error as Error).message };
  }
}

interface ForgingNeeds {
  exists(id: string): Promise<boolean>;
  save(tool: Forged): Promise<void>;
}

function forgingTool({ exists, save }: ForgingNeeds): Tool<Draft> {
  return {
    name: 'tool_create',
    description:
      'Create a small custom tool over notes, tasks and memories: a flow of up to 64 nodes, no code. It is disabled until the user enables it.',
    category: 'extended',
    effect: 'record',
    gate: null,
    input: draft,
    action({ id, title, flow: program }) {
      const parsed = flow.safeParse(program);
      return { tipo: 'tool_create', id, titolo: title, capacita: parsed.success ? capabilitiesOf(parsed.data) : [] };
    },
    async run({ flow: program, ...about }) {
      const parsed = flow.safeParse(program);
      if (!parsed.success) return { content: `The flow does not fit: ${z.prettifyError(parsed.error)}`, isError: true };
      const tool = { ...about, flow: parsed.data };
      const problem = await schemaProblem(tool.input_schema);
      if (problem !== undefined) return { content: `The input schema cannot be used: ${problem}`, isError: true };
      if (await exists(tool.id))
        return { content: `There is a tool ${tool.id} already: choose another id.`, isError: true };
      await save(tool);
      const risk = riskOf(capabilitiesOf(tool.flow));
      return {
        content: `Tool ${tool.id} created (risk ${risk}). It is disabled until the user enables it under Extensions. It is then called forge_${tool.id}.`,
      };
    },
  };
}

async function schemaProblem(schema: Draft['input_schema']): Promise<string | undefined> {
  if (schema === undefined) return undefined;
  if (JSON.stringify(schema).length > MAX_SCHEMA) return 'it is longer than 16 KiB';
  if (schema.type !== 'object') return 'its type has to be object';
  if (JSON.stringify(schema).includes('"$ref"')) return 'it may not refer to anything';
  try {
    (await schemaValidator()).compile(schema);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function forgedTool(tool: Stored, capabilities: Capabilities): Tool {
  const schema = tool.input_schema ?? { type: 'object', properties: {}, additionalProperties: false };
  const name = `forge_${tool.id}`;
  const { risk } = rowOf(tool);
  return {
    name,
    description: `${tool.description} (A custom tool of the user, risk ${risk}.)`,
    category: 'extended',
    effect: risk === 'R1' ? 'read' : 'record',
    gate: null,
    // Its own schema goes to the model; the input is validated below.
    input: z.record(z.string(), z.unknown()).meta(schema),
    action: () => ({ tipo: name, titolo: tool.title }),
    async run(input, { signal }) {
      const ajv = await schemaValidator();
      const isValid = ajv.compile(schema);
      if (!isValid(input))
        return { content: `The input does not fit: ${ajv.errorsText(isValid.errors)}.`, isError: true };
      const outcome = await runFlow(tool.flow, { input: input as Record<string, unknown>, capabilities, signal });
      if ('failure' in outcome) return { content: `The tool failed: ${outcome.failure}`, isError: true };
      return { content: textStart(JSON.stringify(outcome.value ?? null), MAX_RESULT) };
    },
  };
}
