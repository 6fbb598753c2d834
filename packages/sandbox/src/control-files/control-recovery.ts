import type { Ambient, ControlWrite } from '@fucina/shared';
import type { ApprovedContents } from './approved-contents.ts';
import type { ControlFolder } from './control-folders.ts';
import { controlEntries, identityOf } from './control-names.ts';
import { removeControlEntry } from './control-removal.ts';
import type { LostRecord, RunningRecords } from './running-records.ts';

export interface RecoveryNeeds {
  ambient: Ambient;
  records: RunningRecords;
  approved: ApprovedContents;
  look(folder: string): Promise<readonly ControlFolder[]>;
  isOpened(folder: string, path: string): boolean;
  /** How long after its last sign of life a command may have written. */
  graceMs: number;
}

/** What commands left when their process was killed, removed from the folders. */
export interface RecoveredFiles {
  /** Those of a folder, once: the user is asked. */
  take(folder: string): Promise<readonly ControlWrite[]>;
}

/** Removes what killed processes left; what nobody has asked the user about yet outlives this process, too. */
export async function recoverControlFiles(needs: RecoveryNeeds): Promise<RecoveredFiles> {
  const { ambient, records, approved } = needs;
  const lost = await records.lost();
  for (const record of lost.records) approved.restore(record.folder, record.approved);
  const folders = new Map<string, Map<string, ControlWrite>>();
  for (const record of lost.records) {
    const writes = folders.get(record.folder) ?? new Map<string, ControlWrite>();
    for (const write of [...record.found, ...(await removeLost(needs, record))]) writes.set(write.path, write);
    if (writes.size > 0) folders.set(record.folder, writes);
  }
  const files = new Map<string, string>();
  for (const [folder, writes] of folders) {
    ambient.log.warn('sandbox.control-files-after-crash', { count: writes.size });
    const nothing = { known: [], replaceable: [], approved: [] };
    files.set(folder, await records.begin({ ...nothing, folder, found: [...writes.values()], isOver: true }));
  }
  await lost.forget();
  return {
    async take(folder) {
      const [file, writes] = [files.get(folder), folders.get(folder)];
      if (file === undefined || writes === undefined) return [];
      folders.delete(folder);
      await records.end(file);
      return [...writes.values()];
    },
  };
}

/** What is not known from before the command, and was last changed while it could run. */
async function removeLost(needs: RecoveryNeeds, record: LostRecord): Promise<ControlWrite[]> {
  const { ambient, approved, look, isOpened, graceMs } = needs;
  const { folder, aliveAt, isOver, replaceable } = record;
  if (isOver) return [];
  const known = new Set(record.known);
  const writes: ControlWrite[] = [];
  for (const [path, entry] of await controlEntries(folder, await look(folder))) {
    const identity = identityOf(entry);
    const isLater = Number(entry.ctimeNs / 1_000_000n) > aliveAt + graceMs;
    if (isLater || known.has(identity) || replaceable.includes(path) || isOpened(folder, path)) continue;
    writes.push(...(await removeControlEntry({ ambient, folder, approved, isFinal: true }, { path, identity })));
  }
  return writes;
}
