import {
  type Ambient,
  isAppError,
  type ModelClient,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
  type OutboundHttp,
  Secret,
} from '@fucina/shared';
import type { ChosenKey, KeyPool } from './keys/keys.ts';
import { parseModelId } from './model-id.ts';
import { providerOf } from './registry.ts';
import type { Address } from './runtime.ts';
import type { ProviderRecord, WireKind } from './table/record.ts';
import { cancelled, failureOf, WireFailure } from './wires/failure.ts';
import type { Wire, WireCall } from './wires/wire.ts';

/** Where the engine of this computer listens while it runs. */
export interface LocalEngine {
  /** With the path before `/chat/completions`. */
  endpoint: string;
  key: string;
}

export interface ClientNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  keys: KeyPool;
  address(record: ProviderRecord): Address;
  /** Undefined while the engine does not run. */
  localEngine(): Promise<LocalEngine | undefined>;
}

/** A model that reasons may be silent for long; who chose a timeout means it also there. */
const DEFAULT_IDLE_MS = 300_000;

export function createModelClient(needs: ClientNeeds): ModelClient {
  return {
    async *stream(request, signal) {
      let target: Target | undefined;
      try {
        if (signal.aborted) throw new WireFailure(cancelled());
        target = await findTarget(needs, request, signal);
        yield* (await wireOf(target.call.record))(target.call);
      } catch (error) {
        const failure = signal.aborted ? cancelled() : toFailure(error);
        if (!failure) throw error;
        if (target?.chosen) needs.keys.failed(target.chosen, failure);
        logFailure(needs.ambient, failure, request.model);
        yield [{ type: 'failure', failure }];
      }
    },
  };
}

interface Target {
  call: WireCall;
  chosen: ChosenKey | undefined;
}

/** Every refusal here comes before the first network call. */
async function findTarget(needs: ClientNeeds, request: ModelRequest, signal: AbortSignal): Promise<Target> {
  const { provider, model } = parseModelId(request.model);
  const record = providerOf(provider);
  const { ambient, http } = needs;
  if (record.wire === 'locale') {
    const engine = await needs.localEngine();
    if (!engine) throw notConfigured('RUNTIME_NOT_AVAILABLE', 'The local engine is not running.');
    const call = { ambient, http, record, model, request, signal, exclusions: null, ...LOCAL_TIMES };
    return { call: { ...call, endpoint: engine.endpoint, key: new Secret(engine.key) }, chosen: undefined };
  }
  if (!SPOKEN.has(record.wire)) {
    throw notConfigured(
      'PROVIDER_RUNTIME_UNAVAILABLE',
      `This release does not speak the interface of ${record.label} yet.`,
    );
  }
  const { endpoint, origin, timeoutMs, isTimeoutChosen, exclusions } = needs.address(record);
  if (!endpoint || !origin)
    throw notConfigured('PROVIDER_RUNTIME_INVALID', `The address for ${record.label} is missing.`);
  const chosen = await chooseKey(needs, record, origin);
  const call: WireCall = {
    ambient,
    http,
    record,
    model,
    endpoint,
    key: chosen?.secret,
    firstResponseMs: timeoutMs,
    idleMs: isTimeoutChosen ? timeoutMs : Math.max(timeoutMs, DEFAULT_IDLE_MS),
    exclusions,
    request,
    signal,
  };
  return { call, chosen };
}

/** Loading a model into memory may take minutes before its first word. */
const LOCAL_TIMES = { firstResponseMs: 300_000, idleMs: DEFAULT_IDLE_MS };

async function chooseKey(needs: ClientNeeds, record: ProviderRecord, origin: string): Promise<ChosenKey | undefined> {
  if (record.key === 'never') return undefined;
  try {
    const chosen = await needs.keys.choose(record.id, origin);
    if (chosen || record.key === 'optional') return chosen;
  } catch (error) {
    if (record.key === 'optional' && isAppError(error, 'PROVIDER_STORE_UNAVAILABLE')) return undefined;
    throw error;
  }
  throw notConfigured('PROVIDER_KEY_REQUIRED', `A key for ${record.label} is missing.`);
}

const SPOKEN: ReadonlySet<WireKind> = new Set(['openai-chat', 'openai-responses', 'anthropic-messages']);

/** Loads what the first call of this model would load. Throws MODEL_ID_INVALID. */
export async function warmWire(model: string): Promise<void> {
  const { provider } = parseModelId(model);
  await wireOf(providerOf(provider));
}

/** The two wires that need a vendor's library load it at their first call. */
async function wireOf({ wire }: ProviderRecord): Promise<Wire> {
  if (wire === 'openai-responses') return (await import('./wires/openai-responses.ts')).openaiResponses;
  if (wire === 'anthropic-messages') return (await import('./wires/anthropic-messages.ts')).anthropicMessages;
  return (await import('./wires/openai-chat.ts')).openaiChat;
}

function notConfigured(code: string, message: string): WireFailure {
  return new WireFailure(failureOf('not-configured', { code, message }));
}

function toFailure(error: unknown): ModelFailure | undefined {
  if (error instanceof WireFailure) return error.failure;
  return isAppError(error) ? failureOf('not-configured', { code: error.code }) : undefined;
}

function logFailure({ log }: Ambient, failure: ModelFailure, model: string): void {
  if (failure.class === 'cancelled') return;
  const { class: failureClass, code, httpStatus, isOutcomeKnown } = failure;
  log.warn('model.call-failed', { model, class: failureClass, code, httpStatus, isOutcomeKnown });
}

/** All events of one answer in a row, for callers that do not stream. */
export async function collect(stream: AsyncIterable<readonly ModelEvent[]>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const batch of stream) events.push(...batch);
  return events;
}
