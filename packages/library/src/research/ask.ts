import type { Ambient, ModelClient, ModelFailure, ModelRequest, ModelUsage } from '@fucina/shared';
import type * as z from 'zod';

/** The model is not available: the run pauses and can be resumed. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.class);
    this.failure = failure;
  }
}

/** The model returned an unusable answer twice. */
export class UnusableAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface ModelAsker {
  /** One JSON value of the requested shape, and the tokens used. Throws ModelUnavailable, UnusableAnswer. */
  ask<Schema extends z.ZodType>(
    question: { system: string; prompt: string; shape: Schema },
    signal: AbortSignal,
  ): Promise<{ answer: z.output<Schema>; tokens: number }>;
  /** Tokens of all requests so far. */
  usage(): ModelUsage;
}

interface AskerNeeds {
  ambient: Ambient;
  client: ModelClient;
  request: Pick<ModelRequest, 'model' | 'reasoning' | 'fallback' | 'traceparent'>;
}

const TRIES = 2;
const PAUSES_MS = [1_000, 4_000];
const TRANSIENT: ReadonlySet<ModelFailure['class']> = new Set(['rate-limit', 'server', 'network', 'timeout']);
const MOST_TOKENS = 8_192;

export function createAsker({ ambient, client, request }: AskerNeeds): ModelAsker {
  const total = { promptTokens: 0, completionTokens: 0, cachedTokens: null as number | null };
  const count = ({ promptTokens, completionTokens, cachedTokens }: ModelUsage): number => {
    total.promptTokens += promptTokens;
    total.completionTokens += completionTokens;
    if (cachedTokens !== null) total.cachedTokens = (total.cachedTokens ?? 0) + cachedTokens;
    return promptTokens + completionTokens;
  };
  const once = async (system: string, prompt: string, signal: AbortSignal) => {
    let text = '';
    let tokens = 0;
    const asked: ModelRequest = {
      ...request,
      system: [system],
      messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
      tools: [],
      maxOutputTokens: MOST_TOKENS,
      purpose: 'research',
    };
    for await (const events of client.stream(asked, signal)) {
      for (const event of events) {
        if (event.type === 'text') text += event.delta;
        if (event.type === 'usage') tokens = count(event.usage);
        if (event.type === 'failure') throw new ModelUnavailable(event.failure);
      }
    }
    return { text, tokens };
  };
  const patient = async (system: string, prompt: string, signal: AbortSignal) => {
    for (const pause of PAUSES_MS) {
      try {
        return await once(system, prompt, signal);
      } catch (error) {
        if (!(error instanceof ModelUnavailable) || !TRANSIENT.has(error.failure.class)) throw error;
        await ambient.sleep(pause, signal);
      }
    }
    return once(system, prompt, signal);
  };

  return {
    usage: () => ({ ...total }),
    async ask({ system, prompt, shape }, signal) {
      let tokens = 0;
      let complaint = '';
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const said = await patient(system, prompt + complaint, signal);
        tokens += said.tokens;
        const { success, data, error } = shape.safeParse(jsonIn(said.text));
        if (success) return { answer: data, tokens };
        const issue = error.issues[0];
        complaint = `\n\nYour last answer did not fit (${issue?.path.join('.')}: ${issue?.message}). Answer with that JSON alone.`;
      }
      throw new UnusableAnswer('the model did not answer in the shape asked for');
    },
  };
}

/** The first JSON object in a text, fenced or not; undefined when there is none. */
function jsonIn(text: string): unknown {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) return undefined;
  try {
    return JSON.parse(text.slice(from, to + 1));
  } catch {
    return undefined;
  }
}
