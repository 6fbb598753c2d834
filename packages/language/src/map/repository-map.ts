import { type Ambient, moduleBeside, startThread } from '@fucina/shared';
import type { WatchedChange } from '../servers.ts';
import type { MapAnswer, MappedSymbol, MapQuestion } from './map-messages.ts';

/** Ranked outlines of repositories: what declares names that much of the code uses comes first. */
export interface RepositoryMap extends AsyncDisposable {
  /**
   * Reads the repository at its first use, afterwards only what changed. `below`: a folder or file, empty for all. Empty
   * when nothing there declares anything. Rejects when the signal aborts.
   */
  outline(folder: string, wanted: { below: string; tokens: number }, signal: AbortSignal): Promise<string>;
  /** Declarations by a part of their name; reads the repository as `outline` does. */
  symbols(folder: string, wanted: { query: string; limit: number }, signal: AbortSignal): Promise<MappedSymbol[]>;
  stop(folder: string): Promise<void>;
}

export interface RepositoryMapNeeds {
  ambient: Ambient;
  /** The files of a folder, without ignored ones and links. */
  listFiles(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  watch(folder: string, onChange: (changes: readonly WatchedChange[]) => void): () => void;
}

const IDLE_MS = 10 * 60_000;
const MEMORY_MIB = 1024;

interface Mapped {
  /** Settles when the last update that was begun has ended. */
  updating: Promise<unknown>;
  ending: AbortSignal;
  ask(question: WithoutId): Promise<string>;
  changed: Set<string>;
  /** Files may be new or gone: all are listed again. */
  isStale: boolean;
  known: Set<string>;
  end(): Promise<void>;
}
type WithoutId = MapQuestion extends infer Each ? (Each extends MapQuestion ? Omit<Each, 'id'> : never) : never;

export function createRepositoryMap(needs: RepositoryMapNeeds): RepositoryMap {
  const maps = new Map<string, Mapped>();
  const idle = new Map<string, () => void>();

  const stop = async (folder: string): Promise<void> => {
    idle.get(folder)?.();
    idle.delete(folder);
    const map = maps.get(folder);
    maps.delete(folder);
    await map?.end();
  };
  const open = (folder: string): Mapped => {
    idle.get(folder)?.();
    idle.set(
      folder,
      needs.ambient.timer(IDLE_MS, () => void stop(folder)),
    );
    const before = maps.get(folder);
    if (before) return before;
    const map = startMap(needs, folder, () => maps.delete(folder));
    maps.set(folder, map);
    return map;
  };
  return {
    stop,
    async outline(folder, { below, tokens }, signal) {
      const map = open(folder);
      await orAborted(update(needs, folder, map), signal);
      const answer = map.ask({ kind: 'render', below, tokens });
      return orAborted(answer, signal);
    },
    async symbols(folder, wanted, signal) {
      const map = open(folder);
      await orAborted(update(needs, folder, map), signal);
      const text = await orAborted(map.ask({ kind: 'symbols', ...wanted }), signal);
      return JSON.parse(text) as MappedSymbol[];
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...maps.keys()].map(stop));
    },
  };
}

/** No question is answered before the files are read, also when another question began the reading and was aborted. */
function update(needs: RepositoryMapNeeds, folder: string, map: Mapped): Promise<void> {
  const mine = map.updating.then(() => readChanged(needs, folder, map));
  map.updating = mine.catch(() => undefined);
  return mine;
}

async function readChanged(needs: RepositoryMapNeeds, folder: string, map: Mapped): Promise<void> {
  if (map.isStale) {
    map.isStale = false;
    map.changed.clear();
    try {
      const paths = await needs.listFiles(folder, map.ending);
      const now = new Set(paths);
      const gone = [...map.known].filter((path) => !now.has(path));
      map.known = now;
      await map.ask({ kind: 'files', paths: [...paths, ...gone] });
    } catch (error) {
      map.isStale = true;
      throw error;
    }
  }
  const paths = [...map.changed];
  map.changed.clear();
  if (paths.length > 0) await map.ask({ kind: 'files', paths });
}

function startMap(needs: RepositoryMapNeeds, folder: string, onEnd: () => void): Mapped {
  const worker = startThread(moduleBeside(import.meta.url, 'map-worker'), { input: { folder }, memoryMiB: MEMORY_MIB });
  worker.unref();
  const waiting = new Map<number, { resolve(text: string): void; reject(error: Error): void }>();
  let last = 0;
  const ending = new AbortController();
  const map: Mapped = {
    updating: Promise.resolve(),
    ending: ending.signal,
    changed: new Set(),
    isStale: true,
    known: new Set(),
    ask(question) {
      const id = ++last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ ...question, id });
      });
    },
    async end() {
      ending.abort();
      stopWatching();
      await worker.terminate();
    },
  };
  const stopWatching = needs.watch(folder, (changes) => {
    for (const { path, kind } of changes) {
      // A folder names what is in it: new files, or too many changes to name each.
      if (kind === 'folder' || (kind === 'gone' && !map.known.has(path))) map.isStale = true;
      else {
        map.changed.add(path);
        map.known.add(path);
      }
    }
  });
  let isEnded = false;
  const fail = (error: Error): void => {
    if (isEnded) return;
    isEnded = true;
    if (!ending.signal.aborted) needs.ambient.log.warn('repository-map.failed', { error });
    stopWatching();
    onEnd();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', ({ id, text }: MapAnswer) => {
    waiting.get(id)?.resolve(text);
    waiting.delete(id);
  });
  worker.once('error', fail);
  worker.once('exit', () => fail(new Error('the map of the repository has ended')));
  return map;
}

async function orAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
