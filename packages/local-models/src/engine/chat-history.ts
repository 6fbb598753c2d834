import type { ChatHistoryItem, ChatModelFunctionCall, ChatModelFunctions, ChatModelResponse } from 'node-llama-cpp';
import { type ChatRequest, textOf } from './chat-request.ts';
import { grammarSchema } from './grammar-schema.ts';

type RawCall = NonNullable<ChatModelFunctionCall['rawCall']>;

/** The model's own text of past calls, so that the prompt prefix is unchanged and its cached evaluation is reused. */
export interface RawCalls {
  get(callId: string): RawCall | undefined;
  add(callId: string, raw: RawCall): void;
}

const MAX_RAW_CALLS = 2_000;

export function createRawCalls(): RawCalls {
  const kept = new Map<string, RawCall>();
  return {
    get: (callId) => kept.get(callId),
    add(callId, raw) {
      kept.set(callId, raw);
      const [oldest] = kept.keys();
      if (kept.size > MAX_RAW_CALLS && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** The conversation in the library's format: an answer, its calls and their results are one item. */
export function chatHistory({ messages }: ChatRequest, raw: RawCalls): ChatHistoryItem[] {
  const items: ChatHistoryItem[] = [];
  const calls = new Map<string, ChatModelFunctionCall>();
  const answer = (): ChatModelResponse => {
    const last = items.at(-1);
    if (last?.type === 'model') return last;
    const next: ChatModelResponse = { type: 'model', response: [] };
    items.push(next);
    return next;
  };
  for (const message of messages) {
    const said = textOf(message.content);
    if (message.role === 'user') items.push({ type: 'user', text: said });
    else if (message.role === 'assistant') {
      const { response } = answer();
      if (said !== '') response.push(said);
      for (const { id, function: wanted } of message.tool_calls ?? []) {
        const rawCall = raw.get(id);
        const call: ChatModelFunctionCall = {
          type: 'functionCall',
          name: wanted.name,
          params: parsed(wanted.arguments),
          result: 'There is no result: the call was interrupted.',
          ...(rawCall && { rawCall }),
        };
        response.push(call);
        calls.set(id, call);
      }
    } else if (message.role === 'tool') {
      const call = calls.get(message.tool_call_id);
      if (call) call.result = parsed(said);
    } else items.push({ type: 'system', text: said });
  }
  return items;
}

/** Undefined when there are no tools, or none may be called. */
export function chatFunctions({ tools, tool_choice }: ChatRequest): ChatModelFunctions | undefined {
  if (!tools?.length || tool_choice === 'none') return undefined;
  return Object.fromEntries(
    tools.map(({ function: { name, description, parameters } }) => {
      const params = parameters ? grammarSchema(parameters) : undefined;
      return [name, { ...(description && { description }), ...(params && { params }) }];
    }),
  );
}

/** Text that is not JSON stays text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
