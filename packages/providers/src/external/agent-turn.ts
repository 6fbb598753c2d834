import {
  type ContentBlock,
  methods,
  type PromptResponse,
  RequestError,
  type SessionNotification,
  type StopReason,
} from '@agentclientprotocol/sdk';
import {
  type Ambient,
  answerText,
  type FinishReason,
  type ModelEvent,
  type ModelMessage,
  textEnd,
  textStart,
  type UserPart,
} from '@fucina/shared';
import { failureOf, interrupted, WireFailure } from '../wires/failure.ts';
import { providerMessage } from '../wires/provider-message.ts';
import type { AgentProcess } from './agent-process.ts';
import type { UsageMeter } from './agent-usage.ts';

/** One prompt and the agent's work until its turn ends. */
export interface AgentTurn {
  ambient: Ambient;
  process: AgentProcess;
  sessionId: string;
  prompt: ContentBlock[];
  firstResponseMs: number;
  idleMs: number;
  signal: AbortSignal;
  /** Of the conversation. */
  meter: UsageMeter;
  /** Passes on the agent's updates; the returned function stops it. */
  listen(onUpdate: (update: SessionNotification['update']) => void): () => void;
}

/** Stop reason of the protocol. */
export const AUTH_REQUIRED: number = RequestError.authRequired().code;
const CANCEL_MS = 2_000;
const FINISH: Record<StopReason, FinishReason> = {
  end_turn: 'stop',
  max_tokens: 'length',
  max_turn_requests: 'length',
  refusal: 'content-filter',
  cancelled: 'other',
};

/** Ends with `finish`, or throws a WireFailure; an abort first ends the agent's turn. */
export async function* runAgentTurn(turn: AgentTurn): AsyncGenerator<readonly ModelEvent[]> {
  const { process, sessionId, prompt, signal } = turn;
  const queue = createQueue();
  const clock = createClock(turn, () => queue.fail(new WireFailure(failureOf('timeout', { isOutcomeKnown: false }))));
  const reader = createReader();
  const stopListening = turn.listen((update) => {
    clock.heard();
    turn.meter.see(update);
    queue.push(reader.read(update));
  });
  const { agent } = process.connection;
  const answered = agent.request(methods.agent.session.prompt, { sessionId, prompt });
  answered.then(
    (response) => queue.end(response),
    (error: unknown) => queue.fail(asFailure(error)),
  );
  void process.ended.then(() => queue.fail(new WireFailure(interrupted('The external agent ended.'))));
  const onAbort = (): void => void cancel(turn, answered).then(() => queue.fail(signal.reason));
  signal.addEventListener('abort', onAbort, { once: true });
  let isOver = false;
  try {
    for (;;) {
      const { events, response } = await queue.next();
      if (events.length > 0) yield events;
      if (!response) continue;
      isOver = true;
      signal.throwIfAborted();
      const usage = turn.meter.ofTurn(response);
      if (usage) yield [{ type: 'usage', usage }];
      yield [...reader.end(), { type: 'finish', reason: FINISH[response.stopReason] ?? 'other' }];
      return;
    }
  } finally {
    clock.stop();
    stopListening();
    signal.removeEventListener('abort', onAbort);
    // A caller that leaves early also wants the agent to stop.
    if (!isOver && !signal.aborted) void cancel(turn, answered);
  }
}

/** Asks the agent to end its turn; ends its process if it does not. */
async function cancel({ ambient, process, sessionId }: AgentTurn, answered: Promise<PromptResponse>): Promise<void> {
  await process.connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined);
  const wait = new AbortController();
  const late = ambient.sleep(CANCEL_MS, wait.signal).then(
    () => process.stop(),
    () => undefined,
  );
  await Promise.race([answered.catch(() => undefined), late]);
  wait.abort();
}

function asFailure(error: unknown): WireFailure {
  if (error instanceof RequestError && error.code === AUTH_REQUIRED) return signInFirst();
  const said = error instanceof RequestError ? providerMessage(error.message) : undefined;
  return new WireFailure(interrupted('The external agent stopped with an error.', said), { cause: error });
}

export function signInFirst(): WireFailure {
  const message = 'The external agent asks to sign in first: start it in a terminal and sign in there.';
  return new WireFailure(failureOf('credential', { message }));
}

interface Queue {
  push(events: readonly ModelEvent[]): void;
  end(response: PromptResponse): void;
  fail(error: unknown): void;
  /**
   * All pending updates; with the response when the turn has ended. Rejects with the failure once all earlier updates
   * were read.
   */
  next(): Promise<{ events: readonly ModelEvent[]; response: PromptResponse | undefined }>;
}

