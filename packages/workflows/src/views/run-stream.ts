import type { Ambient } from '@fucina/shared';
import { isOver } from '../runs/run-state.ts';
import type { Store } from '../store/store.ts';
import { type StepRow, stepsChangedSince } from './steps.ts';
import { type RunBase, type RunFacts, type RunRef, runPlace, type ViewedGraph } from './viewed-graph.ts';

/** The changes of a run since a client's last update. */
export interface RunUpdate {
  base: RunBase;
  fromSeq: number;
  total: number;
  terminated: number;
  attention: number;
  /** Set: the client must reload the views; `steps` is empty then. */
  resync: ResyncReason | null;
  steps: readonly StepRow[];
}

export type ResyncReason = 'cursor_ahead' | 'graph_changed' | 'too_many_changes';

/** Calls back after every commit that added facts to the run; the returned function unsubscribes. */
export type FollowRun = (runId: string, onCommit: () => void) => () => void;

interface StreamNeeds {
  ambient: Ambient;
  store: Store;
  follow: FollowRun;
}

interface Following {
  after: number;
  signal: AbortSignal;
}

const FRAME_STEPS = 50;
/** Changes within this time are one frame. */
const GATHER_MS = 40;

/**
 * The changes of a run from a sequence on, until its end. Read from the store when the reader asks for more, so that a
 * slow reader gets fewer, larger updates and needs no buffer. Undefined when the run has ended and the reader knows all
 * of it. NOT_FOUND.
 */
export function followRun(needs: StreamNeeds, ref: RunRef, following: Following): AsyncIterable<RunUpdate> | undefined {
  const { run } = runPlace(needs.store.db(), ref);
  return isOver(run.status) && following.after === run.lastSeq ? undefined : updates(needs, ref, following);
}

async function* updates({ ambient, store, follow }: StreamNeeds, ref: RunRef, { after, signal }: Following) {
  const bell = createBell();
  const stop = follow(ref.runId, bell.ring);
  signal.addEventListener('abort', bell.ring, { once: true });
  let seen = after;
  let graphVersion: number | undefined;
  try {
    while (!signal.aborted) {
      const place = runPlace(store.db(), ref);
      const { run } = place;
      if (run.lastSeq !== seen) {
        yield updateOf(store, place, { fromSeq: seen, graphVersion });
        seen = run.lastSeq;
        graphVersion = run.graphVersion;
        continue;
      }
      graphVersion ??= run.graphVersion;
      if (isOver(run.status)) return;
      await bell.rung();
      if (!signal.aborted) await ambient.sleep(GATHER_MS, signal).catch(ifAborted(signal));
    }
  } catch (error) {
    ambient.log.error('workflows.run-not-followed', { runId: ref.runId, error });
    throw error;
  } finally {
    stop();
    signal.removeEventListener('abort', bell.ring);
  }
}

function updateOf(
  store: Store,
  { definition, run, base }: ViewedGraph & { run: RunFacts },
  { fromSeq, graphVersion }: { fromSeq: number; graphVersion: number | undefined },
): RunUpdate {
  const facts = {
    base: base as RunBase,
    fromSeq,
    total: definition.totalNodes,
    terminated: run.terminated,
    attention: run.attention,
  };
  const resync = (reason: ResyncReason): RunUpdate => ({ ...facts, resync: reason, steps: [] });
  if (fromSeq > run.lastSeq) return resync('cursor_ahead');
  if (graphVersion !== undefined && graphVersion !== run.graphVersion) return resync('graph_changed');
  const asked = { definition: definition.key, run: run.key };
  const steps = stepsChangedSince(store.db(), asked, { seq: fromSeq, limit: FRAME_STEPS + 1 });
  return steps.length > FRAME_STEPS ? resync('too_many_changes') : { ...facts, resync: null, steps };
}

/** Several calls without a waiting reader wake it once. */
function createBell(): { ring(): void; rung(): Promise<void> } {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async rung() {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isRung = false;
      wake = undefined;
    },
  };
}

function ifAborted(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
