import { deltasOf, type FinishWord, finishOf, type ScriptedUsage, toolCallsOf, usageOf } from '../reply.ts';
import { frame, parsedArguments, problemMessage, type Wire } from './wire.ts';

const FINISH: Record<FinishWord, string> = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  'malformed-call': 'MALFORMED_FUNCTION_CALL',
};

export const gemini: Wire = {
  name: 'gemini',
  errorEvent: (message = 'Internal error encountered.') => frame({ error: { code: 500, message, status: 'INTERNAL' } }),
  encoder(context) {
    let counted: ScriptedUsage | null = null;
    // With what was used up to there.
    const part = (body: unknown): string =>
      frame({
        candidates: [{ index: 0, content: { role: 'model', parts: [body] } }],
        modelVersion: context.model,
        ...(counted && { usageMetadata: usageBody({ ...counted, completionTokens: 1 }) }),
      });
    let call = { id: '', name: '', text: '' };
    return {
      start: (usage) => {
        counted = usage;
        return '';
      },
      step(step) {
        switch (step.type) {
          case 'text':
            return part({ text: step.delta });
          case 'reasoning':
            return part({ text: step.delta, thought: true });
          case 'tool-start':
            call = { id: step.id, name: step.name, text: '' };
            return '';
          case 'tool-arguments':
            call.text += step.delta;
            return '';
          case 'tool-end':
            return part({
              functionCall: { id: call.id, name: call.name, args: parsedArguments(call.text) },
              thoughtSignature: context.proof,
            });
        }
      },
      end: (finish, usage) =>
        frame({
          candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: FINISH[finish] }],
          usageMetadata: usage ? usageBody(usage) : undefined,
        }),
    };
  },
  whole(reply) {
    const usage = usageOf(reply);
    const calls = toolCallsOf(reply).map((call) => ({
      functionCall: { id: call.id, name: call.name, args: parsedArguments(call.arguments) },
    }));
    const parts = [{ text: [...deltasOf(reply.text)].join('') }, ...calls];
    return {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: FINISH[finishOf(reply)] }],
      usageMetadata: usage ? usageBody(usage) : undefined,
    };
  },
  error: (problem) => ({
    error: { code: problem.status, message: problemMessage(problem), status: 'FAILED_PRECONDITION' },
  }),
};

function usageBody(usage: ScriptedUsage): Record<string, number> {
  return {
    promptTokenCount: usage.promptTokens,
    candidatesTokenCount: usage.completionTokens,
    cachedContentTokenCount: usage.cachedTokens ?? 0,
    totalTokenCount: usage.promptTokens + usage.completionTokens,
  };
}
