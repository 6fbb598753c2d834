import { localModelsError } from '../errors.ts';
import type { Store, StoredModel, StoredTransfer, TransferState } from '../installed/store.ts';
import { isActive, nextTransferState, type TransferCommand } from './download-state.ts';
import { sizeOf } from './fetch-file.ts';
import { checkedManifest, type DownloadManifest, isSameModel, PARTIAL_SUFFIX } from './manifest.ts';
import { createQueue, type DownloadsNeeds } from './queue.ts';

export interface DownloadStatus {
  /** Id of the model. */
  id: string;
  state: TransferState;
  /** 0 to 99, and 100 when it is ready. */
  progress: number;
  bytes: number;
  totalBytes: number;
  /** An error code, or RECOVERED_AFTER_RESTART; null without a reason. */
  reason: string | null;
  /** ISO 8601. */
  startedAt: string;
}

/** Downloads from the hub: two at once, in the order of the requests. Unknown ids are NOT_FOUND. */
export interface Downloads {
  /** Oldest first. */
  list(): Promise<DownloadStatus[]>;
  /**
   * Returns at once; a later failure is the reason of its row. HUB_TRANSFER_INVALID, HUB_PATH_REJECTED,
   * HUB_TRANSFER_COLLISION for an id of another model, HUB_DOWNLOAD_FAILED when the disk is too small. The same
   * manifest again resumes the download.
   */
  start(manifest: DownloadManifest): Promise<DownloadStatus>;
  /** For a queued or running one; CANCELLED_BY_OWNER after a cancel, otherwise no change. */
  pause(id: string): Promise<DownloadStatus>;
  /** For a paused or failed one; CANCELLED_BY_OWNER after a cancel, otherwise no change. */
  resume(id: string): Promise<DownloadStatus>;
  /** Final, and deletes its files; a finished one stays. */
  cancel(id: string): Promise<DownloadStatus>;
}

export interface DownloadEngine {
  downloads: Downloads;
  /** Marks as paused what an earlier process left running. Once, before anything else. */
  recover(): Promise<void>;
  /** Cancels one silently; resolves when nothing writes to its files any more. */
  endTransfer(id: string): Promise<void>;
  /** Stops running downloads; they can be resumed. */
  close(): Promise<void>;
}

export function createDownloads(needs: DownloadsNeeds): DownloadEngine {
  const { ambient, store, folders } = needs;
  const queue = createQueue({ ...needs, move });

  function move(id: string, command: TransferCommand, patch: Partial<StoredTransfer> = {}): Promise<StoredTransfer> {
    return store.write(() => {
      const transfer = found(id);
      const state = nextTransferState(transfer.state, command);
      if (!state) return transfer;
      const next = { ...transfer, reason: null, bytes: queue.bytesOf(id) ?? transfer.bytes, ...patch, state };
      store.saveTransfer(next);
      const model = store.model(id);
      if (model) store.saveModel({ ...model, state: modelStateIn(next), updatedAt: now() });
      return next;
    });
  }

  const now = (): string => new Date(ambient.now()).toISOString();
  const found = (id: string): StoredTransfer => {
    const transfer = store.transfer(id);
    if (!transfer) throw localModelsError('NOT_FOUND');
    return transfer;
  };
  const statusOf = ({ state, bytes, ...rest }: StoredTransfer): DownloadStatus => {
    const here = isActive(state) ? (queue.bytesOf(rest.id) ?? bytes) : bytes;
    const progress = state === 'ready' ? 100 : Math.min(99, Math.floor((here / rest.totalBytes) * 100));
    return { ...rest, state, bytes: here, progress };
  };
  const refuseCancelled = (id: string): void => {
    if (found(id).state === 'cancelled') throw localModelsError('CANCELLED_BY_OWNER');
  };
  const enqueue = async (id: string): Promise<DownloadStatus> => {
    const moved = await move(id, 'resume');
    if (moved.state === 'queued') queue.add(id);
    return statusOf(moved);
  };

  const downloads: Downloads = {
    list: async () => store.transfers().map(statusOf),
    async start(manifest) {
      const wanted = checkedManifest(manifest, now());
      const before = knownAs(store, wanted);
      if (before) return before.state === 'paused' || before.state === 'failed' ? enqueue(wanted.id) : statusOf(before);
      await checkRoom(wanted, needs);
      const made = await store.write(() => knownAs(store, wanted) ?? begun(store, wanted, now()));
      queue.add(made.id);
      return statusOf(made);
    },
    async pause(id) {
      refuseCancelled(id);
      const moved = await move(id, 'pause', { reason: 'PAUSED_BY_OWNER' });
      if (moved.state !== 'paused') return statusOf(moved);
      await queue.stop(id);
      return statusOf(await keepBytes(id, needs));
    },
    async resume(id) {
      refuseCancelled(id);
      return enqueue(id);
    },
    async cancel(id) {
      const moved = await move(id, 'cancel', { reason: 'CANCELLED_BY_OWNER', bytes: 0 });
      if (moved.state !== 'cancelled') return statusOf(moved);
      await queue.stop(id);
      if (store.model(id)?.state !== 'unfinished') return statusOf(moved);
      await folders.remove(id);
      await store.write(() => store.removeModel(id));
      return statusOf(moved);
    },
  };

  return {
    downloads,
    async recover() {
      for (const { id, state } of store.transfers()) {
        if (!isActive(state)) continue;
        await move(id, 'recover', { reason: 'RECOVERED_AFTER_RESTART' });
        await keepBytes(id, needs);
      }
    },
    async endTransfer(id) {
      if (!store.transfer(id)) return;
      await move(id, 'pause', { reason: 'PAUSED_BY_OWNER' });
      await queue.stop(id);
    },
    close: () => queue.close(),
  };
}

