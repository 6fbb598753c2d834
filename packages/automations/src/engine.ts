import { isAppError } from '@fucina/shared';
import { automationsError } from './errors.ts';
import { countedRun } from './legacy.ts';
import { type RunContext, runMessage, summaryOf } from './message.ts';
import type { AutomationsNeeds, RunReport } from './needs.ts';
import type { AnyAutomation, Automation, Run, RunReason, RunState } from './records.ts';
import type { Store } from './store.ts';
import { counted, latenessOf, nextFree } from './timing.ts';

/** Claims runs in a transaction, starts each once and follows it to its end. */
export interface Engine {
  /** Claims and starts up to this many due runs; returns how many were examined. */
  fireDue(limit: number): Promise<number>;
  runNow(id: string, context?: RunContext): Promise<{ runId: string; sessionId: string }>;
  /** Resolves when the end is stored. AUTOMATION_NO_RUN_IN_PROGRESS. */
  stop(id: string): Promise<void>;
  /** Closes the runs that an earlier process left open, or follows them again. */
  recover(): Promise<void>;
  /** Runs in progress are left for the next start. */
  close(): Promise<void>;
}

export interface EngineNeeds extends Pick<AutomationsNeeds, 'ambient' | 'sessions' | 'folderOf' | 'systemZone'> {
  store: Store;
  /** Called when the next due time may have changed. */
  onChange(): void;
}

interface Claimed {
  record: AnyAutomation;
  run: Run;
}

interface Ending {
  state: Exclude<RunState, 'running'>;
  reason?: RunReason | undefined;
  detail?: string | undefined;
  summary?: string | null;
  needsLook: boolean;
  retryAfterMs?: number | null;
}

const MOST_GOING = 50;
const MOST_WAIT_MS = 7 * 86_400_000;

