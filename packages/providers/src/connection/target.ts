import { type Ambient, type ModelMessage, type ModelRequest, type OutboundHttp, Secret } from '@fucina/shared';
import { type ChosenSettings, limitsOf } from '../chosen-settings.ts';
import type { ChosenKey, KeyPool } from '../keys/keys.ts';
import type { ModelKnowledge } from '../models/model-facts.ts';
import { type ModelDestination, modelIdOf } from '../models/model-id.ts';
import type { PictureFitting } from '../pictures/fitting-pictures.ts';
import { pictureLimitsOf } from '../pictures/picture-limits.ts';
import type { ExternalAgent } from '../store.ts';
import type { ProviderRecord } from '../table/record.ts';
import { providerOf } from '../table/registry.ts';
import { failureOf, WireFailure } from '../wires/failure.ts';
import { sendableMessages, sendableTools } from '../wires/sendable-messages.ts';
import { hasImages, withTakenMedia } from '../wires/taken-media.ts';
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
  knowledge: Pick<ModelKnowledge, 'takes' | 'takesImages' | 'outputLimitOf' | 'windowOf'>;
  pictures(): Promise<PictureFitting>;
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

/** A stream without a byte for this long has stalled; a timeout that the user set applies to it, too. */
const DEFAULT_IDLE_MS = 120_000;
/** A long prompt takes a busy provider or a local engine minutes; what the user set holds as it is. */
const DEFAULT_FIRST_MS = 300_000;

/** Every error here, a WireFailure or an AppError, is thrown before the first network call. */
export async function findTarget(needs: TargetNeeds, wanted: TargetRequest): Promise<Target> {
  const { ambient, http } = needs;
  const { signal, destination } = wanted;
  const record = providerOf(destination.provider);
  const { knowledge } = needs;
  const maxOutputTokens = outputLimit(needs, wanted);
  const taken = withTakenMedia(wanted.request.messages, {
    takes: (type) => knowledge.takes(destination, type),
    takesImages: knowledge.takesImages(destination),
  });
  const limits = pictureLimitsOf(record, destination.model);
  const fitted = limits && taken.some(hasImages) ? await (await needs.pictures()).fitted(taken, limits, signal) : taken;
  const messages = record.wire === 'acp' ? taken : sendableMessages(fitted, destination.model);
  const tools = sendableTools(wanted.request.tools);
  const request = { ...wanted.request, ...(maxOutputTokens !== undefined && { maxOutputTokens }), messages, tools };
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
    // Some local engines send headers before they have read the prompt.
    idleMs: isTimeoutChosen
      ? timeoutMs
      : Math.max(timeoutMs, record.execution === 'local' ? DEFAULT_FIRST_MS : DEFAULT_IDLE_MS),
    exclusions,
  };
  return { call, chosen, origin };
}

/** Less room than this is left to the provider, which knows the size of the request. */
const MIN_ROOM = 4_096;
const CHARS_PER_TOKEN = 3;

/**
 * The model's own limit, since many providers take a far smaller one where none is sent, or what the caller or the user
 * set. A local engine writes as long as there is room.
 */
function outputLimit({ knowledge, chosen }: TargetNeeds, { destination, request }: TargetRequest): number | undefined {
  const set = limitsOf(chosen, destination.provider, destination.model).maxOutputTokens;
  const stated = set ?? knowledge.outputLimitOf(destination) ?? undefined;
  const asked = request.maxOutputTokens;
  if (asked !== undefined) return stated === undefined ? asked : Math.min(asked, stated);
  if (set !== undefined || stated === undefined) return set;
  if (providerOf(destination.provider).execution !== 'cloud') return undefined;
  const window = knowledge.windowOf(modelIdOf(destination));
  // Some refuse a request whose limit would not fit into the window behind it.
  if (window === null || stated * 2 <= window) return stated;
  const room = window - Math.ceil(charsOf(request) / CHARS_PER_TOKEN);
  return room < MIN_ROOM ? undefined : Math.min(stated, room);
}

function charsOf({ system, messages, tools }: ModelRequest): number {
  return JSON.stringify([system, tools]).length + messages.reduce((sum, message) => sum + sizeOf(message), 0);
}

function sizeOf(message: ModelMessage): number {
  if (message.role === 'tool') return message.content.length;
  const parts = message.role === 'user' ? message.content : message.parts;
  return parts.reduce((sum, part) => {
    if (part.type === 'image') return sum + IMAGE_CHARS;
    return sum + (part.type === 'call' ? part.arguments.length : part.text.length);
  }, 0);
}

const IMAGE_CHARS = 4_800;

/** A working agent may run a long command without output. */
const AGENT_IDLE_MS = 1_800_000;

/** Loading a model may take minutes before its first output. */
const LOCAL_TIMES = { firstResponseMs: DEFAULT_FIRST_MS, idleMs: DEFAULT_FIRST_MS };

export function notConfigured(code: string, message: string): WireFailure {
  return new WireFailure(failureOf('not-configured', { code, message }));
}
