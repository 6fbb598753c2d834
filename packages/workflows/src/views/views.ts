import type { Ambient, SqliteDatabase } from '@fucina/shared';
import type { ContentStore } from '../content/content-store.ts';
import { workflowsError } from '../errors.ts';
import type { Direction } from '../store/definitions.ts';
import type { Store } from '../store/store.ts';
import { type EdgePage, edgesOf } from './edges.ts';
import { type History, historyOf } from './history.ts';
import { type Lineage, lineageOf } from './lineage.ts';
import {
  chooseOutput,
  type Output,
  type OutputOptions,
  type OutputQuery,
  type RawOutput,
  readOutput,
  wholeResult,
} from './output.ts';
import { type GraphOverview, overviewOf } from './overview.ts';
import { type RunFilter, type RunList, runsOf } from './run-list.ts';
import { type FollowRun, followRun, type RunUpdate } from './run-stream.ts';
import { type PlannedStep, plannedStep, type RunStep, runStepFacts, withPreviews } from './step-detail.ts';
import { type StepPage, stepsOf } from './steps.ts';
import {
  type GraphRef,
  openViewedGraph,
  type Page,
  type PlannedBase,
  type PlannedRef,
  type RunBase,
  type RunFacts,
  type RunRef,
  runPlace,
  type ViewedGraph,
} from './viewed-graph.ts';

/** A view with the head of its graph. `factsAt`: the time (ms) of its last fact; the same facts give the same view. */
export interface ViewWithBase<View> {
  base: RunBase | PlannedBase;
  factsAt: number;
  view: View;
}

/**
 * Views of plans and runs, by page over indexed rows. Each view is a consistent snapshot of the store. NOT_FOUND for an
 * unknown version, run, phase or step; WORKFLOW_STORE_UNAVAILABLE.
 */
export interface Views {
  overview(ref: GraphRef): ViewWithBase<GraphOverview>;
  edges(ref: GraphRef, asked: { page: Page; phaseIds: readonly string[] }): ViewWithBase<EdgePage>;
  steps(ref: GraphRef, asked: { phaseId: string; page: Page; sort?: 'state' }): ViewWithBase<StepPage>;
  lineage(ref: GraphRef, asked: { nodeId: string; direction: Direction; page: Page }): ViewWithBase<Lineage>;
  plannedStep(ref: PlannedRef, nodeId: string): ViewWithBase<PlannedStep>;
  runStep(ref: RunRef, asked: { nodeId: string; outputOffset: number }): Promise<ViewWithBase<RunStep>>;
  output(ref: RunRef, options: OutputOptions): Promise<ViewWithBase<Output>>;
  /** In the requested format; an invalid request is QUERY_INVALID before any lookup. */
  outputAs(ref: RunRef, asked: OutputQuery): Promise<ViewWithBase<Output> | RawOutput>;
  history(ref: RunRef, page: Page): ViewWithBase<History>;
  /** NOT_FOUND for a session that is not there. */
  runs(sessionId: string, asked: RunFilter & { page: Page }): RunList;
  /** Undefined when the run has ended and the reader knows all of it. */
  follow(ref: RunRef, following: { after: number; signal: AbortSignal }): AsyncIterable<RunUpdate> | undefined;
}

interface ViewNeeds {
  ambient: Ambient;
  store: Store;
  content: ContentStore;
  follow: FollowRun;
  sessionExists(sessionId: string): boolean;
}

export function createViews(needs: ViewNeeds): Views {
  const { store, content, sessionExists } = needs;
  const moment = <Result>(read: (db: SqliteDatabase) => Result): Result => {
    const db = store.db();
    return db.transaction(() => read(db))();
  };
  const see = <View>(ref: GraphRef, read: (db: SqliteDatabase, place: ViewedGraph) => View): ViewWithBase<View> =>
    moment((db) => {
      const place = openViewedGraph(db, ref);
      return { base: place.base, factsAt: place.factsAt, view: read(db, place) };
    });
  const seeRun = <View>(
    ref: RunRef,
    read: (db: SqliteDatabase, place: ViewedGraph & { run: RunFacts }) => View,
  ): ViewWithBase<View> =>
    moment((db) => {
      const place = runPlace(db, ref);
      return { base: place.base, factsAt: place.factsAt, view: read(db, place) };
    });
  const output = async (ref: RunRef, options: OutputOptions): Promise<ViewWithBase<Output>> => {
    const { view, ...head } = seeRun(ref, (db, place) => chooseOutput(db, place, options));
    return { ...head, view: await readOutput(content, view, options) };
  };
  const rawOutput = async (ref: RunRef, asked: ReturnType<typeof wholeResult>): Promise<RawOutput> => {
    const { view } = seeRun(ref, (db, place) => chooseOutput(db, place, asked));
    if ('results' in view) throw new Error('a result that was named is one');
    return { bytes: await content.get(view.sha256), contentType: view.contentType, resultId: asked.resultId };
  };

  return {
    overview: (ref) => see(ref, overviewOf),
    edges: (ref, asked) => see(ref, (db, place) => edgesOf(db, place, asked)),
    steps: (ref, asked) => see(ref, (db, place) => stepsOf(db, place, asked)),
    lineage: (ref, asked) => see(ref, (db, place) => lineageOf(db, place, asked)),
    plannedStep: (ref, nodeId) => see(ref, (db, place) => plannedStep(db, place, nodeId)),
    async runStep(ref, { nodeId, outputOffset }) {
      const { view, ...head } = seeRun(ref, (db, place) => runStepFacts(db, place, nodeId));
      return { ...head, view: await withPreviews(content, view, outputOffset) };
    },
    output,
    outputAs: async (ref, { format, ...asked }) =>
      format === 'raw' ? rawOutput(ref, wholeResult(asked)) : output(ref, { ...asked, offset: asked.offset ?? 0 }),
    history: (ref, page) => seeRun(ref, (db, place) => historyOf(db, place, page)),
    runs(sessionId, asked) {
      if (!sessionExists(sessionId)) throw workflowsError('NOT_FOUND', { reason: 'workflow-session' });
      return moment((db) => runsOf(db, sessionId, asked));
    },
    follow: (ref, following) => followRun(needs, ref, following),
  };
}
