import { type Ambient, type Environment, isAppError, type OutboundHttp } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import { type Capacity, capacityOf } from '../fit/capacity.ts';
import {
  createHeaderCache,
  estimatedFit,
  type FitAnswer,
  type FitRequest,
  type HeaderCache,
  type ModelFit,
  modelFit,
  type Running,
  readRequest,
} from '../fit/fit.ts';
import type { ModelHeader } from '../fit/header.ts';
import { type Machine, thisMachine } from '../fit/machine.ts';
import { generateOnce, type Qualified, qualifiedModel } from '../fit/qualify.ts';
import { engineLibrary, type FindLibrary } from '../library/engine-library.ts';
import type { InstalledModels, ModelRecord } from '../model-record.ts';
import { facts } from './engine-client.ts';
import { type ExternalAddress, type ExternalRuntime, isModelInMemory } from './external-runtime.ts';
import { createLmStudio } from './lm-studio.ts';
import { createOllama } from './ollama.ts';
import { contextFor, type EnginePlace, engineAbsence, loadableHeader, readyModel } from './own-engine.ts';
import {
  type LoadedModel,
  type LoadRequest,
  RUNTIME_IDS,
  type RuntimeId,
  type RuntimeModel,
  type RuntimeView,
  type UnloadedModel,
} from './runtime.ts';
import { createSupervisor, type EngineStatus, type Supervisor } from './supervisor.ts';

/** The local engines: loaded models, capabilities and measured speed. */
export interface LocalRuntimes extends AsyncDisposable {
  /** One row per engine, also for missing ones. */
  list(): Promise<RuntimeView[]>;
  /** Codes as listed for its operation; RUNTIME_NOT_AVAILABLE for an unknown or missing engine. */
  load(request: LoadRequest): Promise<LoadedModel>;
  unload(request: { runtimeId: string; modelId?: string }): Promise<UnloadedModel>;
  fit(modelId: string, request: FitRequest): Promise<ModelFit>;
  estimate(request: { bytes: number; contextTokens?: number }): Promise<FitAnswer>;
  /** One real generation, with the user's consent. */
  qualify(modelId: string, request: FitRequest & { consent: unknown }): Promise<Qualified>;
  capacity(): Promise<Capacity>;
  /** Whether our own engine has the model loaded, or is loading it. */
  isLoaded(modelId: string): boolean;
  /** Address of our own engine for this model; undefined while it does not serve it. */
  engine(modelId: string): { endpoint: string; key: string } | undefined;
  /** Context size of our own engine's model, in tokens. */
  contextTokens(modelId: string): number | undefined;
  /** One of the rows of `list`; undefined for an unknown engine. */
  view(runtimeId: string): Promise<RuntimeView | undefined>;
  /** Status of our own engine: whether it can start, and graphics cards that it does not use. */
  check(): Promise<{ state: EngineStatus['state']; absence: string | null; unusedGraphics: string[] }>;
}

export interface LocalRuntimesNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  /** Environment of this process: an engine gets only its safe part. */
  environment: Environment;
  /** Absolute and existing: where models and engines run and are measured. */
  dataDir: string;
  installed: InstalledModels;
  /** Path of a llama-server that the user installed; default: our own engine. */
  program?: string | undefined;
  /** Default: `engineLibrary`. */
  library?: FindLibrary | undefined;
  /** Addresses of external programs. */
  address(runtime: 'ollama' | 'lmstudio'): Promise<ExternalAddress>;
  /** Default: this one. */
  machine?: Machine;
}

