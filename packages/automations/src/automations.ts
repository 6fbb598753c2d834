import {
  type AutomationPatch,
  changed,
  type NewAutomation,
  type NewLegacy,
  newAutomation,
  newLegacy,
} from './editing.ts';
import { createEngine } from './engine.ts';
import { automationsError } from './errors.ts';
import { createHooks, type Hooks } from './hooks.ts';
import type { AutomationsNeeds } from './needs.ts';
import { createSelfChange, type Decision, decide, type SelfChange } from './proposals.ts';
import type { AnyAutomation, Automation, Origin, Run } from './records.ts';
import { createScheduler } from './scheduler.ts';
import { openStore, type RunEventKind } from './store.ts';
import { nextFree } from './timing.ts';
import { createWatches, type Watches } from './watches.ts';

/** Scheduled tasks that run with the rights the user granted. Every operation on an unknown id throws NOT_FOUND. */
export interface Automations {
  /** Oldest first. */
  list(): Promise<AnyAutomation[]>;
  read(id: string): Promise<AnyAutomation>;
  /** Same as `read`, but synchronous; undefined if the automation does not exist. */
  peek(id: string): AnyAutomation | undefined;
  /**
   * The new automation is active. Throws AUTOMATION_INVALID, AUTOMATION_TIMEZONE_INVALID, AUTOMATION_SCHEDULE_*,
   * AUTOMATION_CRON_*, AUTOMATION_FOLDER_UNAVAILABLE.
   */
  create(given: NewAutomation, origin: Origin): Promise<Automation>;
  /**
   * The legacy form; the new automation is inactive. Throws AUTOMATION_INVALID, TASK_NOT_ALLOWED,
   * TASK_CATALOG_UNAVAILABLE.
   */
  createLegacy(given: NewLegacy): Promise<AnyAutomation>;
  /** Creates either form, depending on the request. */
  make(given: NewAutomation | NewLegacy, origin: Origin): Promise<AnyAutomation>;
  /** Throws what `create` throws, and AUTOMATION_LEGACY. */
  change(id: string, patch: AutomationPatch): Promise<Automation>;
  /** Activates it: the next run is computed from now. AUTOMATION_INVALID if it could never run again. */
  toggle(id: string, isOn: boolean): Promise<AnyAutomation>;
  /** Applies to future runs. */
  setCoordination(id: string, coordinates: boolean): Promise<AnyAutomation>;
  /** Stops a run in progress first. */
  remove(id: string): Promise<void>;
  /** AUTOMATION_RUN_IN_PROGRESS, AUTOMATION_RUN_NOT_STARTED, AUTOMATION_LEGACY, AUTOMATION_FOLDER_UNAVAILABLE, SERVER_SHUTTING_DOWN. */
  runNow(id: string, context?: string): Promise<{ runId: string; sessionId: string }>;
  /** AUTOMATION_NO_RUN_IN_PROGRESS. */
  stop(id: string): Promise<void>;
  /** Newest first, 50 by default. */
  runs(id: string, limit?: number): Promise<Run[]>;
  /** Error code of what its model lacks before it can be called; undefined: nothing. */
  modelProblem(automation: Pick<AnyAutomation, 'model'>): Promise<string | undefined>;
  /** Events of one run, oldest first. */
  events(id: string, runId: string): Promise<{ kind: RunEventKind; at: number; facts: unknown }[]>;
  /** Unread runs that have a result to report, newest first. */
  inbox(): Promise<{ run: Run; automation: AnyAutomation }[]>;
  markRead(id: string, runId: string): Promise<Run>;
  /** AUTOMATION_PROPOSAL_NOT_FOUND, AUTOMATION_PROPOSAL_DECIDED, AUTOMATION_PROPOSAL_STALE. */
  decide(id: string, runId: string, decision: Decision): Promise<{ automation: Automation; run: Run }>;
  /** For a run in progress. */
  self: SelfChange;
  /** Starts by other programs. */
  hooks: Hooks;
  /** Starts by changes of files. */
  watches: Watches;
  /** The run of this session and its rights; undefined for any other session. */
  runOf(sessionId: string): { run: Run; coordinates: boolean; asksAddresses: boolean } | undefined;
  /** Starts the scheduler; only one process may do so. Closes the runs that an earlier process left open. */
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const RUNS_SHOWN = 50;

export function createAutomations(needs: AutomationsNeeds): Automations {
  const { ambient, systemZone } = needs;
  let isClosed = false;
  const store = openStore(needs);
  const engine = createEngine({ ...needs, store, onChange: () => scheduler.nudge() });
  const scheduler = createScheduler({ ambient, store, engine, systemZone });
  const timed = <Record extends AnyAutomation>(record: Record): Record => ({
    ...record,
    nextRunAt: record.isOn ? nextFree(record, ambient.now(), { store, systemZone }) : null,
  });
  const found = (id: string): AnyAutomation => {
    const record = store.read(id);
    if (!record) throw automationsError('NOT_FOUND');
    return record;
  };
  const watches = createWatches({ ...needs, watchFolder: needs.watchFolder, store, engine, found });
  const foundRun = (id: string, runId: string): Run => {
    found(id);
    const run = store.readRun(id, runId);
    if (!run) throw automationsError('NOT_FOUND');
    return run;
  };
  const update = async <Kept extends AnyAutomation>(id: string, change: (record: AnyAutomation) => Kept) => {
    const kept = await store.write(() => {
      const next = change(found(id));
      store.save(next);
      return next;
    });
    scheduler.nudge();
    return kept;
  };

  const make = {
    async create(given: NewAutomation, origin: Origin): Promise<Automation> {
      const record = timed(await newAutomation(given, origin, needs));
      await store.write(() => store.save(record));
      scheduler.nudge();
      return record;
    },
    async createLegacy(given: NewLegacy): Promise<AnyAutomation> {
      const record = await newLegacy(given, needs);
      await store.write(() => store.save(record));
      return record;
    },
  };

  return {
    list: async () => store.list(),
    read: async (id) => found(id),
    peek: (id) => store.read(id),
    ...make,
    make: (given, origin) => ('taskId' in given ? make.createLegacy(given) : make.create(given, origin)),
    async change(id, patch) {
      const seen = editable(found(id));
      const wanted = await changed(seen, patch, needs);
      return update(id, (record) => {
        const isTimed = patch.schedule !== undefined || patch.zone !== undefined;
        const { running, waitsUntil, lastRunAt, isOn } = editable(record);
        const next = { ...wanted, running, waitsUntil, lastRunAt, isOn, nextRunAt: record.nextRunAt };
        return isTimed ? timed(next) : next;
      });
    },
    toggle: (id, isOn) =>
      update(id, (record) => {
        if (!isOn) return { ...record, isOn, nextRunAt: null };
        const isUsedUp = record.version === 2 && record.repeats !== null && record.executed >= record.repeats;
        const next = timed({ ...record, isOn, waitsUntil: null, ...(isUsedUp && { executed: 0 }) });
        const isOver = next.version === 2 && next.schedule.kind === 'once' && next.nextRunAt === null;
        if (isOver) throw automationsError('AUTOMATION_INVALID', { reason: 'its-time-is-past' });
        return next;
      }),
    setCoordination: (id, coordinates) => update(id, (record) => ({ ...record, coordinates })),
    async remove(id) {
      if (found(id).running) await engine.stop(id).catch(ignoreNone);
      await store.write(() => {
        found(id);
        store.remove(id);
      });
      scheduler.nudge();
    },
    async runNow(id, context) {
      found(id);
      return engine.runNow(id, context === undefined ? undefined : { kind: 'user', text: context });
    },
    async stop(id) {
      found(id);
      await engine.stop(id);
    },
    async runs(id, limit = RUNS_SHOWN) {
      found(id);
      return store.runs(id, limit);
    },
    async events(id, runId) {
      foundRun(id, runId);
      return store.events(runId);
    },
    async inbox() {
      const records = new Map(store.list().map((record) => [record.id, record]));
      return store.toLookAt().flatMap((run) => {
        const automation = records.get(run.automationId);
        return automation ? [{ run, automation }] : [];
      });
    },
    markRead: (id, runId) =>
      store.write(() => {
        const run = foundRun(id, runId);
        if (run.isRead) return run;
        const read = { ...run, isRead: true };
        store.saveRun(read);
        store.note(runId, 'letta', {});
        return read;
      }),
    decide: (id, runId, decision) =>
      store.write(() => {
        const run = decide(store, foundRun(id, runId), { decision, now: ambient.now() });
        return { run, automation: editable(found(id)) };
      }),
    self: createSelfChange({ store, now: () => ambient.now() }),
    hooks: createHooks({ ambient, store, engine, found }),
    watches,
    runOf(sessionId) {
      // A turn that is being stopped may still ask for approval.
      if (isClosed) return undefined;
      const run = store.runBySession(sessionId);
      const record = run && store.read(run.automationId);
      if (!run || !record) return undefined;
      const asksAddresses = record.version === 2 && (record.asksAddresses ?? false);
      return { run, coordinates: record.coordinates, asksAddresses };
    },
    modelProblem: ({ model }) => needs.modelProblem(model),
    async start() {
      await scheduler.start();
      if (!isClosed) watches.start();
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      watches.close();
      await scheduler.close();
      await engine.close();
      store.close();
    },
  };
}

function editable(record: AnyAutomation): Automation {
  if (record.version === 1) throw automationsError('AUTOMATION_LEGACY');
  return record;
}

/** It ended by itself in the meantime. */
function ignoreNone(error: unknown): void {
  if ((error as { code?: unknown }).code !== 'AUTOMATION_NO_RUN_IN_PROGRESS') throw error;
}
