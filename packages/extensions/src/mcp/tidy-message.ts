import { textStart } from '@fucina/shared';
import type { JSONRPCMessage, specTypeSchemas } from '@modelcontextprotocol/client';
import { isObject, makeValid } from './valid-schema.ts';

type Parts = typeof specTypeSchemas;
const LISTS = {
  tools: 'Tool',
  prompts: 'Prompt',
  resources: 'Resource',
  resourceTemplates: 'ResourceTemplate',
} as const;
/** What a tool can do without. */
const EXTRAS = ['title', 'description', 'outputSchema', 'annotations', 'icons', 'execution', '_meta'];
const MAX_NAME = 100;

/**
 * Takes the parts of an answer one by one: a whole answer is refused when one of its parts is not as the protocol says.
 * Changes the message; `note` is told what is left out.
 */
export function tidyMessage(message: JSONRPCMessage, parts: Parts, note: (text: string) => void): void {
  if (!('result' in message) || !isObject(message.result)) return;
  const { result } = message;
  for (const [key, kind] of Object.entries(LISTS)) {
    const list = result[key];
    if (!Array.isArray(list)) continue;
    result[key] = list.filter((part: unknown) => {
      const isTaken = (key === 'tools' && tidyTool(part, parts, note)) || isValid(parts[kind], part);
      if (!isTaken) note(`${kind} ${nameOf(part)} is left out: it is not as the protocol says`);
      return isTaken;
    });
  }
  if (Array.isArray(result.content)) result.content = result.content.map((block) => tidyBlock(block, parts));
}

/** True for one that is now as the protocol says. */
function tidyTool(tool: unknown, { Tool }: Parts, note: (text: string) => void): boolean {
  if (!isObject(tool) || typeof tool.name !== 'string' || tool.name === '') return false;
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
  const problem = makeValid(schema);
  if (problem !== undefined) {
    note(`Tool ${nameOf(tool)}: ${problem}`);
    delete tool.inputSchema;
    return false;
  }
  tool.inputSchema = schema;
  if (isValid(Tool, tool)) return true;
  for (const key of EXTRAS) {
    if (!(key in tool) || isValid(Tool, { name: tool.name, inputSchema: schema, [key]: tool[key] })) continue;
    note(`Tool ${nameOf(tool)}: its ${key} is left out, which is not as the protocol says`);
    delete tool[key];
  }
  return isValid(Tool, tool);
}

function tidyBlock(block: unknown, { ContentBlock }: Parts): unknown {
  if (isValid(ContentBlock, block)) return block;
  const type = isObject(block) ? textStart(String(block.type), MAX_NAME) : 'unknown';
  return { type: 'text', text: `(a part of the type ${type} that is not as the protocol says)` };
}

function isValid(schema: { '~standard': { validate(value: unknown): unknown } }, value: unknown): boolean {
  const checked = schema['~standard'].validate(value);
  return isObject(checked) && !('issues' in checked && checked.issues);
}

function nameOf(part: unknown): string {
  const name = isObject(part) ? (part.name ?? part.uri) : undefined;
  return typeof name === 'string' && name !== '' ? textStart(name, MAX_NAME) : 'without a name';
}
