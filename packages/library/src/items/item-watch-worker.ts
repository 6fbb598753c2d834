import { type FSWatcher, lstatSync, readdirSync, type Stats, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ItemChanges, WatchAnswer, WatchInput } from './item-watch-messages.ts';

/**
 * The thread of a watch on a library. It is a thread because each event loop has an inotify queue of its own: in this
 * queue there are only the events of this folder, and they can be counted.
 */
const { folders, isId, file, mostEvents } = workerData as WatchInput;
const folder = folders.at(-1) as string;
const self = basename(folder);

const watchers = new Map<string, FSWatcher>();
/** Ids to be checked before the next answer. */
const touched = new Set<string>();
let isLost = false;

function say(answer: WatchAnswer): void {
  parentPort?.postMessage(answer);
}

function lose(reason: string): void {
  if (!isLost) say({ lost: reason });
  isLost = true;
}

let eventsInTurn = 0;

function count(): void {
  if (eventsInTurn === 0) setImmediate(() => (eventsInTurn = 0));
  eventsInTurn += 1;
  if (eventsInTurn === mostEvents) lose('too-many-events');
}

function open(path: string, onEvent: (name: string | null) => void): FSWatcher {
  const watcher = watch(path, (_event, name) => {
    count();
    onEvent(name);
  });
  return watcher.on('error', () => lose('watch-error'));
}

/** Watches the file of an id that was touched; the watch of a replaced file is of the old one. False: not possible. */
function watchFile(id: string): boolean {
  const former = watchers.get(id);
  watchers.delete(id);
  try {
    const path = join(folder, id, file);
    const watcher = open(path, () => touched.add(id));
    watchers.set(id, watcher);
    // Checked afterwards: a file that is replaced between the two has an event. The target of a link can change unseen.
    const facts = lstatSync(path);
    return facts.isFile() && facts.dev === identity?.dev;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EMFILE') lose(code);
    return false;
  } finally {
    former?.close();
  }
}

/** Undefined when a folder on the way is missing or a link. */
function identityNow(): Stats | undefined {
  try {
    const facts = folders.map((path) => lstatSync(path));
    return facts.every((each) => each.isDirectory()) ? facts.at(-1) : undefined;
  } catch {
    return undefined;
  }
}

function isFolder(id: string): boolean {
  try {
    return lstatSync(join(folder, id), { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return true; // Reading it reports the error.
  }
}

function takeChanges(): ItemChanges {
  const gone: string[] = [];
  const changed: string[] = [];
  const ids = [...touched];
  touched.clear();
  for (const id of ids) {
    if (!isFolder(id)) {
      gone.push(id);
      watchers.get(id)?.close();
      watchers.delete(id);
      continue;
    }
    changed.push(id);
    if (!watchFile(id)) touched.add(id);
  }
  return { gone, changed };
}

/** The folder as it was when the watch began. */
const identity = identityNow();

function isSameFolder(): boolean {
  const now = identityNow();
  return now !== undefined && now.ino === identity?.ino && now.dev === identity.dev;
}

function start(): void {
  open(folder, (name) => {
    // Its own name: the folder itself was moved, deleted, or has other permissions.
    if (name === null || name === self) lose('folder-changed');
    else if (isId.test(name)) touched.add(name);
  });
  if (!isSameFolder()) return lose('folder-replaced');
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !isId.test(entry.name)) continue;
    if (!watchFile(entry.name)) touched.add(entry.name);
    if (isLost) return;
  }
  say('watching');
}

parentPort?.on('message', async () => {
  // The kernel has queued the events of every earlier change. This turn may have read the queue before them; the next
  // one reads all of it.
  await nextTurn();
  await nextTurn();
  if (!isSameFolder()) lose('folder-replaced');
  const changes = isLost ? undefined : takeChanges();
  if (changes && !isLost) say({ changes });
});
start();
