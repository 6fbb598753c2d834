import type { IncomingHttpHeaders } from 'node:http';
import type { WireName } from './wires/wire.ts';

/** One request as the server saw it. */
export interface ModelServerRequest {
  /** `models` is a list of models; `other` anything unknown, which gets 404. */
  wire: WireName | 'models' | 'other';
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body, `{}` when there was none. */
  body: Record<string, unknown>;
  model: string;
  /** Role of the last message: distinguishes a question from the result of a tool call. */
  lastRole: 'user' | 'tool' | 'assistant' | 'system' | null;
  /** Text of the last message. */
  lastText: string;
  /** The outcome of the answer, when it has ended. */
  readonly ended: Promise<'sent' | 'client-left'>;
}

/** Role and text of the last message, on any wire. */
export function lastMessage(body: Record<string, unknown>): Pick<ModelServerRequest, 'lastRole' | 'lastText'> {
  const list = body['messages'] ?? body['input'] ?? body['contents'];
  if (typeof list === 'string') return { lastRole: 'user', lastText: list };
  const last = Array.isArray(list) ? (list.at(-1) as Record<string, unknown> | undefined) : undefined;
  if (!last) return { lastRole: null, lastText: '' };
  if (last['type'] === 'function_call_output') return { lastRole: 'tool', lastText: textOf(last['output']) };
  const parts = (last['content'] ?? last['parts']) as unknown;
  const isToolResult =
    Array.isArray(parts) &&
    parts.some((part: Record<string, unknown>) => part['type'] === 'tool_result' || 'functionResponse' in part);
  const role = isToolResult ? 'tool' : (last['role'] as string);
  return {
    lastRole: (role === 'model' ? 'assistant' : role) as ModelServerRequest['lastRole'],
    lastText: textOf(parts),
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: Record<string, unknown>) => {
      if (typeof part['text'] === 'string') return part['text'];
      return part['content'] === undefined ? '' : textOf(part['content']);
    })
    .join('');
}
