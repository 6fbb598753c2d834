import { Worker, type WorkerOptions } from 'node:worker_threads';

export interface WorkerBounds {
  /** Wall time in ms; the worker is then ended. */
  timeoutMs: number;
  /** Old-generation heap in MiB. */
  memoryMiB: number;
  signal?: AbortSignal;
}

/** Why a job did not answer; its own exceptions come as `failed` with the cause. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  readonly problem: 'timeout' | 'memory' | 'aborted' | 'failed';

  constructor(problem: WorkerError['problem'], cause?: unknown) {
    super(`worker ${problem}`, { cause });
    this.problem = problem;
  }
}

/**
 * Runs one job over untrusted bytes in a thread with time and memory bounds. The module at `entry` reads `workerData`
 * and posts exactly one message, the answer.
 */
export function runInWorker<Answer>(entry: URL, input: unknown, bounds: WorkerBounds): Promise<Answer> {
  const options: WorkerOptions = {
    workerData: input,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMiB },
  };
  const worker = new Worker(entry, options);

  return new Promise<Answer>((resolve, reject) => {
    const timeout = AbortSignal.timeout(bounds.timeoutMs);
    const onTimeout = (): void => finish(() => reject(new WorkerError('timeout')));
    const onAbort = (): void => finish(() => reject(new WorkerError('aborted', bounds.signal?.reason)));
    const finish = (settle: () => void): void => {
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
  });
}
