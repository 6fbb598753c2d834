import { MCP_CALL_ANSWERS } from '@fucina/shared';
import * as z from 'zod';
import { renamed } from '../http/renamed.ts';
import { sessionId, text } from './common.ts';

export const mcpCallAnswer = z.enum(MCP_CALL_ANSWERS);

/** English on the wire: it belongs to none of the document's operations. */
export const mcpCalls = z.object({ answer: mcpCallAnswer, allowedTools: z.array(z.string()) }).meta({ id: 'McpCalls' });

const target = {
  sessionId: sessionId.optional(),
  folder: z.string().min(1).max(4_096).optional(),
  scope: z.enum(['everywhere', 'project', 'file']).optional(),
};
const names = { folder: 'path' } as const;

/** About the whole server, or about one more of its tools. */
export const mcpCallChoice = z.union([
  renamed(z.strictObject({ ...target, answer: mcpCallAnswer }), names),
  renamed(z.strictObject({ ...target, allowTool: text.max(256) }), names),
]);
