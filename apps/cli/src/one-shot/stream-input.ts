import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ElicitationAnswer } from '@fucina/host';
import * as z from 'zod';
import type { Approver } from './approvals.ts';
import type { DialogueAnswers, PlanChoice } from './dialogue.ts';

/** Requests of sub-agents are announced by records, because their events are not in the stream. */
export type StreamAsker = Omit<Approver, 'forAgent'>;

/** Standard input of `--input-format stream-json`: one record per line, for a program that talks with the agent. */
export interface StreamInput {
  /** The next message; undefined when the input has ended and all messages were sent. */
  next(): Promise<string | undefined>;
  asker: StreamAsker;
  onStop(act: () => void): void;
}

const words = z.union([z.string(), z.array(z.object({ type: z.literal('text'), text: z.string() }))]);
const requestId = z.string().min(1);

const record = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), message: z.union([z.string(), z.object({ content: words })]) }),
  z.object({ type: z.literal('approval'), requestId, approved: z.boolean() }),
  z.object({
    type: z.literal('answer'),
    requestId,
    answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  }),
  z.object({
    type: z.literal('plan'),
    requestId,
    decision: z.enum(['procedi-con-conferma', 'procedi-accetta-modifiche', 'continua-a-pianificare']).optional(),
    feedback: z.string().optional(),
  }),
  z.object({
    type: z.literal('elicitation'),
    requestId,
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ type: z.literal('stop') }),
]);

type Incoming = z.infer<typeof record>;
type Reply = Exclude<Incoming, { type: 'user' | 'stop' }>;

/** `refuse` is called for every invalid line, with its number. */
export function readStreamInput(input: Readable, refuse: (line: number) => void): StreamInput {
  const said: string[] = [];
  const replies = new Map<string, Reply>();
  const waiting = new Map<string, (reply: Reply | undefined) => void>();
  let isOver = false;
  let wake = (): void => undefined;
  let stop = (): void => undefined;

  const take = (incoming: Incoming): void => {
    if (incoming.type === 'stop') return stop();
    if (incoming.type === 'user') {
      said.push(textOf(incoming.message));
      return wake();
    }
    const settle = waiting.get(incoming.requestId);
    if (settle) settle(incoming);
    else replies.set(incoming.requestId, incoming);
  };

  let number = 0;
  const lines = createInterface({ input, terminal: false });
  lines.on('line', (line) => {
    number += 1;
    if (!line.trim()) return;
    const incoming = parse(line);
    if (incoming) take(incoming);
    else refuse(number);
  });
  lines.once('close', () => {
    isOver = true;
    for (const settle of waiting.values()) settle(undefined);
    wake();
  });

  /** Undefined when the card was closed, or the input has ended. */
  const replyTo = (id: string, signal: AbortSignal): Promise<Reply | undefined> =>
    new Promise((resolve) => {
      const settle = (reply: Reply | undefined): void => {
        waiting.delete(id);
        replies.delete(id);
        resolve(reply);
      };
      const early = replies.get(id);
      if (early || isOver || signal.aborted) return settle(early);
      waiting.set(id, settle);
      signal.addEventListener('abort', () => settle(undefined), { once: true });
    });

  return {
    async next() {
      while (said.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      return said.shift();
    },
    onStop: (act) => void (stop = act),
    asker: {
      async ask({ requestId: id, signal }) {
        const reply = await replyTo(id, signal);
        return reply?.type === 'approval' && reply.approved ? { isGiven: true } : { isGiven: false };
      },
      async answer({ requestId: id, signal }): Promise<DialogueAnswers | undefined> {
        const reply = await replyTo(id, signal);
        return reply?.type === 'answer' ? reply.answers : undefined;
      },
      async decide({ requestId: id, signal }): Promise<PlanChoice | undefined> {
        const reply = await replyTo(id, signal);
        if (reply?.type !== 'plan' || !reply.decision) return undefined;
        return { decision: reply.decision, ...(reply.feedback !== undefined && { feedback: reply.feedback }) };
      },
      async fill({ requestId: id }, signal): Promise<ElicitationAnswer> {
        const reply = await replyTo(id, signal);
        if (reply?.type !== 'elicitation') return { action: 'decline' };
        const { action, content } = reply;
        return { action, ...(action === 'accept' && content && { content }) };
      },
    },
  };
}

function parse(line: string): Incoming | undefined {
  try {
    return record.parse(JSON.parse(line));
  } catch {
    return undefined; // rejected by the caller, with its number
  }
}

function textOf(message: Extract<Incoming, { type: 'user' }>['message']): string {
  if (typeof message === 'string') return message;
  return typeof message.content === 'string' ? message.content : message.content.map(({ text }) => text).join('\n');
}
