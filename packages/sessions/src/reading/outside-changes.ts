import { type Ambient, once } from '@fucina/shared';
import type { CommandSpan } from '../commands/processes.ts';
import type { FileHistory } from '../undo/file-history.ts';
import type { IdleCommands } from './idle-commands.ts';
import type { OwnWrites } from './own-writes.ts';

/** A change in a folder, as the watcher reports it; `changedAt` in epoch ms. */
export interface FolderChange {
  path: string;
  kind: 'file' | 'folder' | 'gone';
  changedAt: number;
}

/** The returned function unsubscribes. */
export type WatchFolder = (folder: string, onChange: (changes: readonly FolderChange[]) => void) => () => void;

/** Separates the changes of others from those of the session. A change is rather reported late than never. */
export interface OutsideChanges {
  hear(changes: readonly FolderChange[]): void;
}

interface OutsideNeeds {
  ambient: Ambient;
  folder: string;
  writes: OwnWrites;
  history: Pick<FileHistory, 'look'>;
  /** Whether the session is writing it: the journal does not contain the result yet. */
  isBeingWritten(path: string): boolean;
  spans(): readonly CommandSpan[];
  wereIdle: IdleCommands['wereIdle'];
  report(paths: string[]): Promise<void>;
}

/** Changes that follow each other are judged together. */
const SETTLE_MS = 400;
const CLOCK_STEP_MS = 20;

export function createOutsideChanges(needs: OutsideNeeds): OutsideChanges {
  const { ambient } = needs;
  let pending = new Map<string, FolderChange>();
  let isWaiting = false;

  const judge = async (): Promise<void> => {
    isWaiting = false;
    const heard = [...pending.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
    pending = new Map();
    const changes: FolderChange[] = [];
    const early: FolderChange[] = [];
    for (const change of heard) (needs.isBeingWritten(change.path) ? early : changes).push(change);
    hear(early);
    await needs.writes.update();
    const outside: string[] = [];
    const wereIdle = once(needs.wereIdle);
    for (const change of changes) if (!(await isOwn({ ...needs, wereIdle }, change))) outside.push(change.path);
    if (outside.length > 0) await needs.report(outside);
  };
  const hear = (changes: readonly FolderChange[]): void => {
    for (const change of changes) pending.set(change.path, change);
    if (isWaiting || pending.size === 0) return;
    isWaiting = true;
    ambient.timer(SETTLE_MS, () => {
      judge().catch((error: unknown) => ambient.log.warn('folder.change-not-noted', { error }));
    });
  };
  return { hear };
}

/**
 * The session's own changes: what its journal records, while the file still matches; and changes during one of its
 * commands. A background command may run for hours beside the user: changes during it are reported.
 */
async function isOwn(needs: OutsideNeeds, change: FolderChange): Promise<boolean> {
  if (await isWritten(needs, change)) return true;
  const { changedAt } = change;
  const running = needs.spans().filter(({ from, to }) => {
    return from - CLOCK_STEP_MS <= changedAt && (to === null || changedAt <= to + CLOCK_STEP_MS);
  });
  if (!running.some(({ isBackground }) => !isBackground)) return false;
  const wereIdle = await needs.wereIdle();
  return !wereIdle(changedAt);
}

async function isWritten({ writes, history, folder }: OutsideNeeds, change: FolderChange): Promise<boolean> {
  const { path, kind, changedAt } = change;
  if (kind !== 'file' && writes.isInside(path)) return true;
  const written = writes.of(path);
  if (!written) return false;
  if (written.sha256 === null || kind === 'gone') return written.sha256 === null && kind === 'gone';
  const version = await history.look(folder, path);
  // The content of a large file may be unknown: then its time decides.
  if (written.sha256 === undefined || version?.sha256 === null) return changedAt <= written.at + CLOCK_STEP_MS;
  return version?.sha256 === written.sha256;
}
