import { wasStopped } from '@fucina/conversation';
import {
  type Ambient,
  answerCalls,
  answerText,
  type FinishReason,
  type ModelToolCall,
  modelAttributes,
  type TraceSpan,
} from '@fucina/shared';
import type { MessageWithImages } from '../context/with-images.ts';
import { answeringModel } from '../state/answering-model.ts';
import type { SessionRecord } from '../store/store.ts';
import type { ModelStep } from './model-step.ts';
import type { Turn } from './turn-context.ts';

/**
 * The spans of a turn, by OpenTelemetry's semantic conventions for generative AI. All functions do nothing when traces
 * are not collected. Messages, arguments and results are recorded only where the user asked for them.
 */

const AGENT = 'Fucina';

export function startTurnSpan(
  { tracing }: Ambient,
  record: SessionRecord,
  parent: string | undefined,
): TraceSpan | undefined {
  if (!tracing) return undefined;
  const { sessionId, workflowStep, delegationDepth } = record.header;
  return tracing.start(`invoke_agent ${AGENT}`, {
    parent,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': AGENT,
      'gen_ai.conversation.id': sessionId,
      ...modelAttributes(answeringModel(record)),
      'fucina.delegation.depth': delegationDepth,
      'fucina.workflow.step': workflowStep !== null,
    },
  });
}

const TURN_ERRORS: Record<string, string> = {
  fermato: 'cancelled',
  SESSION_INTERRUPTED: 'interrupted',
  'giri-esauriti': 'step_limit',
};

/** `code`: of the event that ended the turn, if it failed. */
export function endTurnSpan({ span, usage }: Pick<Turn, 'span' | 'usage'>, code: string | undefined): void {
  if (!span) return;
  span.set({
    'gen_ai.usage.input_tokens': usage.prompt_tokens,
    'gen_ai.usage.output_tokens': usage.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cached_tokens,
  });
  span.end(code && (TURN_ERRORS[code] ?? code));
}

interface ModelCall {
  model: string;
  system: readonly string[];
  messages: readonly MessageWithImages[];
  attempt: number;
}

export interface ModelSpan {
  traceparent: string;
  end(answer: ModelStep): void;
}

/** Of one request to a model. */
export function startModelSpan(turn: Turn, call: ModelCall): ModelSpan | undefined {
  const { tracing } = turn.needs.ambient;
  if (!tracing || !turn.span) return undefined;
  const { model, system, messages, attempt } = call;
  const asked = modelAttributes(model);
  const span = turn.span.start(`chat ${asked['gen_ai.request.model']}`, {
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': turn.record.header.sessionId,
      'gen_ai.output.type': 'text',
      ...asked,
      'fucina.attempt': attempt,
      ...(tracing.hasContent && {
        'gen_ai.system_instructions': JSON.stringify(system.map(textPart)),
        'gen_ai.input.messages': JSON.stringify(messages.map(messageOf)),
      }),
    },
  });
  return {
    traceparent: span.traceparent,
    end: (answer) => endModelSpan(span, { answer, model: answeringModel(turn.record), hasContent: tracing.hasContent }),
  };
}

function endModelSpan(
  span: TraceSpan,
  { answer, model, hasContent }: { answer: ModelStep; model: string; hasContent: boolean },
): void {
  const { usage, failure } = answer;
  const finish = finishOf(answer);
  span.set({
    'gen_ai.response.model': modelAttributes(model)['gen_ai.request.model'],
    'gen_ai.response.finish_reasons': finish && [finish],
    'gen_ai.usage.input_tokens': usage?.promptTokens,
    'gen_ai.usage.output_tokens': usage?.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedTokens,
    'http.response.status_code': failure?.httpStatus,
    ...(hasContent && {
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: answerParts(answer), finish_reason: finish ?? 'error' },
      ]),
    }),
  });
  span.end(failure?.class);
}

/** Of a call that the gate allowed. */
export function startToolSpan({ needs: { ambient }, span }: Turn, call: ModelToolCall): TraceSpan | undefined {
  return span?.start(`execute_tool ${call.name}`, {
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.type': 'function',
      ...(ambient.tracing?.hasContent && { 'gen_ai.tool.call.arguments': call.arguments }),
    },
  });
}

interface ToolEnd {
  content: string;
  isError?: boolean | undefined;
  isInterrupted?: boolean | undefined;
  command?: { command: string; exitCode: number | null } | undefined;
}

export function endToolSpan(span: TraceSpan | undefined, { tracing }: Ambient, result: ToolEnd): void {
  if (!span) return;
  const { command, isError, isInterrupted } = result;
  span.set({
    'process.exit.code': command?.exitCode,
    ...(tracing?.hasContent && { 'gen_ai.tool.call.result': result.content }),
  });
  const isStopped = wasStopped({
    isInterrupted,
    isFailed: isError,
    command: command?.command,
    exitCode: command?.exitCode ?? undefined,
  });
  span.end(isStopped ? 'interrupted' : isError ? 'tool_error' : undefined);
}

/** From a request for approval to the user's answer. */
export function startWaitSpan(span: TraceSpan | undefined, tool: string): TraceSpan | undefined {
  return span?.start('wait_for_user', { attributes: { 'gen_ai.tool.name': tool } });
}

const FINISH: Record<FinishReason, string> = {
  'malformed-call': 'error',
  stop: 'stop',
  'tool-calls': 'tool_call',
  length: 'length',
  'content-filter': 'content_filter',
  pause: 'pause',
  other: 'other',
};

function finishOf({ finish, failure }: ModelStep): string | undefined {
  if (failure) return 'error';
  return finish ? FINISH[finish] : undefined;
}

type Part = Record<string, unknown>;

const textPart = (content: string): Part => ({ type: 'text', content });

/** Images are left out. */
function messageOf(message: MessageWithImages): { role: string; parts: Part[] } {
  if (message.role === 'user') {
    return {
      role: 'user',
      parts: message.content.flatMap((part) => (part.type === 'text' ? [textPart(part.text)] : [])),
    };
  }
  if (message.role === 'assistant') {
    const parts = { text: answerText(message.parts), toolCalls: answerCalls(message.parts) };
    return { role: 'assistant', parts: answerParts(parts) };
  }
  const { role, toolCallId: id, content: response } = message;
  return { role, parts: [{ type: 'tool_call_response', id, response }] };
}

function answerParts({ text, toolCalls }: { text: string; toolCalls: readonly ModelToolCall[] }): Part[] {
  const calls = toolCalls.map(({ id, name, arguments: json }) => ({ type: 'tool_call', id, name, arguments: json }));
  return [...(text ? [textPart(text)] : []), ...calls];
}
