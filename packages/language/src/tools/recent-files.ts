import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Ambient } from '@fucina/shared';
import type { ReadyServer } from '../server/running-server.ts';
import { textOf } from '../text-of.ts';

/** Tells a server which files changed since it was reported last: watchers report a moment later, too late for a rename. */
export type TellRecentFiles = (server: ReadyServer, folder: string, signal: AbortSignal) => Promise<void>;

interface RecentFilesNeeds {
  ambient: Pick<Ambient, 'now'>;
  listFiles(folder: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** File systems round times. */
const MARGIN_MS = 2_000;
const AT_ONCE = 64;
const MAX_OPENED = 20;
const CREATED_AND_CHANGED = [1, 2];

export function createRecentFiles({ ambient, listFiles }: RecentFilesNeeds): TellRecentFiles {
  const reported = new WeakMap<ReadyServer, number>();
  return async (server, folder, signal) => {
    const since = (reported.get(server) ?? server.startedAt) - MARGIN_MS;
    const now = ambient.now();
    const paths = (await listFiles(folder, signal)).filter((path) => languageOf(server, path) !== undefined);
    const recent: string[] = [];
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      const some = paths.slice(at, at + AT_ONCE);
      const times = await Promise.all(some.map((path) => changedAt(join(folder, path))));
      recent.push(...some.filter((_path, index) => (times[index] ?? 0) >= since));
    }
    reported.set(server, now);
    if (recent.length === 0) return;
    const changes = recent.flatMap((path) =>
      CREATED_AND_CHANGED.map((type) => ({ uri: server.documents.uriOf(path), type })),
    );
    await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    // Some servers only believe their own watchers; a file that is open they know.
    for (const path of recent.slice(-MAX_OPENED)) {
      const [text, languageId] = [await textOf(folder, path), languageOf(server, path)];
      if (text !== undefined && languageId !== undefined) await server.documents.open({ path, languageId, text });
    }
  };
}

function languageOf({ languages }: ReadyServer, path: string): string | undefined {
  const extension = extname(path).toLowerCase();
  return Object.hasOwn(languages, extension) ? languages[extension] : undefined;
}

/** Undefined for a file that is gone. */
const changedAt = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ ctimeMs }) => ctimeMs,
    () => undefined,
  );