function createQueue(): Queue {
  let waiting: ModelEvent[] = [];
  let ending: { response: PromptResponse } | { error: unknown } | undefined;
  let wake: (() => void) | undefined;
  const close = (with_: NonNullable<typeof ending>): void => {
    ending ??= with_;
    wake?.();
  };
  return {
    push(events) {
      for (const event of events) waiting.push(event);
      if (events.length > 0) wake?.();
    },
    end: (response) => close({ response }),
    fail: (error) => close({ error }),
    async next() {
      if (waiting.length === 0 && !ending) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      const events = waiting;
      waiting = [];
      if (events.length > 0 || !ending) return { events, response: undefined };
      if ('error' in ending) throw ending.error;
      return { events, response: ending.response };
    },
  };
}

interface Reader {
  read(update: SessionNotification['update']): ModelEvent[];
  end(): ModelEvent[];
}

/** Text is the answer; thoughts, the agent's own steps and its plan become reasoning. */
function createReader(): Reader {
  let isReasoning = false;
  const steps = new Set<string>();
  const end = (): ModelEvent[] => {
    if (!isReasoning) return [];
    isReasoning = false;
    return [{ type: 'reasoning-end' }];
  };
  const reasoning = (delta: string): ModelEvent[] => {
    if (delta === '') return [];
    isReasoning = true;
    return [{ type: 'reasoning', delta }];
  };
  return {
    end,
    read(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk': {
          const text = textOf(update.content);
          return text === '' ? [] : [...end(), { type: 'text', delta: text }];
        }
        case 'agent_thought_chunk':
          return reasoning(textOf(update.content));
        case 'tool_call':
          if (steps.size >= MAX_STEPS || steps.has(update.toolCallId)) return [];
          steps.add(update.toolCallId);
          return reasoning(`\n• ${textStart(update.title, 400)}\n`);
        case 'plan':
          return reasoning(
            `\n${update.entries.map(({ status, content }) => `[${MARKS[status]}] ${content}`).join('\n')}\n`,
          );
        case 'current_mode_update':
          return reasoning(`\n• Mode: ${textStart(update.currentModeId, 100)}\n`);
        default:
          return [];
      }
    },
  };
}

const MAX_STEPS = 1_000;
const MARKS: Record<string, string> = { pending: ' ', in_progress: '…', completed: 'x' };

function textOf(content: ContentBlock): string {
  return content.type === 'text' ? content.text : '';
}

interface Clock {
  heard(): void;
  stop(): void;
}

/** The first output has its own timeout; later pauses another. */
function createClock({ ambient, firstResponseMs, idleMs }: AgentTurn, expire: () => void): Clock {
  let cancelTimer = ambient.timer(firstResponseMs, expire);
  return {
    heard() {
      cancelTimer();
      cancelTimer = ambient.timer(idleMs, expire);
    },
    stop: () => cancelTimer(),
  };
}

/** The new user message, for an agent that remembers; with the earlier conversation, for one that does not. */
export function promptBlocks(
  messages: readonly ModelMessage[],
  { isRemembered, takesImages, newCount }: { isRemembered: boolean; takesImages: boolean; newCount: number },
): ContentBlock[] {
  const users = messages.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  const from = users.at(-Math.max(1, newCount)) ?? 0;
  const before = isRemembered ? [] : transcript(messages.slice(0, from));
  const now = messages.slice(from).flatMap((message) => (message.role === 'user' ? message.content : []));
  return [...before, ...now.map((part) => block(part, takesImages))];
}

function block(part: UserPart, takesImages: boolean): ContentBlock {
  if (part.type === 'text') return part;
  if (!takesImages) return { type: 'text', text: '[a picture that this agent cannot see]' };
  return { type: 'image', mimeType: part.mimeType, data: Buffer.from(part.bytes).toString('base64') };
}

const MAX_TRANSCRIPT = 200_000;

function transcript(messages: readonly ModelMessage[]): ContentBlock[] {
  const lines = messages.flatMap((message): string[] => {
    if (message.role === 'tool') return [`[result of ${message.toolName}] ${textStart(message.content, 2_000)}`];
    if (message.role === 'assistant') {
      const text = answerText(message.parts);
      return text ? [`[you] ${text}`] : [];
    }
    return message.content.flatMap((part) => (part.type === 'text' ? [`[user] ${part.text}`] : []));
  });
  if (lines.length === 0) return [];
  const text = textEnd(lines.join('\n\n'), MAX_TRANSCRIPT);
  return [{ type: 'text', text: `What was said in this conversation so far:\n\n${text}\n\nNow:` }];
}
