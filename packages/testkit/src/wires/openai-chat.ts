import { deltasOf, type FinishWord, finishOf, type Reply, type ScriptedUsage, toolCallsOf, usageOf } from '../reply.ts';
import { frame, problemMessage, type Wire, type WireContext } from './wire.ts';

const FINISH: Record<FinishWord, string> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
  // Gemini's alone.
  'malformed-call': 'stop',
};

export const openaiChat: Wire = {
  name: 'openai-chat',
  errorEvent: (message = 'The server had an error.') =>
    frame({ error: { message, type: 'server_error', code: 'server_error' } }),
  encoder(context) {
    const head = JSON.stringify(base(context, 'chat.completion.chunk')).slice(0, -1);
    const chunk = (delta: string, finish = 'null'): string =>
      `data: ${head},"choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`;
    return {
      start: () => chunk('{"role":"assistant","content":""}'),
      step(step) {
        switch (step.type) {
          case 'text':
            return chunk(`{"content":${JSON.stringify(step.delta)}}`);
          case 'reasoning':
            return chunk(`{"reasoning_content":${JSON.stringify(step.delta)}}`);
          case 'tool-start':
            return chunk(
              JSON.stringify({
                tool_calls: [
                  { index: step.index, id: step.id, type: 'function', function: { name: step.name, arguments: '' } },
                ],
              }),
            );
          case 'tool-arguments':
            return chunk(JSON.stringify({ tool_calls: [{ index: step.index, function: { arguments: step.delta } }] }));
          case 'tool-end':
            return '';
        }
      },
      end(finish, usage) {
        const last = usage ? `data: ${head},"choices":[],"usage":${JSON.stringify(usageBody(usage))}}\n\n` : '';
        return `${chunk('{}', `"${FINISH[finish]}"`)}${last}data: [DONE]\n\n`;
      },
    };
  },
  whole(reply, context) {
    const message = {
      role: 'assistant',
      content: [...deltasOf(reply.text)].join(''),
      reasoning_content: [...deltasOf(reply.reasoning)].join('') || undefined,
      tool_calls: toolCalls(reply),
    };
    const usage = usageOf(reply);
    return {
      ...base(context, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: FINISH[finishOf(reply)] }],
      usage: usage ? usageBody(usage) : undefined,
    };
  },
  error(problem) {
    const code = { plain: null, 'context-too-long': 'context_length_exceeded', credit: 'insufficient_quota' }[
      problem.kind
    ];
    return { error: { message: problemMessage(problem), type: 'invalid_request_error', param: null, code } };
  },
};

function base(context: WireContext, object: string): Record<string, unknown> {
  return { id: context.id, object, created: 1_767_225_600, model: context.model };
}

function toolCalls(reply: Reply): unknown[] | undefined {
  const calls = toolCallsOf(reply);
  if (calls.length === 0) return undefined;
  return calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
}

function usageBody(usage: ScriptedUsage): Record<string, unknown> {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens ?? 0,
      ...(usage.cacheWriteTokens !== undefined && { cache_write_tokens: usage.cacheWriteTokens }),
    },
    ...(usage.costUsd !== undefined && { cost: usage.costUsd }),
  };
}
