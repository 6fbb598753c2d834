import type { Worker } from 'node:worker_threads';
import { type Ambient, moduleBeside, startThread } from '@fucina/shared';
import { factsNow } from './facts-now.ts';
import { type DiskFacts, FACTS, type StampAnswer, type StampRequest } from './stamp-messages.ts';

/** Says what the disk knows about many paths, without holding up the event loop. */
export interface DiskReader {
  /** In the order of the paths (absolute); undefined for a missing or unreadable one. Rejects when the signal aborts. */
  facts(paths: readonly string[], options?: { followsLinks?: boolean }): Promise<(DiskFacts | undefined)[]>;
}

interface ReaderNeeds {
  ambient: Ambient;
  /** Ends it. */
  signal: AbortSignal;
}

/** Up to this many are asked here: the way to a thread and back takes as long. */
const HERE = 64;
/** A thread that nobody has asked for so long ends. */
const IDLE_MS = 60_000;
const MEMORY_MIB = 64;

interface Thread {
  ask(request: StampRequest): Promise<StampAnswer>;
  end(): void;
}

export function createDiskReader({ ambient, signal }: ReaderNeeds): DiskReader {
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
    const one = startReading(() => {
      if (thread === one) thread = undefined;
    });
    return one;
  };
  const ask = async (request: StampRequest): Promise<Float64Array> => {
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
      const numbers = await ask({ paths, followsLinks });
      return paths.map((_path, at) => factsIn(numbers, at * FACTS.length));
    },
  };
}

const entry = moduleBeside(import.meta.url, 'stamp-worker');

/** Answers in the order of the requests. `onEnd`: it ended by itself. */
function startReading(onEnd: () => void): Thread {
  const worker: Worker = startThread(entry, { input: undefined, memoryMiB: MEMORY_MIB });
  worker.unref();
  const waiting: ((answer: StampAnswer) => void)[] = [];
  const answerNext = (answer: StampAnswer): void => {
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
