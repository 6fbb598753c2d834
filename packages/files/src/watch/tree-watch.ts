import { realpathSync, watch as watchOne } from 'node:fs';
import type { Ambient } from '@fucina/shared';
import type { AsyncSubscription, Event } from '@parcel/watcher';
import { addPath, SKIPPED_PATH } from './skipped.ts';
import { changesSince, differences, factsOf, timesOf } from './tree-changes.ts';
import { isIgnoredIn, type ScannedTree, scanTree } from './tree-scan.ts';
import type { FromWatching, WatchRequest } from './watch-messages.ts';

/** The watch of one tree, in the watching process. */
export interface TreeWatch {
  /** Reports what changed without an event. */
  scan(): void;
  end(): Promise<void>;
}

const GATHER_MS = 50;
/** Many changes in a row are followed by one new beginning. */
const RENEW_MS = 1_000;
/** So many at once: the system may have dropped others, and new folders with them. */
const MANY_EVENTS = 4_000;
/** Folders moved in or made quickly, each with a watch of its own. */
const MOST_INNER = 64;
/** The library compares each path with each of them. */
const MOST_CLOSED = 256;
const TRIES = 3;
/** Between two scans of a polled tree, at least; a scan takes a twentieth of the time at most. */
const POLL_MS = 10_000;
const POLL_FACTOR = 20;
const CLOCK_STEP_MS = 10;

interface TreeWatchNeeds {
  ambient: Ambient;
  /** Sends to the server. */
  say(message: FromWatching): void;
}

export function startTreeWatch(needs: TreeWatchNeeds, request: WatchRequest): TreeWatch {
  return request.isPolled ? pollTree(needs, request) : hearTree(needs, request);
}

interface Gathering {
  note(path: string): void;
  end(): void;
}

function gather({ ambient, say }: TreeWatchNeeds, id: number): Gathering {
  let paths = new Set<string>();
  let cancel: (() => void) | undefined;
  return {
    note(path) {
      if (path === '' || SKIPPED_PATH.test(path)) return;
      addPath(paths, path);
      cancel ??= ambient.timer(GATHER_MS, () => {
        cancel = undefined;
        say({ kind: 'changed', id, paths: [...paths] });
        paths = new Set();
      });
    },
    end: () => cancel?.(),
  };
}

function pollTree(needs: TreeWatchNeeds, request: WatchRequest): TreeWatch {
  const { ambient, say } = needs;
  const { id, folder, appliesRules, since, before } = request;
  const gathering = gather(needs, id);
  let times: Map<string, number> | undefined;
  let cancel = (): void => undefined;
  const scan = (): void => {
    cancel();
    const from = ambient.monotonic();
    if (!factsOf(folder)?.isDirectory()) return say({ kind: 'gone', id });
    const tree = scanTree(folder, { appliesRules });
    const now = timesOf(folder, tree);
    const changed = times ? differences(times, now) : changesSince(folder, since, { tree, before });
    if (!times) say({ kind: 'watching', id });
    times = now;
    for (const path of changed) gathering.note(path);
    cancel = ambient.timer(Math.max(POLL_MS, POLL_FACTOR * (ambient.monotonic() - from)), scan);
  };
  setImmediate(scan);
  return {
    scan,
    async end() {
      cancel();
      gathering.end();
    },
  };
}

