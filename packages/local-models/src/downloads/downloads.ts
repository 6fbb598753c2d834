import { localModelsError } from '../errors.ts';
import type { Store, StoredModel, StoredTransfer, TransferState } from '../installed/store.ts';
import { isActive, nextTransferState, type TransferCommand } from './download-state.ts';
import { sizeOf } from './fetch-file.ts';
import { checkedManifest, type DownloadManifest, isSameModel, PARTIAL_SUFFIX } from './manifest.ts';
import { createQueue, type DownloadsNeeds } from './queue.ts';

export interface DownloadStatus {
  /** That of the model. */
  id: string;
  state: TransferState;
  /** 0 to 99, and 100 when it is ready. */
  progress: number;
  bytes: number;
  totalBytes: number;
  /** A code, or RECOVERED_AFTER_RESTART; null where there is nothing to say. */
  reason: string | null;
  /** ISO 8601. */
  startedAt: string;
}

/** Downloads from the hub: two at once, in the order they were asked for. Unknown ids are NOT_FOUND. */
export interface Downloads {
  /** Oldest first. */
  list(): Promise<DownloadStatus[]>;
  /**
   * Answers at once; what fails later is the reason of its row. HUB_TRANSFER_INVALID, HUB_PATH_REJECTED,
   * HUB_TRANSFER_COLLISION for an id that is another model's, HUB_DOWNLOAD_FAILED where the disk is too small. The same
   * manifest again goes on with what is there.
   */
  start(manifest: DownloadManifest): Promise<DownloadStatus>;
  /** Of one that waits or runs; CANCELLED_BY_OWNER after a cancel, otherwise as it is. */
  pause(id: string): Promise<DownloadStatus>;
  /** Of one that rests or failed; CANCELLED_BY_OWNER after a cancel, otherwise as it is. */
  resume(id: string): Promise<DownloadStatus>;
  /** Final, and takes its files away; one that is ready stays. */
  cancel(id: string): Promise<DownloadStatus>;
}

export interface DownloadEngine {
  downloads: Downloads;
  /** What a process that is gone left going rests until someone resumes it. Once, before anything else. */
  recover(): Promise<void>;
  /** Ends one for good without a word; resolves when nothing writes any more. */
  endTransfer(id: string): Promise<void>;
  /** Ends what runs where it stands. */
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

/** A cancelled one's model is hidden from the moment on: its files are being taken away. */
function modelStateIn({ state }: StoredTransfer): StoredModel['state'] {
  if (state === 'ready' || state === 'failed') return state;
  return state === 'cancelled' ? 'unfinished' : 'incomplete';
}

/** The row of a download of the very same model; HUB_TRANSFER_COLLISION when the id is another's. */
function knownAs(store: Store, wanted: StoredModel): StoredTransfer | undefined {
  const model = store.model(wanted.id);
  if (!model) return undefined;
  const transfer = store.transfer(wanted.id);
  if (model.state === 'unfinished' || !transfer || !isSameModel(model, wanted)) {
    throw localModelsError('HUB_TRANSFER_COLLISION', { params: { modelId: wanted.id } });
  }
  return transfer;
}

/** Cancelled downloads that are still told of. */
const CANCELLED_KEPT = 50;

/** Inside a write. A cancelled download of the same id gives way, and the oldest of many. */
function begun(store: Store, wanted: StoredModel, startedAt: string): StoredTransfer {
  const { id, bytes: totalBytes } = wanted;
  store.removeTransfer(id);
  const cancelled = store.transfers().filter(({ state }) => state === 'cancelled');
  for (const old of cancelled.slice(0, -CANCELLED_KEPT)) store.removeTransfer(old.id);
  store.saveModel(wanted);
  const transfer: StoredTransfer = { id, state: 'queued', reason: null, totalBytes, bytes: 0, startedAt };
  store.saveTransfer(transfer);
  return transfer;
}

/** Beside what the others under way will still take. */
async function checkRoom(wanted: StoredModel, { store, folders }: DownloadsNeeds): Promise<void> {
  const others = store.transfers().filter(({ state }) => isActive(state));
  const promised = others.reduce((sum, { totalBytes, bytes }) => sum + totalBytes - bytes, 0);
  if (wanted.bytes + promised > (await folders.roomBytes())) {
    throw localModelsError('HUB_DOWNLOAD_FAILED', { reason: 'disk-full' });
  }
}

/** What is on the disk of one that rests. */
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