export function createEngine(needs: EngineNeeds): Engine {
  const { ambient, store, sessions, systemZone } = needs;
  /** Runs in progress by id: `going` until their end, `starts` until their session exists. */
  const going = new Map<string, Promise<void>>();
  const starts = new Map<string, Promise<string | undefined>>();
  let isClosing = false;

  const nextOf = (record: AnyAutomation): number | null =>
    record.isOn ? nextFree(record, ambient.now(), { store, systemZone }) : null;

  /** Inside a transaction: stores the run and links it to its automation. */
  function begin(record: AnyAutomation, scheduledAt: number | null): Claimed {
    const now = ambient.now();
    const run: Run = {
      runId: ambient.newId(),
      automationId: record.id,
      scheduledAt,
      startedAt: now,
      sessionId: null,
      ...(scheduledAt === null ? { isManual: true } : { lateness: latenessOf(record, scheduledAt, now) }),
      state: 'running',
      finishedAt: null,
      skippedAt: null,
      summary: null,
      needsLook: false,
      isRead: false,
      changes: [],
    };
    const running = { runId: run.runId, sessionId: null, startedAt: now };
    const begun = withRun(record, { now, isManual: scheduledAt === null, zone: systemZone });
    const waiting: AnyAutomation = { ...begun, running, waitsUntil: null };
    const isTimeless = waiting.version === 2 && scheduledAt === null && waiting.schedule.kind !== 'every';
    const next = isTimeless ? waiting.nextRunAt : nextOf(waiting);
    const after: AnyAutomation = { ...waiting, nextRunAt: waiting.isOn ? next : null };
    store.save(after);
    store.saveRun(run);
    store.note(run.runId, 'partita', { scheduledAt });
    return { record: after, run };
  }

  /** The first writer claims a scheduled time; a time that was already claimed is skipped. */
  const claimDue = (seen: AnyAutomation): Promise<Claimed | undefined> =>
    store.write(() => {
      const record = store.read(seen.id);
      const at = record?.nextRunAt ?? null;
      if (!record?.isOn || at === null || at !== seen.nextRunAt) return undefined;
      if (Math.max(at, record.waitsUntil ?? 0) > ambient.now()) return undefined;
      if (!store.claim(record.id, at)) {
        store.save({ ...record, nextRunAt: nextOf(record) });
        return undefined;
      }
      if (!record.running) return begin(record, at);
      skip(record, at);
      return undefined;
    });

  function skip(record: AnyAutomation, at: number): void {
    const now = ambient.now();
    const run: Run = {
      runId: ambient.newId(),
      automationId: record.id,
      scheduledAt: at,
      startedAt: null,
      sessionId: null,
      state: 'skipped',
      finishedAt: null,
      skippedAt: now,
      summary: null,
      reason: 'giro-in-corso',
      needsLook: false,
      isRead: false,
      changes: [],
    };
    store.save({ ...record, waitsUntil: null, nextRunAt: nextOf(record) });
    store.saveRun(run);
    store.note(run.runId, 'saltata', { reason: run.reason });
  }

  /** Returns the session, or undefined when none could be started; the run is closed then. */
  async function start({ record, run }: Claimed, context?: RunContext): Promise<string | undefined> {
    try {
      const sessionId = await startSession(record, context);
      const isKept = await store.write(() => noteSession(run, sessionId));
      if (!isKept) await sessions.stop(sessionId);
      return isKept ? sessionId : undefined;
    } catch (error) {
      const detail = isAppError(error) ? error.code : 'INTERNAL_ERROR';
      if (!isAppError(error)) ambient.log.error('automation.not-started', { automationId: record.id, error });
      const isMissing = isAppError(error, 'AUTOMATION_FOLDER_UNAVAILABLE');
      await end(
        run,
        isMissing
          ? { state: 'skipped', reason: 'cartella-assente', needsLook: true }
          : { state: 'failed', reason: 'non-partita', detail, needsLook: true },
      );
      if (run.isManual) throw isMissing ? error : notStarted(error, detail);
      return undefined;
    }
  }

  async function startSession(record: AnyAutomation, context: RunContext | undefined): Promise<string> {
    if (record.version === 1) {
      return (await sessions.startTemplate({ taskId: record.taskId, model: record.model })).sessionId;
    }
    const folder = await needs.folderOf(record.folder);
    if (folder === undefined) throw automationsError('AUTOMATION_FOLDER_UNAVAILABLE');
    const { name, model, permissions } = record;
    const order = { name, folder, model, permissions, message: runMessage(record, { context, mark: ambient.newId() }) };
    return (await sessions.start(order)).sessionId;
  }

  /** False when the automation was deleted in the meantime. */
  function noteSession(run: Run, sessionId: string): boolean {
    const record = store.read(run.automationId);
    const kept = store.readRun(run.automationId, run.runId);
    if (!record || kept?.state !== 'running') return false;
    store.saveRun({ ...kept, sessionId });
    if (record.running?.runId === run.runId) store.save({ ...record, running: { ...record.running, sessionId } });
    return true;
  }

  async function watch(run: Run, sessionId: string): Promise<void> {
    await sessions.settled(sessionId);
    if (isClosing) return;
    await end(run, endingOf(await sessions.report(sessionId)));
  }

  async function end(run: Run, ending: Ending): Promise<void> {
    const { state, reason, detail, summary = null, needsLook, retryAfterMs } = ending;
    const now = ambient.now();
    await store.write(() => {
      const kept = store.readRun(run.automationId, run.runId);
      const record = store.read(run.automationId);
      if (!record || kept?.state !== 'running') return;
      const when = state === 'skipped' ? { skippedAt: now } : { finishedAt: now };
      const hasNews = kept.changes.length > 0 || kept.proposal !== undefined;
      store.saveRun({ ...kept, state, reason, detail, summary, needsLook: needsLook || hasNews, ...when });
      store.note(run.runId, state === 'skipped' ? 'saltata' : 'fine', { state, reason, detail });
      const waitsUntil = retryAfterMs ? now + Math.min(retryAfterMs, MOST_WAIT_MS) : record.waitsUntil;
      if (record.running?.runId === run.runId) store.save({ ...record, running: null, waitsUntil });
    });
    needs.onChange();
  }

  /** The whole life of a run; resolves with its session as soon as there is one. */
  function live(claimed: Claimed, context?: RunContext): Promise<string | undefined> {
    const { run } = claimed;
    const started = start(claimed, context).finally(() => starts.delete(run.runId));
    starts.set(run.runId, started);
    const whole = started.then(async (sessionId) => {
      if (sessionId !== undefined) await watch(run, sessionId);
    });
    const done = whole
      .catch((error: unknown) => {
        if (!isAppError(error)) ambient.log.error('automation.run-failed', { runId: run.runId, error });
      })
      .finally(() => going.delete(run.runId));
    going.set(run.runId, done);
    return started;
  }

  return {
    async fireDue(limit) {
      const room = Math.min(limit, MOST_GOING - going.size);
      if (room <= 0 || isClosing) return 0;
      const due = store.due(ambient.now(), room);
      for (const record of due) {
        const claimed = await claimDue(record);
        if (claimed && !isClosing) await live(claimed);
      }
      return due.length;
    },

    async runNow(id, context) {
      const known = readable(store.read(id));
      if (isClosing) throw automationsError('SERVER_SHUTTING_DOWN');
      if ((await needs.folderOf(known.folder)) === undefined) {
        throw automationsError('AUTOMATION_FOLDER_UNAVAILABLE', { params: { field: 'cartella' } });
      }
      const claimed = await store.write(() => {
        const record = readable(store.read(id));
        if (record.running) throw automationsError('AUTOMATION_RUN_IN_PROGRESS');
        return begin(record, null);
      });
      needs.onChange();
      const sessionId = await live(claimed, context);
      if (sessionId === undefined) throw automationsError('AUTOMATION_RUN_NOT_STARTED', { reason: 'deleted' });
      return { runId: claimed.run.runId, sessionId };
    },

    async stop(id) {
      const running = store.read(id)?.running;
      if (!running) throw automationsError('AUTOMATION_NO_RUN_IN_PROGRESS');
      const run = store.readRun(id, running.runId);
      const sessionId = running.sessionId ?? (await starts.get(running.runId)?.catch(() => undefined));
      if (sessionId) await sessions.stop(sessionId);
      await going.get(running.runId);
      if (run) await end(run, { state: 'stopped', needsLook: false });
    },

    async recover() {
      for (const run of store.going()) {
        if (going.has(run.runId)) continue;
        const report = run.sessionId === null ? undefined : await sessions.report(run.sessionId);
        if (!report?.isRunning || run.sessionId === null) await end(run, endingOf(report));
        else
          going.set(
            run.runId,
            watch(run, run.sessionId).finally(() => going.delete(run.runId)),
          );
      }
    },

    async close() {
      isClosing = true;
      await Promise.allSettled(starts.values());
    },
  };
}

