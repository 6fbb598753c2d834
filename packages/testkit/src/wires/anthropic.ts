import { deltasOf, type FinishWord, finishOf, type ScriptedUsage, toolCallsOf, usageOf } from '../reply.ts';
import { type Encoder, namedFrame, parsedArguments, problemMessage, type Wire, type WireContext } from './wire.ts';

const STOP: Record<FinishWord, string> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
  // Gemini's alone.
  'malformed-call': 'end_turn',
};
const ERROR_TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

export const anthropic: Wire = {
  name: 'anthropic',
  errorEvent: (message = 'Overloaded') =>
    namedFrame({ type: 'error', error: { type: 'overloaded_error', message } } as { type: string }),
  encoder: createEncoder,
  whole(reply, context) {
    const calls = toolCallsOf(reply).map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: call.name,
      input: parsedArguments(call.arguments),
    }));
    const text = [...deltasOf(reply.text)].join('');
    return {
      ...message(context, usageOf(reply)),
      content: [...(text ? [{ type: 'text', text }] : []), ...calls],
      stop_reason: STOP[finishOf(reply)],
    };
  },
  error(problem) {
    const type = ERROR_TYPES[problem.status] ?? 'invalid_request_error';
    if (problem.kind === 'context-too-long')
      return { type: 'error', error: { type, message: 'prompt is too long: 210000 tokens > 200000 maximum' } };
    if (problem.kind === 'credit')
      return { type: 'error', error: { type, message: 'Your credit balance is too low to access the API.' } };
    return { type: 'error', error: { type, message: problemMessage(problem) } };
  },
};

function createEncoder(context: WireContext): Encoder {
  let index = -1;
  let open: 'thinking' | 'text' | undefined;
  const stop = (): string => namedFrame({ type: 'content_block_stop', index } as { type: string });
  const delta = (body: string): string =>
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${body}}\n\n`;
  const close = (): string => {
    const kind = open;
    open = undefined;
    if (!kind) return '';
    const signature =
      kind === 'thinking' ? delta(JSON.stringify({ type: 'signature_delta', signature: context.proof })) : '';
    return signature + stop();
  };
  const start = (block: unknown): string =>
    namedFrame({ type: 'content_block_start', index, content_block: block } as { type: string });
  const openBlock = (kind: 'thinking' | 'text'): string => {
    if (open === kind) return '';
    const closed = close();
    open = kind;
    index += 1;
    return (
      closed + start(kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' })
    );
  };
  return {
    start: (usage) => namedFrame({ type: 'message_start', message: message(context, usage) } as { type: string }),
    step(step) {
      switch (step.type) {
        case 'text':
          return openBlock('text') + delta(`{"type":"text_delta","text":${JSON.stringify(step.delta)}}`);
        case 'reasoning':
          return openBlock('thinking') + delta(`{"type":"thinking_delta","thinking":${JSON.stringify(step.delta)}}`);
        case 'tool-start': {
          const closed = close();
          index += 1;
          return closed + start({ type: 'tool_use', id: step.id, name: step.name, input: {} });
        }
        case 'tool-arguments':
          return delta(JSON.stringify({ type: 'input_json_delta', partial_json: step.delta }));
        case 'tool-end':
          return stop();
      }
    },
    end(finish, usage) {
      const body = {
        type: 'message_delta',
        delta: { stop_reason: STOP[finish], stop_sequence: null },
        usage: { output_tokens: usage?.completionTokens ?? 0 },
      };
      return close() + namedFrame(body) + namedFrame({ type: 'message_stop' });
    },
  };
}

/** Anthropic counts cached tokens separately. */
function message(context: WireContext, usage: ScriptedUsage | null): Record<string, unknown> {
  const cached = usage?.cachedTokens ?? 0;
  const written = usage?.cacheWriteTokens ?? 0;
  return {
    id: context.id,
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: (usage?.promptTokens ?? 0) - cached - written,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
      output_tokens: 1,
    },
  };
}
