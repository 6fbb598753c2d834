import { frames, type Json, type Vendor, type VendorPart } from './vendor.ts';

/** The differences of vendors that speak chat completions. */
interface ChatForm {
  delta(reasoning: string, mark: string): Json;
  /** The fields of reasoning that must come back with an answer. */
  fields(reasoning: string, mark: string, hasCalls: boolean): Json;
  /** Fields of a call, in answers and requests. */
  call?(mark: string): Json;
  content?(text: string | null, reasoning: string): unknown;
  foreign?(answer: Json): string | undefined;
  refusal?(messages: readonly Json[]): string | undefined;
  callId?(mark: string): string;
  /** Only answers of the running turn come back with their reasoning. */
  isOfTurn?: boolean;
}

function chatVendor(form: ChatForm): Vendor {
  const callId = form.callId ?? ((mark: string) => `call_${mark}`);
  const callOf = (part: VendorPart, mark: string): Json[] =>
    'call' in part
      ? [
          {
            id: callId(mark),
            type: 'function',
            function: { name: part.call.name, arguments: JSON.stringify(part.call.arguments) },
            ...form.call?.(mark),
          },
        ]
      : [];
  return {
    frames(parts, answer) {
      let calls = 0;
      const deltas = parts.map((part, index): Json => {
        const mark = `${answer}x${index}`;
        if ('reasoning' in part) return form.delta(part.reasoning, mark);
        if ('text' in part) return { content: part.text };
        return { tool_calls: callOf(part, mark).map((call) => ({ index: calls++, ...call })) };
      });
      const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
        id: `c${answer}`,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason }],
      });
      const end = chunk({}, calls > 0 ? 'tool_calls' : 'stop');
      return `${frames([...deltas.map((delta) => chunk(delta)), end])}data: [DONE]\n\n`;
    },
    givenBack(parts, answer) {
      const calls = parts.flatMap((part, index) => callOf(part, `${answer}x${index}`));
      const text = parts.map((part) => ('text' in part ? part.text : '')).join('') || null;
      const index = parts.findIndex((part) => 'reasoning' in part);
      const reasoning = parts.map((part) => ('reasoning' in part ? part.reasoning : '')).join('');
      const fields = index < 0 ? {} : form.fields(reasoning, `${answer}x${index}`, calls.length > 0);
      const content = form.content ? form.content(text, reasoning) : text;
      return { role: 'assistant', content, ...fields, ...(calls.length > 0 && { tool_calls: calls }) };
    },
    answersIn(body) {
      const messages = messagesOf(body);
      const from = form.isOfTurn ? messages.findLastIndex(({ role }) => role === 'user') : 0;
      return messages.slice(from).filter(({ role }) => role === 'assistant');
    },
    nameOf(answer) {
      const [call] = ((answer as Json)['tool_calls'] ?? []) as Json[];
      const name = call?.['id'] ?? (answer as Json)['content'];
      return typeof name === 'string' ? name : JSON.stringify(name);
    },
    foreign: (answer) => form.foreign?.(answer as Json),
    refusal: (body) => chatRefusal(messagesOf(body)) ?? form.refusal?.(messagesOf(body)),
  };
}

const messagesOf = (body: Json): Json[] => (body['messages'] ?? []) as Json[];

/** What every strict server of chat completions demands. */
export function chatRefusal(messages: readonly Json[]): string | undefined {
  const spoken = messages.filter(({ role }) => role !== 'system');
  if (spoken.length === 0) return 'messages must not be empty';
  let open: string[] = [];
  for (const { role, content, tool_calls, tool_call_id } of spoken) {
    if (role === 'tool') {
      if (!open.includes(tool_call_id as string)) return "messages with role 'tool' must follow their call";
      open = open.filter((id) => id !== tool_call_id);
      continue;
    }
    if (open.length > 0) return 'an assistant message with tool_calls must be followed by tool messages';
    if (role === 'assistant') {
      const calls = (tool_calls ?? []) as { id: string; function: { name: string; arguments: string } }[];
      if (calls.length === 0 && (content === null || content === '')) return 'assistant message must have content';
      if (calls.some(({ function: { name } }) => !/^[\w-]{1,64}$/.test(name))) return 'invalid function name';
      open = calls.map(({ id }) => id);
    }
  }
  return open.length > 0 ? 'an assistant message with tool_calls must be followed by tool messages' : undefined;
}

/** Kimi K2 and DeepSeek: the reasoning on every message with calls, of all turns; an empty one for other models' calls. */
export const kimi: Vendor = chatVendor({
  delta: (reasoning) => ({ reasoning_content: reasoning }),
  fields: (reasoning, _mark, hasCalls) => (hasCalls ? { reasoning_content: reasoning } : {}),
  foreign: (answer) =>
    answer['tool_calls'] !== undefined && typeof answer['reasoning_content'] !== 'string'
      ? 'thinking is enabled but reasoning_content is missing in assistant tool call message'
      : undefined,
});

/** OpenRouter: its details as they came, in all turns. */
export const openRouter: Vendor = chatVendor({
  delta: (reasoning, mark) => ({ reasoning, reasoning_details: [detail(reasoning, mark)] }),
  fields: (reasoning, mark) => ({ reasoning_details: [detail(reasoning, mark)] }),
});

function detail(text: string, mark: string): Json {
  return { type: 'reasoning.text', text, signature: `signed-${mark}`, format: 'anthropic-claude-v1', index: 0 };
}

/** Gemini's OpenAI form: the signature of each call in `extra_content`. */
export const geminiChat: Vendor = chatVendor({
  delta: () => ({}),
  fields: () => ({}),
  call: (mark) => ({ extra_content: { google: { thought_signature: `signature-${mark}` } } }),
});

/** gpt-oss and others at fast hosts: `reasoning` between the calls of a turn. */
export const reasoningField: Vendor = chatVendor({
  delta: (reasoning) => ({ reasoning }),
  fields: (reasoning) => ({ reasoning }),
  isOfTurn: true,
});

/** Local engines that leave the tag in the text. */
export const thinkTag: Vendor = chatVendor({
  delta: (reasoning) => ({ content: `<think>${reasoning}</think>\n\n` }),
  fields: () => ({}),
  content: (text, reasoning) => `<think>${reasoning}</think>\n\n${text ?? ''}`,
  isOfTurn: true,
});

/** Mistral: thinking as chunks of the content, ids of nine letters and digits, no user right after a result. */
export const mistral: Vendor = chatVendor({
  delta: (reasoning) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: reasoning }] }] }),
  fields: () => ({}),
  content: (text, reasoning) => [
    { type: 'thinking', thinking: [{ type: 'text', text: reasoning }] },
    ...(text === null ? [] : [{ type: 'text', text }]),
  ],
  isOfTurn: true,
  callId: (mark) => mark.padStart(9, 'a').slice(-9),
  refusal(messages) {
    const follows = messages.some(({ role }, index) => role === 'user' && messages[index - 1]?.['role'] === 'tool');
    if (follows) return "Unexpected role 'user' after role 'tool'";
    const ids = messages.flatMap(({ tool_calls }) => ((tool_calls ?? []) as { id: string }[]).map(({ id }) => id));
    return ids.every((id) => /^[a-zA-Z0-9]{9}$/.test(id))
      ? undefined
      : 'Tool call id has to be defined as a string of a-z, A-Z, 0-9 with a length of 9';
  },
});