function withRun(
  record: AnyAutomation,
  { now, isManual, zone }: { now: number; isManual: boolean; zone: string },
): AnyAutomation {
  if (record.version === 1) return countedRun(record, now, zone);
  const ran: Automation = { ...record, lastRunAt: now };
  // A run started by hand does not count as a scheduled one.
  return isManual && record.schedule.kind !== 'manual' ? ran : counted(ran);
}

function endingOf(report: RunReport | undefined): Ending {
  const interrupted: Ending = { state: 'failed', reason: 'interrotta', needsLook: true };
  if (!report) return interrupted;
  const summary = summaryOf(report.text);
  switch (report.outcome) {
    case 'done':
      return { state: 'done', summary, needsLook: summary !== null };
    case 'stopped':
      return { state: 'stopped', summary, needsLook: false };
    case 'steps-used-up':
      return { state: 'failed', reason: 'giri-esauriti', summary, needsLook: true };
    case 'interrupted':
      return { ...interrupted, summary };
    case 'failed': {
      const { retryAfterMs, code } = report;
      const reason = retryAfterMs ? ('attesa-fornitore' as const) : ('errore' as const);
      return { state: 'failed', reason, detail: code ?? undefined, summary, needsLook: true, retryAfterMs };
    }
  }
}

function readable(record: AnyAutomation | undefined): Automation {
  if (!record) throw automationsError('NOT_FOUND');
  if (record.version === 1) throw automationsError('AUTOMATION_LEGACY');
  return record;
}

function notStarted(cause: unknown, detail: string) {
  if (isAppError(cause, 'SERVER_SHUTTING_DOWN')) return cause;
  return automationsError('AUTOMATION_RUN_NOT_STARTED', { reason: detail.toLowerCase().replaceAll('_', '-'), cause });
}
