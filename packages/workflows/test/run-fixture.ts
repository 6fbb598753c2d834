import { type FakeAmbient, fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { type ContentStore, openContentStore } from '../src/content/content-store.ts';
import type { DefinitionCore } from '../src/definition/core.ts';
import { type Graph, graphOf } from '../src/definition/graph.ts';
import { writeDefinition } from '../src/definition/write-definition.ts';
import type { StoredFact } from '../src/runs/journal/facts.ts';
import { createJournal } from '../src/runs/journal/journal.ts';
import { createRows, type RunRow } from '../src/runs/journal/rows.ts';
import type { RunOutcome, RunsNeeds } from '../src/runs/needs.ts';
import type { StartResult } from '../src/runs/orders.ts';
import type { StepOutcome, StepRunRequest, StepSessions } from '../src/runs/ports.ts';
import { createRuns, type Runs } from '../src/runs/runs.ts';
import { openStore, type Store } from '../src/store/store.ts';

export const ROOT = 'root-session';

/** The outcome of a step's session. `hold` keeps it open until `release`. */
export type StepScript = (order: StepRunRequest) => Partial<StepOutcome> | 'hold' | 'refuse';

/** Simulated sessions of steps. They survive a crash of the engine, as sessions on disk do. */
export interface FakeSteps extends StepSessions {
  /** All started sessions, in order. */
  readonly orders: StepRunRequest[];
  /** Steps whose session was aborted. */
  readonly stopped: string[];
  script(next: StepScript): void;
  /** Ends the held sessions of a step. */
  release(nodeId: string, outcome?: Partial<StepOutcome>): void;
  /** Open sessions lose their process. */
  crash(): void;
  /** True while a session of this step is open. */
  isOpen(nodeId: string): boolean;
}

const USAGE = { promptTokens: 100, completionTokens: 10, toolCalls: 1, modelRequests: 1, costUsd: 0.01 };
const MODEL = { provider: 'ollama', model: 'tiny' };

export function fakeSteps(): FakeSteps {
  const orders: StepRunRequest[] = [];
  const stopped: string[] = [];
  const sessions = new Map<string, StepOutcome | 'open'>();
  let open = new Map<string, { order: StepRunRequest; end(outcome: Partial<StepOutcome>): void }>();
  let script: StepScript = ({ nodeId }) => ({ text: `result of ${nodeId}` });

  const whole = ({ stepSessionId }: StepRunRequest, outcome: Partial<StepOutcome>): StepOutcome => ({
    stepSessionId,
    model: MODEL,
    usage: USAGE,
    end: outcome.errorClass ? 'failed' : 'succeeded',
    text: '',
    ...outcome,
  });

  return {
    orders,
    stopped,
    script: (next) => void (script = next),
    providerOf: (model) => model?.split(':')[0] ?? 'ollama',
    isOpen: (nodeId) => [...open.values()].some(({ order }) => order.nodeId === nodeId),
    release(nodeId, outcome = { text: `result of ${nodeId}` }) {
      for (const { order, end } of open.values()) if (order.nodeId === nodeId) end(outcome);
    },
    crash() {
      for (const { order } of open.values()) {
        sessions.set(order.stepSessionId, whole(order, { errorClass: 'interrupted' }));
      }
      open = new Map();
    },
    async run(order, begun, signal) {
      const answer = script(order);
      if (answer === 'refuse') throw new Error('no session');
      orders.push(order);
      sessions.set(order.stepSessionId, 'open');
      begun({ stepSessionId: order.stepSessionId, model: MODEL });
      if (answer !== 'hold') {
        const outcome = whole(order, answer);
        sessions.set(order.stepSessionId, outcome);
        return outcome;
      }
      return new Promise<StepOutcome>((resolve) => {
        const mine = open;
        const end = (partial: Partial<StepOutcome>): void => {
          // After a crash nothing receives its result.
          if (!mine.delete(order.stepSessionId) || mine !== open) return;
          const outcome = whole(order, partial);
          sessions.set(order.stepSessionId, outcome);
          resolve(outcome);
        };
        open.set(order.stepSessionId, { order, end });
        const stop = (): void => {
          if (mine === open) stopped.push(order.nodeId);
          end({ errorClass: signal.reason === 'shutdown' ? 'interrupted' : 'stopped' });
        };
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
      });
    },
    async lookUp(stepSessionId) {
      const known = sessions.get(stepSessionId);
      return known === 'open' ? undefined : known;
    },
  };
}

export interface RunFixture extends AsyncDisposable {
  dataDir: string;
  ambient: FakeAmbient;
  store: Store;
  content: ContentStore;
  steps: FakeSteps;
  outcomes: RunOutcome[];
  runs: Runs;
  /** Stores a definition unchanged, approved by default; returns the arguments of a start. */
  approved(
    core: DefinitionCore | Graph,
    facts?: { version?: number; isApproved?: boolean; workflowId?: string },
  ): Approved;
  /** Starts it and waits until all is settled. */
  started(core: DefinitionCore): Promise<StartResult>;
  row(runId: string): RunRow;
  states(runId: string): Record<string, string>;
  facts(runId: string): StoredFact[];
  types(runId: string): string[];
  budget(runId: string, name: string): { reserved: number; used: number };
  /** Another process takes over, as after kill -9. */
  restart(): void;
  commandId(): string;
}

export interface Approved {
  workflowId: string;
  version: number;
  definitionHash: string;
  commandId: string;
}

export async function runFixture(needs: Partial<RunsNeeds> = {}): Promise<RunFixture> {
  const dir = await tempDir();
  const ambient = fakeAmbient();
  const store = openStore({ ambient, dataDir: dir.path });
  const content = openContentStore({ dataDir: dir.path, db: store.db });
  const steps = fakeSteps();
  const outcomes: RunOutcome[] = [];
  let life = { isOver: false };
  const make = (): Runs => {
    const own = { isOver: false };
    life = own;
    return createRuns({
      ambient,
      db: store.db,
      content,
      steps,
      isBackground: true,
      concurrency: { total: 8, perProvider: 8 },
      sessionExists: (sessionId) => sessionId === ROOT,
      reportOutcome: async (outcome) => void outcomes.push(outcome),
      ...needs,
      fault(moment) {
        if (own.isOver) throw new Error('this process has ended');
        needs.fault?.(moment);
      },
    });
  };
  let runs = make();
  runs.begin();
  let workflows = 0;
  const rowOf = (runId: string): RunRow => {
    const row = createRows(store.db()).runById(runId);
    if (!row) throw new Error(`no run ${runId}`);
    return row;
  };
  const facts = (runId: string): StoredFact[] =>
    createJournal({ ambient, db: store.db() }).facts(rowOf(runId).key, 0, 100_000);

  const fixture: RunFixture = {
    dataDir: dir.path,
    ambient,
    store,
    content,
    steps,
    outcomes,
    get runs() {
      return runs;
    },
    commandId: () => ambient.newId(),
    approved(core, { version = 1, isApproved = true, workflowId } = {}) {
      workflows += 1;
      const id = workflowId ?? `00000000-0000-8000-8000-${String(workflows).padStart(12, '0')}`;
      const graph =
        'nodes' in core && typeof core.nodes === 'function' ? (core as Graph) : graphOf(core as DefinitionCore);
      const { key, definitionHash } = writeDefinition(store.db(), graph, {
        workflowId: id,
        version,
        sessionId: ROOT,
        proposal: {
          initiatingSessionId: ROOT,
          createdAt: '2026-01-01T00:00:00.000Z',
          plannerModel: null,
          sessionModel: null,
        },
        preflight: { errors: [], warnings: [], estimates: {} },
        createdAt: ambient.now(),
      });
      if (isApproved)
        store.db().prepare('INSERT INTO approvals VALUES (?, ?, ?)').run(key, ambient.newId(), ambient.now());
      return { workflowId: id, version, definitionHash, commandId: ambient.newId() };
    },
    async started(core) {
      const result = await runs.start(fixture.approved(core));
      await runs.settled();
      return result;
    },
    row: rowOf,
    states(runId) {
      const rows = store
        .db()
        .prepare<[number], { id: string; state: string }>(
          `SELECT n.node_id AS id, r.state FROM run_nodes r JOIN runs u ON u.key = r.run
           JOIN definition_nodes n ON n.definition = u.definition AND n.ord = r.ord WHERE r.run = ? ORDER BY r.ord`,
        )
        .all(rowOf(runId).key);
      return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
    },
    facts,
    types: (runId) => facts(runId).map(({ type }) => type),
    budget(runId, name) {
      const line = store
        .db()
        .prepare<[number, string], { reserved: number; used: number }>(
          'SELECT reserved, used FROM run_budgets WHERE run = ? AND name = ?',
        )
        .get(rowOf(runId).key, name);
      if (!line) throw new Error(`no budget ${name}`);
      return line;
    },
    restart() {
      steps.crash();
      life.isOver = true;
      runs = make();
      runs.begin();
    },
    async [Symbol.asyncDispose]() {
      await Promise.race([runs[Symbol.asyncDispose](), ambient.advance(4_000)]);
      store.close();
      await dir[Symbol.asyncDispose]();
    },
  };
  return fixture;
}
