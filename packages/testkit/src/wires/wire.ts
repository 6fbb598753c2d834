import type { FinishWord, Reply, ReplyStep, ScriptedUsage } from '../reply.ts';

export type WireName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** One vendor's encoding of a reply. An encoder serves one answer: it tracks the open block. */
export interface Wire {
  name: WireName;
  encoder(context: WireContext): Encoder;
  /** The body of an answer that does not stream. */
  whole(reply: Reply, context: WireContext): Record<string, unknown>;
  error(problem: WireProblem): Record<string, unknown>;
  /** The frame of an error inside a stream. */
  errorEvent(message?: string): string;
}

export interface WireContext {
  id: string;
  model: string;
  proof: string;
}

export interface Encoder {
  start(usage: ScriptedUsage | null): string;
  step(step: ReplyStep): string;
  end(finish: FinishWord, usage: ScriptedUsage | null): string;
}

export interface WireProblem {
  status: number;
  kind: 'plain' | 'context-too-long' | 'credit';
  message?: string | undefined;
}

export function problemMessage(problem: WireProblem): string {
  if (problem.message !== undefined) return problem.message;
  if (problem.kind === 'context-too-long')
    return "This model's maximum context length is 8192 tokens, you asked for 9000.";
  if (problem.kind === 'credit') return 'You exceeded your current quota, please check your plan and billing details.';
  return `Scripted failure ${problem.status}.`;
}

/** An SSE frame without an event name. */
export const frame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** An SSE frame whose event name is the `type` of its data. */
export const namedFrame = (data: { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Arguments as a value. For an invalid call: some wires can only carry an empty object. */
export function parsedArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
