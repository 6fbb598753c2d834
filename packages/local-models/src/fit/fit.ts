import { stat } from 'node:fs/promises';
import type { Ambient } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import { RESERVE_BYTES } from '../installed/model-folder.ts';
import type { FindLibrary } from '../library/engine-library.ts';
import type { ModelRecord } from '../model-record.ts';
import { type ModelHeader, readHeader } from './header.ts';
import type { Machine } from './machine.ts';
import { estimatedBytes, memoryNeeds, totalBytes } from './memory-needs.ts';

/** `agent` uses tools in a long conversation; `chat` only talks. */
export type Profile = 'agent' | 'chat';
export type FitState = 'compatible' | 'chat-only' | 'blocked' | 'unknown';
export type FitReason = 'fits' | 'storage' | 'memory' | 'context' | 'capabilities' | 'template' | 'measurement';

/** A fact about a model: measured, stated by its file, or unknown, and then null. */
export interface ModelFact<Value> {
  state: 'observed' | 'declared' | 'unknown';
  value: Value | null;
}

export interface FitAnswer {
  profile: Profile;
  state: FitState;
  reason: FitReason;
  context: { requestedTokens: number; availableTokens: number | null };
  storage: { requiredBytes: number; availableBytes: number | null };
  memory: { requiredBytes: number; availableBytes: number | null };
}

export interface ModelFit extends FitAnswer {
  modelId: string;
  inspection: Inspection;
}

export interface Inspection {
  modelId: string;
  format: ModelFact<{ magic: 'GGUF'; version: number }>;
  storageBytes: ModelFact<number>;
  workingMemoryBytes: ModelFact<number>;
  context: { trainedTokens: ModelFact<number>; runtimeTokens: ModelFact<number>; effectiveTokens: ModelFact<number> };
  /** Whether its file contains a chat template. */
  template: ModelFact<boolean>;
  capabilities: { tools: ModelFact<boolean>; toolCalls: ModelFact<boolean>; systemRole: ModelFact<boolean> };
  backend: ModelFact<string>;
  build: ModelFact<string>;
  /** Wall time in ms. */
  observedAt: number;
}

export interface FitRequest {
  /** Default: agent. FIT_INVALID for any other value. */
  profile?: string;
  contextTokens?: number;
}

/** What an engine reports about its loaded model. */
export interface Running {
  contextTokens: number | null;
  backend: string;
  build: string | null;
}

const DEFAULT_TOKENS: Record<Profile, number> = { agent: 65_536, chat: 4_096 };
const AGENT_TOKENS = 65_536;
const MAX_TOKENS = 16_777_216;
const MAX_BYTES = 2 ** 50;

/** FIT_INVALID. */
export function readRequest({ profile = 'agent', contextTokens }: FitRequest): { profile: Profile; tokens: number } {
  if (profile !== 'agent' && profile !== 'chat') throw localModelsError('FIT_INVALID', { reason: 'profile' });
  const tokens = contextTokens ?? DEFAULT_TOKENS[profile];
  if (!Number.isInteger(tokens) || tokens < 1 || tokens > MAX_TOKENS)
    throw localModelsError('FIT_INVALID', { reason: 'context' });
  return { profile, tokens };
}

/** Headers by file, cached while the file is unchanged. Codes as in `readHeader`. */
export interface HeaderCache {
  /** Includes the inspection of the template. */
  of(record: ModelRecord): Promise<ModelHeader>;
  /** Faster: skips the template. */
  sizesOf(record: ModelRecord): Promise<ModelHeader>;
}

export function createHeaderCache(library: FindLibrary): HeaderCache {
  const kept = new Map<string, { stamp: string; header: Promise<ModelHeader> }>();
  const read = async ({ path }: ModelRecord, renderer: string | undefined): Promise<ModelHeader> => {
    const stamp = await stampOf(path);
    const name = `${renderer !== undefined} ${path}`;
    // A cached header with the template also answers a request without it.
    const known = kept.get(`true ${path}`) ?? kept.get(name);
    if (known?.stamp === stamp) return known.header;
    const header = readHeader(path, renderer);
    kept.set(name, { stamp, header });
    header.catch(() => kept.delete(name));
    return header;
  };
  return { of: (record) => read(record, library()), sizesOf: (record) => read(record, undefined) };
}

async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(path);
    return `${mtimeMs} ${size}`;
  } catch (cause) {
    throw localModelsError('MODEL_HEADER_UNREADABLE', { cause });
  }
}

export interface FitNeeds {
  ambient: Ambient;
  machine: Machine;
}

/** `running` is given when an engine has loaded this model. */
export async function modelFit(
  { ambient, machine }: FitNeeds,
  record: ModelRecord,
  given: { header: ModelHeader; running: Running | undefined; request: FitRequest },
): Promise<ModelFit> {
  const { header, running, request } = given;
  const { profile, tokens } = readRequest(request);
  const needs = memoryNeeds(header, weightsOf(record), tokens);
  const requiredBytes = needs ? totalBytes(needs) : record.bytes;
  const [memory, storage] = await Promise.all([measured(machine.memory), measured(machine.storage)]);
  const held = running && needs ? totalBytes(needs) : 0;
  const inspection = inspect(record, { header, running, workingBytes: needs && requiredBytes, at: ambient.now() });
  const measures = {
    context: { requestedTokens: tokens, availableTokens: inspection.context.effectiveTokens.value },
    // Its files are already on the disk: they do not need more space.
    storage: { requiredBytes: record.bytes, availableBytes: storage && storage.availableBytes + record.bytes },
    memory: { requiredBytes, availableBytes: memory && memory.availableBytes + held },
  };
  const verdict = needs ? judge(profile, measures, inspection) : ({ state: 'unknown', reason: 'measurement' } as const);
  return { modelId: record.id, profile, ...verdict, ...measures, inspection };
}

