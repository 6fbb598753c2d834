import { type Ambient, AppError, type Environment, type OutboundHttp } from '@fucina/shared';
import { launchOf } from '../engine/launch.ts';
import { localModelsError } from '../errors.ts';
import type { FindLibrary } from '../library/engine-library.ts';
import { answersWithoutKey, type EngineFacts, engineUrl, facts, health } from './engine-client.ts';
import { type EngineProcess, startEngine } from './engine-process.ts';
import { type EngineState, nextEngineState } from './engine-state.ts';

/** The single process with a loaded model. */
export interface Supervisor extends AsyncDisposable {
  status(): EngineStatus;
  /**
   * Resolves when the model responds. RUNTIME_ALREADY_RUNNING while one is running, MODEL_LOAD_UNCONFIRMED after a
   * minute, LOCAL_RUNTIME_FAILED when the process ended, MODEL_FILE_UNREADABLE when the file was the cause.
   */
  start(load: EngineLoad): Promise<void>;
  /**
   * Resolves when the process has ended; nothing running is fine. RUNTIME_ALREADY_RUNNING while it is already stopping.
   */
  stop(): Promise<void>;
  /** Undefined while no model responds. The key is for the caller only, never for a status or a log. */
  address(): { endpoint: string; key: string; modelId: string } | undefined;
}

export interface EngineLoad {
  modelId: string;
  /** Absolute. */
  modelPath: string;
  contextTokens: number;
}

export interface EngineStatus extends EngineFacts {
  state: EngineState;
  modelId: string | null;
  port: number | null;
  /** Address without the key. */
  baseUrl: string | null;
  /** From 0 to 1 while it loads. */
  progress: number | null;
  /** Why it failed. */
  problem: string | null;
  /** Wall time in ms of the last change. */
  changedAt: number;
}

export interface SupervisorNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  environment: Environment;
  /** Absolute working folder of the engine. */
  folder: string;
  /** Path of an engine that the user installed; default: ours. */
  program: string | undefined;
  library: FindLibrary;
}

const POLL_MS = 100;
const LOAD_MS = 60_000;
const KEY_BYTES = 32;

interface Run {
  load: EngineLoad;
  key: string;
  child: EngineProcess;
  port: number | null;
  progress: number | null;
  facts: EngineFacts;
  isStopAsked: boolean;
}

export function createSupervisor(needs: SupervisorNeeds): Supervisor {
  const { ambient, http } = needs;
  let state: EngineState = 'unavailable';
  let problem: string | null = null;
  let changedAt = ambient.now();
  let run: Run | undefined;
  let stopping: Promise<void> | undefined;
  const move = (command: Parameters<typeof nextEngineState>[1], why: string | null = null): void => {
    state = nextEngineState(state, command);
    problem = why;
    changedAt = ambient.now();
    ambient.log.info('engine.state', { state, modelId: run?.load.modelId ?? null, problem });
  };
  /** Events of a process that was replaced are ignored. */
  const failed = (which: Run, why: string): void => {
    if (run !== which || (state !== 'loading' && state !== 'ready')) return;
    move('fail', why);
  };

  const noteEnd = async (which: Run): Promise<void> => {
    await which.child.ended;
    failed(which, which.child.problem() ?? 'ended');
  };
  const begin = async (load: EngineLoad): Promise<Run> => {
    const key = ambient.randomBytes(KEY_BYTES).toString('hex');
    ambient.log.redact(key);
    const launch = await launchOf({
      ...load,
      key,
      threads: null,
      program: needs.program,
      library: needs.library() ?? null,
    });
    const child = startEngine(needs, launch);
    const next: Run = { load, key, child, port: launch.port, progress: null, facts: NOTHING, isStopAsked: false };
    run = next;
    void noteEnd(next);
    return next;
  };

  return {
    status: () => ({
      state,
      modelId: run?.load.modelId ?? null,
      port: run?.port ?? null,
      baseUrl: run?.port == null ? null : engineUrl(run.port),
      progress: state === 'loading' ? (run?.progress ?? null) : null,
      problem,
      changedAt,
      ...(state === 'ready' && run ? run.facts : NOTHING),
    }),
    async start(load) {
      move('start');
      let started: Run | undefined;
      try {
        started = await begin(load);
        await confirm({ ambient, http }, started);
        if (started.isStopAsked) throw localModelsError('LOCAL_RUNTIME_FAILED', { reason: 'stopped' });
        move('confirm');
      } catch (error) {
        if (started) failed(started, reasonOf(error));
        else move('fail', 'not-started');
        await started?.child.stop();
        throw error;
      }
    },
    async stop() {
      if (state === 'unavailable') return;
      if (state === 'stopping') return stopping;
      move('stop');
      const leaving = run;
      if (leaving) leaving.isStopAsked = true;
      stopping = (async () => {
        await leaving?.child.stop();
        run = undefined;
        move('end');
      })();
      await stopping;
    },
    address() {
      if (state !== 'ready' || !run || run.port === null) return undefined;
      return { endpoint: `${engineUrl(run.port)}/v1`, key: run.key, modelId: run.load.modelId };
    },
    async [Symbol.asyncDispose]() {
      await this.stop();
    },
  };
}

const NOTHING: EngineFacts = { build: null, contextTokens: null };

/** Resolves when the engine reports that the model responds. */
async function confirm({ ambient, http }: Pick<SupervisorNeeds, 'ambient' | 'http'>, run: Run): Promise<void> {
  const { child } = run;
  const until = ambient.monotonic() + LOAD_MS;
  let isOver = false;
  void child.ended.then(() => {
    isOver = true;
  });
  const gone = (cause?: unknown): AppError => {
    if (run.isStopAsked) return localModelsError('LOCAL_RUNTIME_FAILED', { reason: 'stopped', cause });
    const why = child.problem() ?? 'ended';
    return why === 'file'
      ? localModelsError('MODEL_FILE_UNREADABLE', { reason: 'engine', cause })
      : localModelsError('LOCAL_RUNTIME_FAILED', { reason: why, cause });
  };
  try {
    run.port = await child.port;
  } catch (cause) {
    throw gone(cause);
  }
  const address = { port: run.port, key: run.key };
  while (!isOver && ambient.monotonic() < until) {
    const answer = await health(http, address);
    if (answer?.isReady) {
      if (await answersWithoutKey(http, address))
        throw localModelsError('LOCAL_RUNTIME_FAILED', { reason: 'key-not-asked' });
      run.facts = await facts(http, address);
      return;
    }
    run.progress = answer?.progress ?? run.progress;
    await ambient.sleep(POLL_MS);
  }
  throw isOver ? gone() : localModelsError('MODEL_LOAD_UNCONFIRMED', { reason: 'no-answer-in-time' });
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? (error.reason ?? error.code) : 'unexpected';
}