function hearTree(needs: TreeWatchNeeds, request: WatchRequest): TreeWatch {
  const { ambient, say } = needs;
  const { id, appliesRules } = request;
  const gathering = gather(needs, id);
  const subscriptions = new Map<string, AsyncSubscription>();
  let folder = request.folder;
  let closed = new Set<string>();
  let quietAt = request.since;
  let renewal: (() => void) | undefined;
  let isOver = false;
  let last: Promise<void> = Promise.resolve();

  const relative = (path: string): string => path.slice(folder.length + 1).replaceAll('\\', '/');
  const fail = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    const reason = error instanceof Error ? error.message : String(error);
    const isGone = !factsOf(folder)?.isDirectory();
    say(isGone ? { kind: 'gone', id } : isLimit(reason) ? { kind: 'limit', id } : { kind: 'failed', id, reason });
  };
  /** Steps run one after the other. */
  const next = (act: () => Promise<void>): Promise<void> => {
    last = last.then(() => (isOver ? undefined : act())).catch(fail);
    return last;
  };
  const subscribeTo = async (place: string): Promise<void> => {
    const { subscribe } = await import('@parcel/watcher');
    const ignore = [SKIPPED_PATH, ...[...closed].slice(0, MOST_CLOSED).map((path) => `${folder}/${path}`)];
    const heard = (error: Error | null, events: Event[]): void => (error ? fail(error) : hear(events));
    subscriptions.set(place, await subscribe(place, heard, { ignore: ignore as string[] }));
  };
  const release = async (): Promise<void> => {
    const open = [...subscriptions.values()];
    subscriptions.clear();
    for (const one of open) await one.unsubscribe().catch(() => undefined); // of a folder that is gone
  };
  const begin = async (since: number, before: WatchRequest['before']): Promise<void> => {
    quietAt = ambient.now() - CLOCK_STEP_MS;
    folder = realpathSync(request.folder);
    const tree = await subscribeToTree();
    const changed = changesSince(folder, since, { tree, before });
    for (const path of changed) if (!isClosed(path)) gathering.note(path);
    await addInner(madeFolders(changed.map((path) => ({ path: `${folder}/${path}`, type: 'create' }))));
  };
  /** A folder may go while the library reads the tree. */
  const subscribeToTree = async (): Promise<ScannedTree> => {
    for (let tries = 1; ; tries += 1) {
      const tree = scanTree(folder, { appliesRules });
      closed = new Set(tree.closed);
      try {
        await subscribeTo(folder);
        return tree;
      } catch (error) {
        if (tries === TRIES || isLimit(String(error))) throw error;
      }
    }
  };
  const renew = (): void => {
    const since = quietAt;
    renewal ??= ambient.timer(RENEW_MS, () => {
      renewal = undefined;
      void next(async () => {
        await release();
        await begin(since, { paths: [], isWhole: false });
      });
    });
  };
  const hear = (events: readonly Event[]): void => {
    if (isOver) return;
    if (events.some(({ path, type }) => path === folder && type === 'delete')) return fail(new Error('gone'));
    const made = events.length < MANY_EVENTS ? madeFolders(events) : [];
    for (const { path } of events) if (!isClosed(relative(path))) gathering.note(relative(path));
    if (events.length >= MANY_EVENTS) return renew();
    quietAt = ambient.now() - CLOCK_STEP_MS;
    if (made.length > 0) void next(() => addInner(made));
  };
  /** New folders; what rules name is left out from now on. */
  const madeFolders = (events: readonly Event[]): string[] => {
    const made = events.flatMap(({ path, type }) => (type === 'create' ? [path] : [])).sort();
    return made.filter((path) => {
      const inner = relative(path);
      if (SKIPPED_PATH.test(inner) || isClosed(inner) || !factsOf(path)?.isDirectory()) return false;
      if (appliesRules && isIgnoredIn(folder, inner)) closed.add(inner);
      return !closed.has(inner);
    });
  };
  const isClosed = (path: string): boolean => {
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
      if (closed.has(path.slice(0, at))) return true;
    return false;
  };
  /** The library watches a new folder, but not what was in it by then. */
  const addInner = async (made: readonly string[]): Promise<void> => {
    for (const place of made) {
      const isCovered = [...subscriptions.keys()].some((above) => above !== folder && isInside(place, above));
      if (!isCovered) await addNew(place);
    }
  };
  const addNew = async (place: string): Promise<void> => {
    assertRoom(place);
    const tree = scanTree(folder, { appliesRules, below: relative(place) });
    for (const path of tree.paths) gathering.note(path);
    for (const path of tree.closed) closed.add(path);
    if (tree.folders.size === 0) return;
    if (subscriptions.size >= MOST_INNER) return renew();
    await subscribeTo(place).catch((error: unknown) => {
      if (isLimit(String(error))) throw error;
      renew();
    });
  };

  void next(async () => {
    await begin(request.since, request.before);
    say({ kind: 'watching', id });
  });
  return {
    scan: () => undefined,
    async end() {
      isOver = true;
      renewal?.();
      gathering.end();
      await last;
      await release();
    },
  };
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The library says nothing when a new folder exceeds the limit of the system; a watch of our own does. */
function assertRoom(folder: string): void {
  try {
    watchOne(folder)
      .on('error', () => undefined)
      .close();
  } catch (error) {
    if (isLimit(String(error))) throw error;
  }
}

const isLimit = (reason: string): boolean => /ENOSPC|EMFILE|No space left|Too many open files/.test(reason);