export function createLocalRuntimes(needs: LocalRuntimesNeeds): LocalRuntimes {
  const { ambient, http, program, installed, dataDir } = needs;
  const library = needs.library ?? (() => engineLibrary(dataDir));
  const machine = needs.machine ?? thisMachine({ ambient, folder: dataDir });
  const headers = createHeaderCache(library);
  const supervisor = createSupervisor({ ...needs, program, folder: dataDir, library });
  const others: Record<'ollama' | 'lmstudio', ExternalRuntime> = {
    ollama: createOllama({ http, address: () => needs.address('ollama') }),
    lmstudio: createLmStudio({ http, address: () => needs.address('lmstudio') }),
  };
  const parts: Parts = { ambient, http, machine, headers, supervisor, installed, program, library };
  const view = (id: RuntimeId): Promise<RuntimeView> =>
    id === 'llama.cpp' ? ownView(parts) : otherView(ambient, id, others[id]);
  return {
    list: () => Promise.all(RUNTIME_IDS.map(view)),
    async view(runtimeId) {
      const known = RUNTIME_IDS.find((id) => id === runtimeId);
      return known && view(known);
    },
    async load(request) {
      const { runtimeId } = request;
      if (runtimeId === 'llama.cpp') return loadOwn(parts, request);
      if (runtimeId === 'ollama' || runtimeId === 'lmstudio')
        return loadOther(ambient, others[runtimeId], { ...request, runtimeId });
      throw localModelsError('RUNTIME_NOT_AVAILABLE', { reason: 'unknown' });
    },
    async unload({ runtimeId, modelId }) {
      if (runtimeId === 'llama.cpp') return unloadOwn(parts, modelId);
      if (runtimeId === 'ollama' || runtimeId === 'lmstudio')
        return unloadOther(ambient, others[runtimeId], { runtimeId, modelId });
      throw localModelsError('RUNTIME_NOT_AVAILABLE', { reason: 'unknown' });
    },
    fit: (modelId, request) => fitOf(parts, modelId, request),
    async estimate(request) {
      await assertThere(parts);
      return estimatedFit({ ambient, machine }, request);
    },
    qualify: (modelId, request) => qualify(parts, modelId, request),
    async capacity() {
      const reason = await engineAbsence(parts);
      const { state, problem } = supervisor.status();
      const runtime = reason ? { status: 'unconfigured', reason } : { status: state, reason: problem };
      return capacityOf(machine, { runtime, now: ambient.now() });
    },
    isLoaded: (modelId) => holds(supervisor.status(), modelId),
    contextTokens(modelId) {
      const { state, contextTokens, ...status } = supervisor.status();
      return state === 'ready' && status.modelId === modelId ? (contextTokens ?? undefined) : undefined;
    },
    engine(modelId) {
      const address = supervisor.address();
      return address?.modelId === modelId ? { endpoint: address.endpoint, key: address.key } : undefined;
    },
    async check() {
      const [absence, graphics] = await Promise.all([engineAbsence(parts), usableGraphics(machine)]);
      return { state: supervisor.status().state, absence, unusedGraphics: program === undefined ? graphics : [] };
    },
    [Symbol.asyncDispose]: () => supervisor[Symbol.asyncDispose](),
  };
}

interface Parts {
  ambient: Ambient;
  http: OutboundHttp;
  machine: Machine;
  headers: HeaderCache;
  supervisor: Supervisor;
  installed: InstalledModels;
  program: string | undefined;
  library: FindLibrary;
}

function holds({ state, modelId }: EngineStatus, wanted: string): boolean {
  return modelId === wanted && (state === 'loading' || state === 'ready' || state === 'stopping');
}

/** RUNTIME_NOT_AVAILABLE, LOCAL_RUNTIME_PROBE_MISCONFIGURED if `misnamed` says so. */
async function assertThere(place: EnginePlace, misnamed?: 'LOCAL_RUNTIME_PROBE_MISCONFIGURED'): Promise<void> {
  const absence = await engineAbsence(place);
  if (!absence) return;
  if (absence === 'program-unusable' && misnamed) throw localModelsError(misnamed, { reason: absence });
  throw localModelsError('RUNTIME_NOT_AVAILABLE', { reason: absence });
}

async function ownView(parts: Parts): Promise<RuntimeView> {
  const { ambient, supervisor, installed } = parts;
  const absence = await engineAbsence(parts);
  const status = supervisor.status();
  const base = { runtimeId: 'llama.cpp' as const, runtimeState: status.state, observedAt: ambient.now() };
  if (absence) return { ...base, state: 'unavailable', models: [], modelsError: null, reason: absence, progress: null };
  const { models, modelsError } = await listed(async () => {
    const records = await installed.list();
    return records
      .filter(({ state }) => state === 'ready')
      .map(({ id, name, bytes }) => ({
        modelId: id,
        name: name ?? null,
        isLoaded: status.state === 'ready' && status.modelId === id,
        contextTokens: status.state === 'ready' && status.modelId === id ? status.contextTokens : null,
        sizeBytes: bytes,
      }));
  });
  return { ...base, state: 'observed', models, modelsError, reason: status.problem, progress: status.progress };
}

