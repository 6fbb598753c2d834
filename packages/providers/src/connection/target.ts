import { type Ambient, type ModelRequest, type OutboundHttp, Secret } from '@fucina/shared';
import { type ChosenSettings, limitsOf } from '../chosen-settings.ts';
import type { ChosenKey, KeyPool } from '../keys/keys.ts';
import type { ModelKnowledge } from '../models/model-facts.ts';
import type { ModelDestination } from '../models/model-id.ts';
import type { ExternalAgent } from '../store.ts';
import type { ProviderRecord } from '../table/record.ts';
import { providerOf } from '../table/registry.ts';
import { failureOf, WireFailure } from '../wires/failure.ts';
import { sendableMessages, sendableTools } from '../wires/sendable-messages.ts';
import { withTakenMedia } from '../wires/taken-media.ts';
import type { WireCall } from '../wires/wire.ts';
import { type AccessNeeds, findAccess, NO_ACCESS } from './access.ts';
import type { Address } from './runtime.ts';

/** The address of the local engine while it runs. */
export interface LocalEngine {
  /** Base address, without `/chat/completions`. */
  endpoint: string;
  key: string;
}

export interface TargetNeeds extends AccessNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  keys: KeyPool;
  address(record: ProviderRecord): Address;
  chosen: ChosenSettings;
  knowledge: Pick<ModelKnowledge, 'takes' | 'takesImages' | 'outputLimitOf'>;
  /** Undefined while the engine has not loaded this model. */
  localEngine(model: string): Promise<LocalEngine | undefined>;
  /** The program that the user configured; undefined when none. */
  externalAgent(): ExternalAgent | undefined;
}

/** One call of one model with everything it needs. */
export interface Target {
  call: WireCall;
  chosen: ChosenKey | undefined;
  /** For the external agent only. */
  agent?: ExternalAgent;
  /** Null for the local engine and the external agent. */
  origin: string | null;
}

export interface TargetRequest {
  destination: ModelDestination;
  request: ModelRequest;
  signal: AbortSignal;
}

/** A reasoning model may be silent for long; a timeout that the user set applies to it, too. */
const DEFAULT_IDLE_MS = 300_000;
/** A long prompt takes a busy provider or a local engine minutes; what the user set holds as it is. */
const DEFAULT_FIRST_MS = 300_000;

/** Every error here, a WireFailure or an AppError, is thrown before the first network call. */
export async function findTarget(needs: TargetNeeds, wanted: TargetRequest): Promise<Target> {
  const { ambient, http } = needs;
  const { signal, destination } = wanted;
  const record = providerOf(destination.provider);
  const { knowledge } = needs;
  const maxOutputTokens =
    limitsOf(needs.chosen, destination.provider, destination.model).maxOutputTokens ??
    // Of the wires only this one demands a limit; a larger one than the model's is refused.
    (record.wire === 'anthropic-messages' ? (knowledge.outputLimitOf(destination) ?? undefined) : undefined);
  const taken = withTakenMedia(wanted.request.messages, {
    takes: (type) => knowledge.takes(destination, type),
    takesImages: knowledge.takesImages(destination),
  });
  const messages = record.wire === 'acp' ? taken : sendableMessages(taken, destination.model);
  const tools = sendableTools(wanted.request.tools);
  const request = { ...(maxOutputTokens !== undefined && { maxOutputTokens }), ...wanted.request, messages, tools };
  const common = { ambient, http, record, model: destination.model, request, signal };
  if (record.wire === 'locale') {
    const engine = await needs.localEngine(destination.model);
    if (!engine)
      throw notConfigured('RUNTIME_NOT_AVAILABLE', 'The local engine does not hold this model: load it first.');
    const access = { key: new Secret(engine.key), extra: [] };
    const call = { ...common, endpoint: engine.endpoint, access, exclusions: null, ...LOCAL_TIMES };
    return { call, chosen: undefined, origin: null };
  }
  if (record.wire === 'acp') {
    const agent = needs.externalAgent();
    if (!agent) throw notConfigured('PROVIDER_RUNTIME_INVALID', 'The program of the external agent is missing.');
    const firstResponseMs = record.defaultTimeoutSeconds * 1000;
    const times = { firstResponseMs, idleMs: AGENT_IDLE_MS };
    return {
      call: { ...common, endpoint: '', access: NO_ACCESS, exclusions: null, ...times },
      agent,
      chosen: undefined,
      origin: null,
    };
  }
  const { endpoint, origin, timeoutMs, isTimeoutChosen, exclusions } = needs.address(record);
  if (!endpoint || !origin)
    throw notConfigured('PROVIDER_RUNTIME_INVALID', `The address for ${record.label} is missing.`);
  const { access, chosen } = await findAccess(needs, record, origin);
  if (record.key === 'required' && !chosen)
    throw notConfigured('PROVIDER_KEY_REQUIRED', `A key for ${record.label} is missing.`);
  const call: WireCall = {
    ...common,
    endpoint,
    access,
    firstResponseMs: isTimeoutChosen ? timeoutMs : Math.max(timeoutMs, DEFAULT_FIRST_MS),
    idleMs: isTimeoutChosen ? timeoutMs : Math.max(timeoutMs, DEFAULT_IDLE_MS),
    exclusions,
  };
  return { call, chosen, origin };
}

/** A working agent may run a long command without output. */
const AGENT_IDLE_MS = 1_800_000;

/** Loading a model may take minutes before its first output. */
const LOCAL_TIMES = { firstResponseMs: DEFAULT_FIRST_MS, idleMs: DEFAULT_IDLE_MS };

export function notConfigured(code: string, message: string): WireFailure {
  return new WireFailure(failureOf('not-configured', { code, message }));
}
