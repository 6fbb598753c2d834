import { type Tool, type ToolResult, textStart } from '@fucina/shared';
import type { CallToolResult, Tool as ServerTool } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { Connection } from './connection.ts';
import { type ReadContent, readBlocks } from './content-blocks.ts';
import { leaveFor, type ServerCalls } from './own/call-answers.ts';

const MAX_DESCRIPTION = 1_024;
const MAX_SCHEMA = 32 * 1024;
const MAX_RESULT = 20_000;

export interface ToolServer {
  id: string;
  /** Reached at an address. */
  isRemote: boolean;
  calls: ServerCalls;
}

/** A server's tool as agents get it; its description is marked as the server's own words. */
export function mcpTool(
  { id: serverId, isRemote, calls }: ToolServer,
  { tool, name }: { tool: ServerTool; name: string },
  connection: () => Promise<Connection>,
): Tool {
  const { schema, isLeftOut } = schemaOf(tool);
  const said = textStart(tool.description ?? tool.title ?? '', MAX_DESCRIPTION);
  return {
    name,
    description: `Tool ${tool.name} of the project's server ${serverId}. ${isLeftOut ? 'Its schema is too long to be shown. ' : ''}Description from the server: ${said || 'none'}`,
    category: 'extended',
    effect: 'process',
    gate: null,
    ...(isRemote && { reaches: 'service' }),
    ...(isHarmless(tool) && { isHarmless: true }),
    calls: () => leaveFor(calls, tool.name),
    // Its own schema goes to the model; the server validates the input.
    input: z.record(z.string(), z.unknown()).meta(schema),
    action: (input) => ({ tipo: name, server: serverId, attrezzo: tool.name, argomenti: input }),
    async run(input, { signal, progress, tell, sideModel, traceparent }) {
      try {
        const open = await connection();
        const call = { signal, progress, tell, sideModel, traceparent };
        return resultOf(await open.call(tool.name, input as Record<string, unknown>, call));
      } catch (error) {
        return { content: `${tool.name} failed: ${textStart((error as Error).message, 500)}`, isError: true };
      }
    },
  };
}

/** Marked by the server, which the user trusts: it reads only, in a world of its own. Without a mark a tool asks. */
const isHarmless = ({ annotations }: ServerTool): boolean =>
  annotations?.readOnlyHint === true && annotations.openWorldHint === false && annotations.destructiveHint !== true;

function schemaOf({ inputSchema }: ServerTool): { schema: Record<string, unknown>; isLeftOut: boolean } {
  const isLeftOut = JSON.stringify(inputSchema).length > MAX_SCHEMA;
  return { schema: isLeftOut ? { type: 'object', properties: {} } : inputSchema, isLeftOut };
}

function resultOf({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const read = readBlocks(content);
  if (!read.texts.length && structuredContent) read.texts.push(JSON.stringify(structuredContent));
  return { ...toolResult(read, '(no result)'), ...(isError && { isError }) };
}

/** `empty`: instead of nothing at all. */
export function toolResult({ texts, images, media }: ReadContent, empty: string): ToolResult {
  const whole = texts.join('\n') || (images.length || media.length ? '' : empty);
  return { content: cutResult(whole), ...(images.length && { images }), ...(media.length && { media }) };
}

export function cutResult(whole: string): string {
  return whole.length > MAX_RESULT ? `${textStart(whole, MAX_RESULT)}\n[… cut: ${whole.length} characters]` : whole;
}
