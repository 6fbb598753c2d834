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

const WATCH_MS = 50;
/**
 * Runs one job over untrusted bytes in a thread with time and memory bounds. The module at `entry` reads `workerData`
 * and posts exactly one message, the answer.
 */
export function runInWorker<Answer>(entry: URL, input: unknown, bounds: WorkerBounds): Promise<Answer> {
  const worker = startThread(entry, { input, memoryMiB: bounds.memoryMiB });

  return new Promise<Answer>((resolve, reject) => {
    const timeout = AbortSignal.timeout(bounds.timeoutMs);
    const onTimeout = (): void => finish(() => reject(new WorkerError('timeout')));
    const onAbort = (): void => finish(() => reject(new WorkerError('aborted', bounds.signal?.reason)));
    const over = new AbortController();
    const finish = (settle: () => void): void => {
      over.abort();
      timeout.removeEventListener('abort', onTimeout);
      bounds.signal?.removeEventListener('abort', onAbort);
      void worker.terminate();
      settle();
    };
    timeout.addEventListener('abort', onTimeout);
    bounds.signal?.addEventListener('abort', onAbort);
    worker.once('message', (answer: Answer) => finish(() => resolve(answer)));
    worker.once('error', (error: Error & { code?: string }) =>
      finish(() => reject(new WorkerError(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failed', error))),
    );
    worker.once('exit', (code) => finish(() => reject(new WorkerError('failed', new Error(`exit ${code}`)))));
    if (bounds.signal?.aborted) onAbort();
    void watchMemory(bounds.memoryMiB, over.signal).then(
      () => finish(() => reject(new WorkerError('memory'))),
      () => undefined, // ended before it grew too much
    );
  });
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
