import { deltasOf, finishOf, type ReplyStep, type ScriptedUsage, toolCallsOf, usageOf } from '../reply.ts';
import { type Encoder, frame, problemMessage, type Wire, type WireContext } from './wire.ts';

export const openaiResponses: Wire = {
  name: 'openai-responses',
  errorEvent: (message = 'The server had an error.') =>
    frame({ type: 'error', sequence_number: 9, code: 'server_error', message, param: null }),
  encoder: createEncoder,
  whole(reply, context) {
    const calls = toolCallsOf(reply).map((call) => ({
      type: 'function_call',
      id: `fc_${call.id}`,
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
      status: 'completed',
    }));
    const text = [...deltasOf(reply.text)].join('');
    const message = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [] }],
    };
    return {
      ...response(context, finishOf(reply) === 'length' ? 'incomplete' : 'completed', usageOf(reply)),
      output: [...(text ? [message] : []), ...calls],
    };
  },
  error(problem) {
    const code = { plain: null, 'context-too-long': 'context_length_exceeded', credit: 'insufficient_quota' }[
      problem.kind
    ];
    return { error: { message: problemMessage(problem), type: 'invalid_request_error', param: 'input', code } };
  },
};

/** Output items in sequence; `open` is the kind of the current block. */
function createBlocks(context: WireContext): Blocks {
  let open: 'reasoning' | 'text' | undefined;
  const blocks: Blocks = {
    output: -1,
    close() {
      const kind = open;
      open = undefined;
      const { output } = blocks;
      if (kind === 'text') return itemDone(output, messageItem(output));
      if (kind !== 'reasoning') return '';
      return (
        summaryPart('done', output) + itemDone(output, { ...reasoningItem(output), encrypted_content: context.proof })
      );
    },
    open(kind) {
      if (open === kind) return '';
      const closed = blocks.close();
      open = kind;
      const output = ++blocks.output;
      if (kind === 'text') return closed + itemAdded(output, messageItem(output));
      return closed + itemAdded(output, reasoningItem(output)) + summaryPart('added', output);
    },
  };
  return blocks;
}

interface Blocks {
  output: number;
  open(kind: 'reasoning' | 'text'): string;
  close(): string;
}

function createEncoder(context: WireContext): Encoder {
  const blocks = createBlocks(context);
  let call = { id: '', name: '', arguments: '' };
  const tool = (step: Exclude<ReplyStep, { type: 'text' | 'reasoning' }>): string => {
    if (step.type === 'tool-start') {
      const closed = blocks.close();
      blocks.output += 1;
      call = { id: step.id, name: step.name, arguments: '' };
      return closed + itemAdded(blocks.output, functionCall(call));
    }
    if (step.type === 'tool-end') return itemDone(blocks.output, functionCall(call, 'completed'));
    call.arguments += step.delta;
    const type = 'response.function_call_arguments.delta';
    return frame({ type, item_id: `fc_${call.id}`, output_index: blocks.output, delta: step.delta });
  };
  return {
    start: () => frame({ type: 'response.created', response: response(context, 'in_progress', null) }),
    step(step) {
      if (step.type !== 'text' && step.type !== 'reasoning') return tool(step);
      const head = blocks.open(step.type);
      const { output } = blocks;
      const delta = JSON.stringify(step.delta);
      return step.type === 'text'
        ? `${head}data: {"type":"response.output_text.delta","item_id":"msg_${output}","output_index":${output},"content_index":0,"logprobs":[],"delta":${delta}}\n\n`
        : `${head}data: {"type":"response.reasoning_summary_text.delta","item_id":"rs_${output}","output_index":${output},"summary_index":0,"delta":${delta}}\n\n`;
    },
    end(finish, usage) {
      const status = finish === 'length' ? 'incomplete' : 'completed';
      return blocks.close() + frame({ type: `response.${status}`, response: response(context, status, usage) });
    },
  };
}

function messageItem(output: number): Record<string, unknown> {
  return { type: 'message', id: `msg_${output}`, role: 'assistant', content: [] };
}

function reasoningItem(output: number): Record<string, unknown> {
  return { type: 'reasoning', id: `rs_${output}`, summary: [], encrypted_content: null };
}

function summaryPart(moment: 'added' | 'done', output: number): string {
  const type = `response.reasoning_summary_part.${moment}`;
  return frame({ type, item_id: `rs_${output}`, output_index: output, summary_index: 0 });
}

const itemAdded = (index: number, item: unknown): string =>
  frame({ type: 'response.output_item.added', output_index: index, item });
const itemDone = (index: number, item: unknown): string =>
  frame({ type: 'response.output_item.done', output_index: index, item });

function functionCall(
  call: { id: string; name: string; arguments: string },
  status = 'in_progress',
): Record<string, unknown> {
  return {
    type: 'function_call',
    id: `fc_${call.id}`,
    call_id: call.id,
    ...nameOf(call.name),
    arguments: call.arguments,
    status,
  };
}

/** A tool of a namespace is scripted as `namespace/name`. */
function nameOf(name: string): { namespace?: string; name: string } {
  const [namespace, inner] = name.split('/', 2);
  return inner === undefined || namespace === undefined ? { name } : { namespace, name: inner };
}

function response(
  context: WireContext,
  status: 'in_progress' | 'completed' | 'incomplete',
  usage: ScriptedUsage | null,
): Record<string, unknown> {
  return {
    id: context.id,
    object: 'response',
    created_at: 1_767_225_600,
    model: context.model,
    status,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    error: null,
    output: [],
    usage: usage
      ? {
          input_tokens: usage.promptTokens,
          input_tokens_details: { cached_tokens: usage.cachedTokens ?? 0 },
          output_tokens: usage.completionTokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: usage.promptTokens + usage.completionTokens,
        }
      : null,
  };
}