async function otherView(ambient: Ambient, runtimeId: RuntimeId, runtime: ExternalRuntime): Promise<RuntimeView> {
  const { models, modelsError } = await listed(() => runtime.models());
  const isThere = modelsError !== 'RUNTIME_UNREACHABLE';
  const isHolding = models.some(({ isLoaded }) => isLoaded);
  return {
    runtimeId,
    state: isThere ? 'observed' : 'unavailable',
    runtimeState: isHolding ? 'ready' : 'unavailable',
    models,
    modelsError: isThere ? modelsError : null,
    reason: isThere ? null : 'unreachable',
    progress: null,
    observedAt: ambient.now(),
  };
}

async function listed(
  list: () => Promise<RuntimeModel[]>,
): Promise<{ models: RuntimeModel[]; modelsError: string | null }> {
  try {
    return { models: await list(), modelsError: null };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { models: [], modelsError: error.code };
  }
}

async function loadOwn(parts: Parts, { modelId, contextTokens: asked }: LoadRequest): Promise<LoadedModel> {
  const { ambient, supervisor, machine, program } = parts;
  await assertThere(parts);
  const contextTokens = await startOwn(parts, modelId, asked);
  const { contextTokens: given } = supervisor.status();
  const graphics = program === undefined ? await usableGraphics(machine) : [];
  const note = graphics.length > 0 ? 'gpu-not-used' : null;
  return {
    runtimeId: 'llama.cpp',
    modelId,
    state: 'loaded',
    contextTokens: given ?? contextTokens,
    note,
    observedAt: ambient.now(),
  };
}

/** Returns the chosen context size. */
async function startOwn(
  { installed, supervisor, headers, machine }: Parts,
  modelId: string,
  asked: number | undefined,
): Promise<number> {
  const record = await readyModel(installed, modelId);
  const { state } = supervisor.status();
  if (state !== 'unavailable' && state !== 'failed')
    throw localModelsError('RUNTIME_ALREADY_RUNNING', { reason: state });
  const header = await loadableHeader(headers.sizesOf, record);
  const contextTokens = await contextFor(machine, { record, header, asked });
  await supervisor.start({ modelId, modelPath: record.path, contextTokens });
  return contextTokens;
}

async function usableGraphics(machine: Machine): Promise<string[]> {
  const graphics = await machine.graphics().catch(() => null);
  return (graphics ?? []).filter(({ backend }) => backend !== 'none').map(({ name }) => name);
}

async function unloadOwn(parts: Parts, modelId: string | undefined): Promise<UnloadedModel> {
  const { ambient, supervisor } = parts;
  await assertThere(parts);
  const held = supervisor.status().modelId;
  if (modelId !== undefined && held !== modelId) throw localModelsError('MODEL_NOT_FOUND', { reason: 'not-loaded' });
  await supervisor.stop();
  return { runtimeId: 'llama.cpp', modelId: held, state: 'unloaded', observedAt: ambient.now() };
}

async function loadOther(
  ambient: Ambient,
  runtime: ExternalRuntime,
  { runtimeId, modelId, contextTokens }: LoadRequest & { runtimeId: RuntimeId },
): Promise<LoadedModel> {
  await runtime.load(modelId, contextTokens);
  if (!(await isModelInMemory(runtime, modelId))) throw localModelsError('MODEL_LOAD_UNCONFIRMED');
  const held = (await runtime.models()).find((model) => model.modelId === modelId);
  const observedAt = ambient.now();
  return { runtimeId, modelId, state: 'loaded', contextTokens: held?.contextTokens ?? null, note: null, observedAt };
}

