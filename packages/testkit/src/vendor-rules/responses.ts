import { frames, type Json, type Vendor, type VendorPart } from './vendor.ts';

/** GPT through responses: reasoning, messages and calls in their order, with ids, encrypted content and phase. */
export const responses: Vendor = {
  frames(parts, answer) {
    const items = parts.map((part, index) => item(part, answer, index));
    const done = items.flatMap((whole, index) => itemEvents(whole, index));
    return frames([
      { type: 'response.created', response: response(answer, 'in_progress') },
      ...done,
      { type: 'response.completed', response: response(answer, 'completed') },
    ]);
  },
  givenBack: (parts, answer) => parts.map((part, index) => item(part, answer, index)).map(sentForm),
  answersIn(body) {
    const answers: Json[][] = [];
    let isOpen = false;
    for (const one of (body['input'] ?? []) as Json[]) {
      const isOwn = one['type'] === 'reasoning' || one['type'] === 'function_call' || one['role'] === 'assistant';
      if (isOwn && !isOpen) answers.push([]);
      if (isOwn) answers.at(-1)?.push(sentForm(one));
      isOpen = isOwn;
    }
    return answers;
  },
  nameOf(answer) {
    const [first] = answer as Json[];
    const [part] = (first?.['content'] ?? []) as Json[];
    return (first?.['encrypted_content'] ?? first?.['call_id'] ?? part?.['text']) as string | undefined;
  },
  refusal(body) {
    const input = (body['input'] ?? []) as Json[];
    const calls = input.flatMap(({ type, call_id }) => (type === 'function_call' ? [call_id] : []));
    const outputs = input.flatMap(({ type, call_id }) => (type === 'function_call_output' ? [call_id] : []));
    if (calls.some((id) => !outputs.includes(id))) return 'No tool output found for function call';
    if (outputs.some((id) => !calls.includes(id))) return 'No tool call found for function call output';
    const names = input.flatMap(({ type, name }) => (type === 'function_call' ? [String(name)] : []));
    if (names.some((name) => !/^[\w-]{1,64}$/.test(name)))
      return "Invalid 'input[].name': string does not match pattern";
    return undefined;
  },
};

function item(part: VendorPart, answer: number, index: number): Json {
  const mark = `${answer}_${index}`;
  if ('reasoning' in part) {
    const summary = [{ type: 'summary_text', text: part.reasoning }];
    return { type: 'reasoning', id: `rs_${mark}`, summary, encrypted_content: `cipher-${mark}` };
  }
  if ('text' in part) {
    const content = [{ type: 'output_text', text: part.text }];
    return { type: 'message', id: `msg_${mark}`, role: 'assistant', content, phase: 'commentary' };
  }
  const { name, arguments: given } = part.call;
  const call = { call_id: `call_${mark}`, name, arguments: JSON.stringify(given) };
  return { type: 'function_call', id: `fc_${mark}`, ...call, status: 'completed' };
}

/** What of an item must come back; ids of messages and calls are not demanded where nothing is stored. */
function sentForm(whole: Json): Json {
  const { type, id, summary, encrypted_content, content, phase, call_id, name, arguments: given } = whole;
  if (type === 'reasoning') return { id, summary, encrypted_content };
  if (type === 'function_call') return { call_id, name, arguments: given };
  return { content, phase };
}

function itemEvents(whole: Json, index: number): Json[] {
  const place = { output_index: index };
  const added = (empty: Json) => ({ type: 'response.output_item.added', ...place, item: empty });
  const done = { type: 'response.output_item.done', ...place, item: whole };
  const id = whole['id'];
  if (whole['type'] === 'reasoning') {
    const [{ text }] = whole['summary'] as [Json & { text: string }];
    const summary = { item_id: id, ...place, summary_index: 0 };
    return [
      added({ ...whole, summary: [], encrypted_content: null }),
      { type: 'response.reasoning_summary_part.added', ...summary },
      { type: 'response.reasoning_summary_text.delta', ...summary, delta: text },
      { type: 'response.reasoning_summary_part.done', ...summary },
      done,
    ];
  }
  if (whole['type'] === 'message') {
    const [{ text }] = whole['content'] as [Json & { text: string }];
    const delta = { item_id: id, ...place, content_index: 0, logprobs: [], delta: text };
    return [added({ ...whole, content: [] }), { type: 'response.output_text.delta', ...delta }, done];
  }
  const delta = { item_id: id, ...place, delta: whole['arguments'] };
  return [added({ ...whole, arguments: '' }), { type: 'response.function_call_arguments.delta', ...delta }, done];
}

function response(answer: number, status: string): Json {
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  const shared = { id: `resp_${answer}`, object: 'response', created_at: 1_767_225_600, model: 'gpt', output: [] };
  return { ...shared, status, error: null, incomplete_details: null, usage: status === 'completed' ? usage : null };
}
