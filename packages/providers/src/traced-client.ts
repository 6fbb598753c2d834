import {
  answerText,
  type ModelClient,
  type ModelEvent,
  type ModelRequest,
  modelAttributes,
  type TraceSpan,
  type Tracing,
} from '@fucina/shared';

/**
 * Records a `chat` span for each request with a purpose: a title, a compaction, a commit message. Requests of turns have
 * none; the turn records them with its steps.
 */
export function tracedClient(client: ModelClient, tracing: Tracing | undefined): ModelClient {
  if (!tracing) return client;
  return {
    stream: (request, signal) =>
      request.purpose === undefined
        ? client.stream(request, signal)
        : traced(client.stream(request, signal), startSpan(tracing, request), tracing),
  };
}

function startSpan(tracing: Tracing, { model, purpose, traceparent, system, messages }: ModelRequest): TraceSpan {
  const asked = modelAttributes(model);
  return tracing.start(`chat ${asked['gen_ai.request.model']}`, {
    kind: 'client',
    parent: traceparent,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.output.type': 'text',
      ...asked,
      'fucina.purpose': purpose,
      ...(tracing.hasContent && {
        'gen_ai.system_instructions': JSON.stringify(system.map(textPart)),
        'gen_ai.input.messages': JSON.stringify(messages.flatMap(messageOf)),
      }),
    },
  });
}

const textPart = (content: string) => ({ type: 'text', content });

/** Images are left out, and tool messages, which these requests do not have. */
function messageOf(message: ModelRequest['messages'][number]) {
  if (message.role === 'tool') return [];
  const texts =
    message.role === 'user'
      ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      : [answerText(message.parts)];
  return [{ role: message.role, parts: texts.map(textPart) }];
}

async function* traced(
  stream: AsyncIterable<readonly ModelEvent[]>,
  span: TraceSpan,
  { hasContent }: Tracing,
): AsyncGenerator<readonly ModelEvent[]> {
  let text = '';
  let error: string | undefined = 'cancelled';
  try {
    for await (const batch of stream) {
      for (const event of batch) {
        if (event.type === 'text' && hasContent) text += event.delta;
        if (event.type === 'usage') span.set(usageOf(event.usage));
        if (event.type === 'finish') error = undefined;
        if (event.type === 'failure') error = event.failure.class;
      }
      yield batch;
    }
  } finally {
    // Also when the reader leaves, as after a failure.
    if (hasContent) {
      span.set({ 'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [textPart(text)] }]) });
    }
    span.end(error);
  }
}

function usageOf({ promptTokens, completionTokens, cachedTokens }: Extract<ModelEvent, { type: 'usage' }>['usage']) {
  return {
    'gen_ai.usage.input_tokens': promptTokens,
    'gen_ai.usage.output_tokens': completionTokens,
    'gen_ai.usage.cache_read.input_tokens': cachedTokens,
  };
}