/** Estimates by size only, before a model is downloaded. FIT_INVALID. */
export async function estimatedFit(
  { machine }: FitNeeds,
  { bytes, contextTokens }: { bytes: number; contextTokens?: number },
): Promise<FitAnswer> {
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > MAX_BYTES)
    throw localModelsError('FIT_INVALID', { reason: 'bytes' });
  const isChat = contextTokens !== undefined && contextTokens < AGENT_TOKENS;
  const { profile, tokens } = readRequest({ profile: isChat ? 'chat' : 'agent', contextTokens });
  const [memory, storage] = await Promise.all([measured(machine.memory), measured(machine.storage)]);
  const room = storage && Math.max(0, storage.availableBytes - RESERVE_BYTES);
  const measures = {
    context: { requestedTokens: tokens, availableTokens: null },
    storage: { requiredBytes: bytes, availableBytes: room },
    memory: { requiredBytes: estimatedBytes(bytes, tokens), availableBytes: memory && memory.availableBytes },
  };
  return { profile, ...(outOfRoom(measures) ?? FITS), ...measures };
}

type Verdict = Pick<FitAnswer, 'state' | 'reason'>;
type Measures = Pick<FitAnswer, 'context' | 'storage' | 'memory'>;

const FITS: Verdict = { state: 'compatible', reason: 'fits' };

/** The first unmet requirement gives the reason. */
function judge(profile: Profile, measures: Measures, { capabilities, template }: Inspection): Verdict {
  const wanting = outOfRoom(measures);
  if (wanting) return wanting;
  const { requestedTokens, availableTokens } = measures.context;
  if (availableTokens === null) return { state: 'unknown', reason: 'context' };
  if (availableTokens < requestedTokens)
    return { state: profile === 'agent' ? 'chat-only' : 'blocked', reason: 'context' };
  if (profile === 'chat') return FITS;
  if (availableTokens < AGENT_TOKENS) return { state: 'chat-only', reason: 'context' };
  if (template.value === false) return { state: 'chat-only', reason: 'template' };
  const seen = Object.values(capabilities);
  if (seen.some(({ value }) => value === false)) return { state: 'chat-only', reason: 'capabilities' };
  return seen.every(({ state }) => state === 'observed') ? FITS : { state: 'unknown', reason: 'capabilities' };
}

function outOfRoom({ storage, memory }: Measures): Verdict | undefined {
  for (const [reason, { requiredBytes, availableBytes }] of Object.entries({ storage, memory })) {
    if (availableBytes === null) return { state: 'unknown', reason: 'measurement' };
    if (requiredBytes > availableBytes) return { state: 'blocked', reason: reason as 'storage' | 'memory' };
  }
  return undefined;
}

interface Seen {
  header: ModelHeader;
  running: Running | undefined;
  workingBytes: number | null;
  at: number;
}

function inspect(record: ModelRecord, { header, running, workingBytes, at }: Seen): Inspection {
  const runtimeTokens = observedFact(running?.contextTokens);
  const { template } = header;
  return {
    modelId: record.id,
    format: observedFact({ magic: 'GGUF', version: header.version } as const),
    storageBytes: observedFact(record.bytes),
    workingMemoryBytes: workingBytes === null ? UNKNOWN : { state: 'declared', value: workingBytes },
    context: {
      trainedTokens: observedFact(header.trainedTokens),
      runtimeTokens,
      effectiveTokens: observedFact(Math.min(header.trainedTokens, runtimeTokens.value ?? header.trainedTokens)),
    },
    template: observedFact(header.hasTemplate),
    capabilities: {
      tools: observedFact(template?.tools),
      toolCalls: observedFact(template?.toolCalls),
      systemRole: observedFact(template?.systemRole),
    },
    backend: observedFact(running?.backend),
    build: observedFact(running?.build),
    observedAt: at,
  };
}

const UNKNOWN = { state: 'unknown', value: null } as const;

export function observedFact<Value>(value: Value | null | undefined): ModelFact<Value> {
  return value === null || value === undefined ? UNKNOWN : { state: 'observed', value };
}

/** The files that an engine loads; images and documents beside them do not count. */
function weightsOf({ files, bytes }: ModelRecord): number {
  const models = files.filter(({ path }) => path.toLowerCase().endsWith('.gguf') && !/(^|\/)mmproj/i.test(path));
  return models.length > 0 ? models.reduce((sum, file) => sum + file.bytes, 0) : bytes;
}

async function measured<Value>(measure: () => Promise<Value>): Promise<Value | null> {
  try {
    return await measure();
  } catch {
    return null; // unmeasurable values are reported as unknown
  }
}