/** Without a model: unloads every loaded one. */
async function unloadOther(
  ambient: Ambient,
  runtime: ExternalRuntime,
  { runtimeId, modelId }: { runtimeId: RuntimeId; modelId: string | undefined },
): Promise<UnloadedModel> {
  const held = modelId === undefined ? (await runtime.models()).filter(({ isLoaded }) => isLoaded) : [{ modelId }];
  for (const one of held) {
    await runtime.unload(one.modelId);
    if ((await isModelInMemory(runtime, one.modelId)) !== false) throw localModelsError('MODEL_UNLOAD_UNCONFIRMED');
  }
  return { runtimeId, modelId: modelId ?? null, state: 'unloaded', observedAt: ambient.now() };
}

async function fitOf(parts: Parts, modelId: string, request: FitRequest): Promise<ModelFit> {
  readRequest(request);
  await assertThere(parts, 'LOCAL_RUNTIME_PROBE_MISCONFIGURED');
  const record = await readyModel(parts.installed, modelId);
  return fitWith(parts, record, { header: await parts.headers.of(record), request });
}

async function fitWith(
  parts: Parts,
  record: ModelRecord,
  { header, request }: { header: ModelHeader; request: FitRequest },
): Promise<ModelFit> {
  const running = await runningFacts(parts, record.id);
  return modelFit(parts, record, { header, running, request });
}

const BACKEND = 'cpu';

/** As the engine reports it; undefined while it has another model or none loaded. RUNTIME_PROBE_FAILED. */
async function runningFacts({ supervisor, http, program }: Parts, modelId: string): Promise<Running | undefined> {
  const address = supervisor.address();
  const { port } = supervisor.status();
  if (address?.modelId !== modelId || port === null) return undefined;
  const { build, contextTokens } = await facts(http, { port, key: address.key });
  if (build === null && contextTokens === null) throw localModelsError('RUNTIME_PROBE_FAILED');
  return { build, contextTokens, backend: program === undefined ? BACKEND : 'program' };
}

async function qualify(
  parts: Parts,
  modelId: string,
  { consent, ...request }: FitRequest & { consent: unknown },
): Promise<Qualified> {
  if (consent !== true) throw localModelsError('PROBE_CONSENT_REQUIRED');
  readRequest(request);
  await assertThere(parts);
  const record = await readyModel(parts.installed, modelId);
  const header = await loadableHeader(parts.headers.of, record);
  const fit = await fitWith(parts, record, { header, request });
  if (fit.state !== 'compatible') throw localModelsError('MODEL_NOT_COMPATIBLE', { reason: fit.reason });
  const { ambient, supervisor } = parts;
  const isOurs = !holds(supervisor.status(), modelId);
  try {
    if (isOurs) await startForProbe(parts, modelId, fit.context.requestedTokens);
    const address = supervisor.address();
    const running = await runningFacts(parts, modelId);
    if (!address || !running) throw localModelsError('RUNTIME_PROBE_FAILED', { reason: 'engine-gone' });
    const generation = await generateOnce(parts, address);
    const { backend, build, contextTokens } = running;
    const tokens = contextTokens ?? fit.context.requestedTokens;
    return qualifiedModel(generation, { modelId, backend, build, contextTokens: tokens, measuredAt: ambient.now() });
  } finally {
    if (isOurs && supervisor.status().modelId === modelId) await supervisor.stop();
  }
}

/** RUNTIME_NOT_AVAILABLE while another model is loaded, RUNTIME_PROBE_FAILED when the engine does not start. */
async function startForProbe(parts: Parts, modelId: string, contextTokens: number): Promise<void> {
  try {
    await startOwn(parts, modelId, contextTokens);
  } catch (cause) {
    if (isAppError(cause, 'RUNTIME_ALREADY_RUNNING'))
      throw localModelsError('RUNTIME_NOT_AVAILABLE', { reason: 'another-model', cause });
    if (isAppError(cause, 'LOCAL_RUNTIME_FAILED', 'MODEL_LOAD_UNCONFIRMED'))
      throw localModelsError('RUNTIME_PROBE_FAILED', { reason: cause.reason, cause });
    throw cause;
  }
}
