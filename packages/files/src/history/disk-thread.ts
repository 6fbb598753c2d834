import type { Worker } from 'node:worker_threads';
import { type Ambient, HAS_PROC, moduleBeside, startThread } from '@fucina/shared';
import {
  type DiskAnswer,
  type DiskFacts,
  type DiskRequest,
  FACTS,
  type FactsAnswer,
  type KeepAnswer,
  type KeepRequest,
} from './disk-messages.ts';
import { factsNow } from './facts-now.ts';
import { keepNow } from './keep-now.ts';

/** Does for many paths what would hold up the event loop. Its functions reject when the signal aborts. */
export interface DiskThread {
  /** What the disk knows, in the order of the paths (absolute); undefined for a missing or unreadable one. */
  facts(paths: readonly string[], options?: { followsLinks?: boolean }): Promise<(DiskFacts | undefined)[]>;
  /** Stores contents; in the order of the files. In any doubt, and on systems other than Linux, the answer is null. */
  keep(request: Omit<KeepRequest, 'kind'>): Promise<KeepAnswer>;
}

interface DiskNeeds {
  ambient: Ambient;
  /** Ends it. */
  signal: AbortSignal;
}

/** Up to this many are asked here, and as many stored if they are small: the way to a thread and back takes as long. */
const HERE = 64;
const SMALL_BYTES = 512 * 1024;
/** A thread that nobody has asked for so long ends. */
const IDLE_MS = 60_000;
const MEMORY_MIB = 64;

interface Thread {
  ask(request: DiskRequest): Promise<DiskAnswer>;
  end(): void;
}

export function createDiskThread({ ambient, signal }: DiskNeeds): DiskThread {
  let thread: Thread | undefined;
  let asked = 0;
  let cancelEnd = (): void => undefined;
  const end = (): void => {
    cancelEnd();
    thread?.end();
    thread = undefined;
  };
  signal.addEventListener('abort', end, { once: true });

  const started = (): Thread => {
    const one = startWorker(() => {
      if (thread === one) thread = undefined;
    });
    return one;
  };
  const ask = async (request: DiskRequest): Promise<FactsAnswer | KeepAnswer> => {
    signal.throwIfAborted();
    cancelEnd();
    asked += 1;
    thread ??= started();
    const answer = await thread.ask(request);
    asked -= 1;
    if (asked === 0 && thread) cancelEnd = ambient.timer(IDLE_MS, end);
    if (typeof answer === 'string') throw new Error(answer);
    return answer;
  };

  return {
    async facts(paths, { followsLinks = false } = {}) {
      signal.throwIfAborted();
      if (paths.length <= HERE) return paths.map((path) => factsNow(path, followsLinks));
      const numbers = (await ask({ kind: 'facts', paths, followsLinks })) as FactsAnswer;
      return paths.map((_path, at) => factsIn(numbers, at * FACTS.length));
    },
    async keep(keeping) {
      if (!HAS_PROC) return keeping.files.map(() => null);
      const request: KeepRequest = { kind: 'keep', ...keeping };
      const sizeBytes = request.files.reduce((sum, { stamp }) => sum + stamp.size, 0);
      if (request.files.length <= HERE && sizeBytes <= SMALL_BYTES) return keepNow(request);
      return (await ask(request)) as KeepAnswer;
    },
  };
}

const entry = moduleBeside(import.meta.url, 'disk-worker');

/** Answers in the order of the requests. `onEnd`: it ended by itself. */
function startWorker(onEnd: () => void): Thread {
  const worker: Worker = startThread(entry, { input: undefined, memoryMiB: MEMORY_MIB });
  worker.unref();
  const waiting: ((answer: DiskAnswer) => void)[] = [];
  const answerNext = (answer: DiskAnswer): void => {
    waiting.shift()?.(answer);
    if (waiting.length === 0) worker.unref();
  };
  const over = (reason: string): void => {
    while (waiting.length > 0) answerNext(reason);
    onEnd();
  };
  worker.on('message', answerNext);
  worker.once('error', (error) => over(error.message));
  worker.once('exit', () => over('the thread ended'));
  return {
    ask: (request) =>
      new Promise((resolve) => {
        worker.ref();
        waiting.push(resolve);
        worker.postMessage(request);
      }),
    end: () => void worker.terminate(),
  };
}

function factsIn(numbers: Float64Array, from: number): DiskFacts | undefined {
  const [mtimeMs, ctimeMs, birthtimeMs, size, ino, mode] = numbers.subarray(from, from + FACTS.length);
  if (ino === undefined || Number.isNaN(ino)) return undefined;
  return { mtimeMs, ctimeMs, birthtimeMs, size, ino, mode } as DiskFacts;
}
