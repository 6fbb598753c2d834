import { type Ambient, isAppError, type OutboundHttp } from '@fucina/shared';
import type { ModelFolders } from '../installed/model-folder.ts';
import type { Store, StoredTransfer } from '../installed/store.ts';
import type { TransferCommand } from './download-state.ts';
import { checkFile, fetchFile, sizeOf } from './fetch-file.ts';

const AT_ONCE = 2;

export interface Queue {
  /** Appends it, unless it is queued; starts it at once if there is a free slot. */
  add(id: string): void;
  /** Removes it from the queue or stops it; nothing writes any more when it resolves. */
  stop(id: string): Promise<void>;
  /** Progress of a running one. */
  bytesOf(id: string): number | undefined;
  close(): Promise<void>;
}

export interface DownloadsNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  store: Store;
  folders: ModelFolders;
}

export interface QueueNeeds extends DownloadsNeeds {
  /** The resulting state, changed or not. */
  move(id: string, command: TransferCommand, patch?: Partial<StoredTransfer>): Promise<StoredTransfer>;
}

interface Job {
  abort: AbortController;
  done: Promise<void>;
  bytes: number;
}

export function createQueue(needs: QueueNeeds): Queue {
  let waiting: string[] = [];
  const jobs = new Map<string, Job>();
  let isClosed = false;

  function fill(): void {
    while (!isClosed && jobs.size < AT_ONCE) {
      // A download that is being stopped must close its files first.
      const at = waiting.findIndex((id) => !jobs.has(id));
      const [id] = at < 0 ? [] : waiting.splice(at, 1);
      if (id === undefined) return;
      const job: Job = { abort: new AbortController(), done: Promise.resolve(), bytes: 0 };
      jobs.set(id, job);
      job.done = work(id, job, needs).finally(() => {
        jobs.delete(id);
        fill();
      });
    }
  }

  return {
    add(id) {
      if (!waiting.includes(id)) waiting.push(id);
      fill();
    },
    async stop(id) {
      waiting = waiting.filter((other) => other !== id);
      const job = jobs.get(id);
      job?.abort.abort(new Error('stopped'));
      await job?.done;
    },
    bytesOf: (id) => jobs.get(id)?.bytes,
    async close() {
      isClosed = true;
      waiting = [];
      const running = [...jobs.values()];
      for (const { abort } of running) abort.abort(new Error('closed'));
      await Promise.all(running.map(({ done }) => done));
    },
  };
}

/** Never rejects. The caller that stops a download sets its state. */
async function work(id: string, job: Job, needs: QueueNeeds): Promise<void> {
  const { ambient, move } = needs;
  const { signal } = job.abort;
  try {
    const { state } = await move(id, 'begin');
    if (state !== 'running') return;
    const toCheck = await bring(id, job, needs);
    signal.throwIfAborted();
    if ((await move(id, 'check')).state !== 'verifying') return;
    for (const check of toCheck) await check();
    signal.throwIfAborted();
    await move(id, 'finish', { bytes: job.bytes });
    ambient.log.info('download.ready', { id, bytes: job.bytes });
  } catch (error) {
    if (signal.aborted) return;
    ambient.log.warn('download.failed', { id, error });
    await move(id, 'fail', { reason: reasonOf(error) }).catch((cause: unknown) =>
      // The next start finds it unchanged.
      ambient.log.error('download.not-kept', { id, error: cause }),
    );
  }
}

/** One of our codes, or a general failure. */
function reasonOf(error: unknown): string {
  return isAppError(error) ? error.code : 'HUB_DOWNLOAD_FAILED';
}

/** Downloads the files one after the other; returns the checks of those that an earlier run completed. */
async function bring(id: string, job: Job, needs: QueueNeeds): Promise<(() => Promise<void>)[]> {
  const { store, folders, http } = needs;
  const { signal } = job.abort;
  const model = store.model(id);
  const checks: (() => Promise<void>)[] = [];
  let before = 0;
  for (const file of model?.files ?? []) {
    const target = folders.fileOf(id, file.path);
    await folders.prepare(id, file.path);
    if ((await sizeOf(target)) > 0) checks.push(() => checkFile(target, file, signal));
    else {
      const onBytes = (bytes: number): void => void (job.bytes = before + bytes);
      const { repo = '', revision = '' } = model ?? {};
      await fetchFile({ http, repo, revision, file, target, signal, onBytes, roomBytes: () => folders.roomBytes() });
    }
    before += file.bytes;
    job.bytes = before;
  }
  return checks;
}
