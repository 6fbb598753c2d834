import { type Json, namedFrames, unmarked, type Vendor, type VendorPart } from './vendor.ts';

/**
 * Claude: thinking, redacted thinking, texts and calls of an answer come back in their order, unchanged, with their
 * signatures; names and ids in its form; results right after their calls; the user first and last.
 */
export const claude: Vendor = {
  frames(parts, answer) {
    const blocks = parts.flatMap((part, index) => blockEvents(block(part, answer, index), index));
    const isCalling = parts.some((part) => 'call' in part);
    return namedFrames([
      { type: 'message_start', message: message(answer) },
      ...blocks,
      {
        type: 'message_delta',
        delta: { stop_reason: isCalling ? 'tool_use' : 'end_turn' },
        usage: { output_tokens: 5 },
      },
      { type: 'message_stop' },
    ]);
  },
  givenBack: (parts, answer) => parts.map((part, index) => block(part, answer, index)),
  answersIn: (body) =>
    messagesOf(body).flatMap(({ role, content }) => (role === 'assistant' ? [unmarked(contentOf(content))] : [])),
  nameOf: (answer) => nameOf(answer as Json[]),
  refusal: (body) => messagesRefusal(messagesOf(body)),
};

function block(part: VendorPart, answer: number, index: number): Json {
  const mark = `${answer}-${index}`;
  if ('text' in part) return { type: 'text', text: part.text };
  if ('call' in part)
    return { type: 'tool_use', id: `toolu_${mark}`, name: part.call.name, input: part.call.arguments };
  if (part.isRedacted) return { type: 'redacted_thinking', data: `redacted-${mark}-${part.reasoning}` };
  return { type: 'thinking', thinking: part.reasoning, signature: `signed-${mark}` };
}

function blockEvents(whole: Json, index: number): (Json & { type: string })[] {
  const delta = (body: Json) => ({ type: 'content_block_delta', index, delta: body });
  const start = (empty: Json) => ({ type: 'content_block_start', index, content_block: empty });
  const stop = { type: 'content_block_stop', index };
  if (whole['type'] === 'redacted_thinking') return [start(whole), stop];
  if (whole['type'] === 'text') {
    return [start({ type: 'text', text: '' }), delta({ type: 'text_delta', text: whole['text'] }), stop];
  }
  if (whole['type'] === 'thinking') {
    return [
      start({ type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking: whole['thinking'] }),
      delta({ type: 'signature_delta', signature: whole['signature'] }),
      stop,
    ];
  }
  const json = JSON.stringify(whole['input']);
  return [start({ ...whole, input: {} }), delta({ type: 'input_json_delta', partial_json: json }), stop];
}

function message(answer: number): Json {
  const usage = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 1 };
  return { id: `msg_${answer}`, type: 'message', role: 'assistant', model: 'claude', content: [], usage };
}

const messagesOf = (body: Json): Json[] => (body['messages'] ?? []) as Json[];
const contentOf = (content: unknown): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Json[]);

/** By its first signature, redacted data or id of a call; an answer of text only by its text. */
function nameOf(blocks: readonly Json[]): string | undefined {
  const named = blocks.find(({ type }) => type !== 'text') ?? blocks[0];
  const name = named?.['signature'] ?? named?.['data'] ?? named?.['id'] ?? named?.['text'];
  return typeof name === 'string' ? name : undefined;
}

/** What the messages of a request must be; also used for histories that nobody wrote on purpose. */
export function messagesRefusal(messages: readonly Json[]): string | undefined {
  if (messages.length === 0) return 'messages: at least one message is required';
  if (messages[0]?.['role'] !== 'user') return 'messages: first message must use the "user" role';
  if (messages.at(-1)?.['role'] === 'assistant') return 'This model does not support assistant message prefill.';
  let open: string[] = [];
  for (const { role, content } of messages) {
    const blocks = contentOf(content);
    const results = blocks.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [tool_use_id as string] : []));
    if (open.some((id) => !results.includes(id))) return '`tool_use` ids were found without `tool_result` blocks';
    if (results.some((id) => !open.includes(id))) return 'unexpected `tool_use_id` found in `tool_result` blocks';
    open = [];
    if (blocks.length === 0) return 'messages: content must be non-empty';
    for (const one of blocks) {
      const refusal = blockRefusal(one);
      if (refusal) return refusal;
      if (role === 'assistant' && one['type'] === 'tool_use') open.push(one['id'] as string);
    }
    if (new Set(open).size < open.length) return '`tool_use` ids must be unique';
  }
  return open.length > 0 ? '`tool_use` ids were found without `tool_result` blocks' : undefined;
}

function blockRefusal({ type, text, name, id }: Json): string | undefined {
  if (type === 'text' && String(text).trim() === '') return 'text content blocks must contain non-whitespace text';
  if (type === 'text' && !String(text).isWellFormed()) return 'invalid high surrogate in string';
  if (type !== 'tool_use') return undefined;
  if (!/^[\w-]{1,128}$/.test(String(name))) return 'tool_use.name: String should match pattern';
  return /^[\w-]+$/.test(String(id)) ? undefined : 'tool_use.id: String should match pattern';
}
