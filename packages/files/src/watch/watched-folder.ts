import { readdir, stat } from 'node:fs/promises';
import type { Ambient } from '@fucina/shared';
import { CLOCK_STEP_MS } from '../history/folder-index.ts';
import { createGathering, type Listener } from './gathering.ts';
import { isSkipped } from './skipped.ts';
import type { WatchChannel } from './watch-channel.ts';
import type { FromWatching, WatchRequest } from './watch-messages.ts';

/** A folder for which there are subscribers, or were some minutes ago. */
export interface Watched {
  readonly folder: string;
  listeners: Set<Listener>;
  /** Reports the pending batch. */
  flush(): void;
  rescan(): void;
  /** The watching process was asked for it. */
  hasBegun(): boolean;
  state(): 'starting' | 'watching' | 'limited' | 'unknown';
  /** Undoes the end that a folder without subscribers waits for. */
  cancelEnd(): void;
  end(): void;
}

interface WatchedNeeds {
  ambient: Ambient;
  channel: WatchChannel;
  folder: string;
  appliesRules: boolean;
}

/** A short-lived subscriber must not cause a walk through the tree. */
const START_MS = 400;
const RETRY_MS = 2_000;
/** After a watch failed this often in a row, it is tried again less often. */
const MOST_FAILURES = 3;
const PATIENT_RETRY_MS = 60_000;
/** A folder on a file system that does not answer. */
const MAX_START_MS = 90_000;
/** What happened so shortly before the watching process ended may not have been reported. */
const UNREPORTED_MS = 2_000;
/** The process ends for all, so that the system has its watches back. */
const OTHERS_LIMIT = 'limit';
/** Names read when the watch is asked for: in larger folders, one deleted before the watch begins is not named. */
const MOST_NAMES = 2_000;

export function openFolder({ ambient, channel, folder, appliesRules }: WatchedNeeds): Watched {
  const listeners = new Set<Listener>();
  const gathering = createGathering(ambient, folder, listeners);
  const over = new AbortController();
  let cancelTimer = (): void => undefined;
  let id: number | undefined;
  let state: ReturnType<Watched['state']> = 'starting';
  let failures = 0;
  let isPolled = false;
  /** Since the last beginning. */
  let hasWatched = false;
  /** Newer changes happened while there was a subscriber. */
  let since = ambient.now() - CLOCK_STEP_MS;
  let before: Promise<WatchRequest['before']> = namesIn(folder, over.signal);

  const wait = (ms: number, act: () => void): void => {
    cancelTimer();
    if (!over.signal.aborted) cancelTimer = ambient.timer(ms, act);
  };
  const begin = async (): Promise<void> => {
    const isThere = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isThere) return again(ambient.now(), RETRY_MS);
    const names = await before;
    if (over.signal.aborted) return;
    id = channel.open(hear);
    wait(MAX_START_MS, () => channel.restart('no-answer'));
    channel.send({ kind: 'watch', id, folder, appliesRules, isPolled, since, before: names });
  };
  const again = (from: number, ms: number): void => {
    if (id !== undefined) channel.close(id);
    id = undefined;
    before = Promise.resolve({ paths: [], isWhole: false });
    since = from;
    wait(ms, () => void begin());
  };
  const fail = (reason: string): void => {
    if (failures === 0) ambient.log.warn('folder.not-watched', { folder, reason });
    failures += 1;
    state = failures < MOST_FAILURES ? 'starting' : 'unknown';
    // What was never watched is reported from the beginning.
    const from = hasWatched ? ambient.now() - UNREPORTED_MS : since;
    hasWatched = false;
    again(from, state === 'starting' ? RETRY_MS : PATIENT_RETRY_MS);
  };
  const hear = (message: FromWatching): void => {
    if (message.kind === 'changed') for (const path of message.paths) gathering.note(path);
    else if (message.kind === 'watching') {
      state = isPolled ? 'limited' : 'watching';
      hasWatched = true;
      failures = 0;
      cancelTimer();
    } else if (message.kind === 'gone') again(ambient.now(), RETRY_MS);
    else if (message.kind === 'failed' && message.reason === OTHERS_LIMIT)
      again(ambient.now() - UNREPORTED_MS, RETRY_MS);
    else if (message.kind === 'failed') fail(message.reason);
    else {
      isPolled = true;
      again(since, RETRY_MS);
      channel.restart(OTHERS_LIMIT);
      channel.warnOfLimit(folder);
    }
  };
  wait(START_MS, () => void begin());

  return {
    folder,
    listeners,
    flush: gathering.flush,
    rescan() {
      if (isPolled && id !== undefined) channel.send({ kind: 'scan', id });
    },
    hasBegun: () => id !== undefined,
    state: () => state,
    cancelEnd: () => undefined,
    end() {
      over.abort();
      cancelTimer();
      gathering.end();
      if (id !== undefined) channel.close(id);
    },
  };
}

/** Relative paths of what is in a folder, at all depths, where readable: the first ones. */
async function namesIn(folder: string, signal: AbortSignal): Promise<WatchRequest['before']> {
  const paths: string[] = [];
  const waiting = [''];
  for (let next = waiting.pop(); next !== undefined && !signal.aborted; next = waiting.pop()) {
    const entries = await readdir(`${folder}/${next}`, { withFileTypes: true }).catch(() => []); // deleted in the meantime, or not accessible
    for (const entry of entries) {
      if (isSkipped(entry.name)) continue;
      if (paths.length >= MOST_NAMES) return { paths, isWhole: false };
      const path = next === '' ? entry.name : `${next}/${entry.name}`;
      paths.push(path);
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return { paths, isWhole: true };
}
