import { createRequire } from 'node:module';
import { setInterval as every } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

export interface WorkerBounds {
  /** Wall time in ms; the worker is terminated afterwards. */
  timeoutMs: number;
  /**
   * Old-generation heap in MiB. Buffers are outside the heap: the whole process may grow by twice as much during the
   * job.
   */
  memoryMiB: number;
  signal?: AbortSignal;
}

/** Why a job gave no answer; its own exceptions are `failed` with the cause. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  readonly problem: 'timeout' | 'memory' | 'aborted' | 'failed';

  constructor(problem: WorkerError['problem'], cause?: unknown) {
    super(`worker ${problem}`, { cause });
    this.problem = problem;
  }
}

/** A job that ends by its answer, a failure, its time or the caller's signal: whichever comes first. */
export interface BoundedJob<Answer> {
  answer: Promise<Answer>;
  succeed(answer: Answer): void;
  fail(problem: WorkerError['problem'], cause?: unknown): void;
  /** Aborts when the job has ended. */
  over: AbortSignal;
}

/** `stop` is called once, when the job has ended: it ends the thread or process. */
export function boundedJob<Answer>(
  { timeoutMs, signal }: Pick<WorkerBounds, 'timeoutMs' | 'signal'>,
  stop: () => void,
): BoundedJob<Answer> {
  const over = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  let settle!: { resolve(answer: Answer): void; reject(error: unknown): void };
  const answer = new Promise<Answer>((resolve, reject) => (settle = { resolve, reject }));
  const end = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    stop();
  };
  const fail: BoundedJob<Answer>['fail'] = (problem, cause) => {
    end();
    settle.reject(new WorkerError(problem, cause));
  };
  const listening = { signal: over.signal };
  timeout.addEventListener('abort', () => fail('timeout'), listening);
  signal?.addEventListener('abort', () => fail('aborted', signal.reason), listening);
  if (signal?.aborted) fail('aborted', signal.reason);
  return {
    answer,
    succeed(value) {
      end();
      settle.resolve(value);
    },
    fail,
    over: over.signal,
  };
}

const WATCH_MS = 50;
/**
 * Runs one job over untrusted bytes in a thread with time and memory bounds. The module at `entry` reads `workerData`
 * and posts exactly one message, the answer.
 */
export function runInWorker<Answer>(entry: URL, input: unknown, bounds: WorkerBounds): Promise<Answer> {
  const worker = startThread(entry, { input, memoryMiB: bounds.memoryMiB });
  const { answer, succeed, fail, over } = boundedJob<Answer>(bounds, () => void worker.terminate());
  worker.once('message', succeed);
  worker.once('error', (error: Error & { code?: string }) =>
    fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failed', error),
  );
  worker.once('exit', (code) => fail('failed', new Error(`exit ${code}`)));
  void watchMemory(bounds.memoryMiB, over).then(
    () => fail('memory'),
    () => undefined, // ended before it grew too much
  );
  return answer;
}

/** A thread that runs the module at `entry`, with `input` as its `workerData`. */
export function startThread(entry: URL, { input, memoryMiB }: { input: unknown; memoryMiB: number }): Worker {
  const isSource = entry.pathname.endsWith('.ts');
  const options: WorkerOptions = {
    workerData: input,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    ...(isSource && { execArgv: ['--conditions=@fucina/source'] }),
  };
  const worker = new Worker(isSource ? startOfSource(entry) : entry, options);
  // A library's messages about a file do not belong in our log.
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/** Resolves when this process has grown by twice the limit; rejects when the signal aborts. */
async function watchMemory(memoryMiB: number, signal: AbortSignal): Promise<void> {
  const limit = process.memoryUsage.rss() + 2 * memoryMiB * 1024 * 1024;
  for await (const _tick of every(WATCH_MS, undefined, { ref: false, signal })) {
    if (process.memoryUsage.rss() > limit) return;
  }
}

/** Tests and development run the TypeScript source with tsx; a build contains only JavaScript. */
function startOfSource(entry: URL): URL {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const api = new URL('./dist/esm/api/index.mjs', tsx);
  const code = `import { register } from '${api.href}'; register(); await import('${entry.href}');`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
