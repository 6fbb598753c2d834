import * as z from 'zod';

const text = z.string();
const part = z.union([
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image_url') }),
  z.object({ type: z.string() }),
]);
const content = z.union([text, z.array(part), z.null()]).optional();
const call = z.object({ id: text, function: z.object({ name: text, arguments: text }) });

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content }),
  z.object({ role: z.literal('developer'), content }),
  z.object({ role: z.literal('user'), content }),
  z.object({ role: z.literal('assistant'), content, tool_calls: z.array(call).nullish() }),
  z.object({ role: z.literal('tool'), content, tool_call_id: text }),
]);

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().min(1),
    description: text.nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});

const positive = z.number().int().positive();

/** The supported fields of a chat-completions request; others are accepted and ignored, as in other engines. */
const chatRequest = z.object({
  model: text,
  messages: z.array(message).min(1).max(10_000),
  tools: z.array(tool).max(1_000).nullish(),
  tool_choice: z.enum(['auto', 'none']).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: positive.nullish(),
  max_completion_tokens: positive.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  seed: z.number().int().nullish(),
});

export type ChatRequest = z.output<typeof chatRequest>;
export type ChatRequestMessage = ChatRequest['messages'][number];

/** A request error, with the messages and statuses of other engines. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, sentence: string) {
    super(sentence);
    this.status = status;
    this.code = code;
  }
}

/** Throws RequestError. */
export function readChatRequest(body: string): ChatRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new RequestError(400, 'invalid_request', 'The body is not JSON.');
  }
  const read = chatRequest.safeParse(value);
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.join('.') ?? '';
  throw new RequestError(400, 'invalid_request', `The request cannot be read at "${where}".`);
}

/** An image is mentioned only: this engine reads text. */
export function textOf(given: ChatRequestMessage['content']): string {
  if (typeof given === 'string') return given;
  return (given ?? []).map((one) => ('text' in one ? one.text : '[a picture, which this model cannot see]')).join('\n');
}