/** A cancelled download's model is hidden at once, while its files are being deleted. */
function modelStateIn({ state }: StoredTransfer): StoredModel['state'] {
  if (state === 'ready' || state === 'failed') return state;
  return state === 'cancelled' ? 'unfinished' : 'incomplete';
}

/** The row of a download of the same model; HUB_TRANSFER_COLLISION when the id belongs to another. */
function knownAs(store: Store, wanted: StoredModel): StoredTransfer | undefined {
  const model = store.model(wanted.id);
  if (!model) return undefined;
  const transfer = store.transfer(wanted.id);
  if (model.state === 'unfinished' || !transfer || !isSameModel(model, wanted)) {
    throw localModelsError('HUB_TRANSFER_COLLISION', { params: { modelId: wanted.id } });
  }
  return transfer;
}

/** How many cancelled downloads are listed. */
const MAX_CANCELLED = 50;

/** Inside a write. Removes a cancelled download of the same id, and the oldest above the limit. */
function begun(store: Store, wanted: StoredModel, startedAt: string): StoredTransfer {
  const { id, bytes: totalBytes } = wanted;
  store.removeTransfer(id);
  const cancelled = store.transfers().filter(({ state }) => state === 'cancelled');
  for (const old of cancelled.slice(0, -MAX_CANCELLED)) store.removeTransfer(old.id);
  store.saveModel(wanted);
  const transfer: StoredTransfer = { id, state: 'queued', reason: null, totalBytes, bytes: 0, startedAt };
  store.saveTransfer(transfer);
  return transfer;
}

/** In addition to what the running downloads will still need. */
async function checkRoom(wanted: StoredModel, { store, folders }: DownloadsNeeds): Promise<void> {
  const others = store.transfers().filter(({ state }) => isActive(state));
  const expectedBytes = others.reduce((sum, { totalBytes, bytes }) => sum + totalBytes - bytes, 0);
  if (wanted.bytes + expectedBytes > (await folders.roomBytes())) {
    throw localModelsError('HUB_DOWNLOAD_FAILED', { reason: 'disk-full' });
  }
}

/** Bytes already on disk of a paused one. */
async function keepBytes(id: string, { store, folders }: DownloadsNeeds): Promise<StoredTransfer> {
  let bytes = 0;
  for (const file of store.model(id)?.files ?? []) {
    const target = folders.fileOf(id, file.path);
    bytes += Math.min(file.bytes, (await sizeOf(target)) || (await sizeOf(target + PARTIAL_SUFFIX)));
  }
  return store.write(() => {
    const transfer = store.transfer(id);
    if (!transfer) throw localModelsError('NOT_FOUND');
    if (transfer.state !== 'paused') return transfer;
    store.saveTransfer({ ...transfer, bytes });
    return { ...transfer, bytes };
  });
}
