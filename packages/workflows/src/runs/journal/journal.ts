import type { Ambient, SqliteDatabase } from '@fucina/shared';
import type { FaultMoment, RunChange } from '../needs.ts';
import { nextRunState, type RunFact } from '../run-state.ts';
import type { NewResult } from '../steps/outputs.ts';
import { assertStepMove, isTerminal, needsAttention, rankOf, type StepState } from '../steps/step-state.ts';
import { type BudgetLedger, createBudgetLedgers, type OpenLedger } from './budgets.ts';
import type { Envelope, FactType, JournalFact, StoredFact } from './facts.ts';
import { createRows, type Rows, type RunRow, type StepFacts, type StepRow } from './rows.ts';

/** The facts of one run inside one transaction. State changes carry the sequence of the last recorded fact. */
export interface RunWriter {
  /** The current state inside the transaction. */
  readonly run: RunRow;
  /** Time of this transaction. */
  readonly at: number;
  readonly budgets: BudgetLedger;
  note(fact: JournalFact): { seq: number; eventId: string };
  /** Compare-and-set; throws on an invalid transition, and when the step is not in the state of `step`. */
  moveStep(step: StepRow, to: StepState, facts?: Partial<StepFacts>): StepRow;
  /** Facts of a step that do not change its state. */
  changeStep(step: StepRow, facts: Partial<StepFacts>): StepRow;
  /** Settles one incoming edge of this step; returns the updated step. */
  settleEdge(ord: number, isTaken: boolean): StepRow;
  /** Replaces those of an earlier attempt. */
  recordResults(ord: number, results: readonly NewResult[]): void;
  /** A state that the caller wrote itself for many steps, from position 0 of the history. */
  noteHistory(entries: number): void;
  /** Changes every step in `from`, at most `limit`; returns how many. */
  moveMany(from: StepState, to: StepState, limit: number): number;
  moveRun(fact: RunFact | 'resume' | 'retry', reason?: string | null): void;
  request(what: Partial<Pick<RunRow, 'isPauseRequested' | 'isCancelRequested'>>): void;
}

export interface Transaction {
  readonly db: SqliteDatabase;
  readonly rows: Rows;
  readonly at: number;
  run(key: number): RunWriter;
}

/** The only writer of facts. */
export interface Journal {
  readonly rows: Rows;
  /** One transaction, committed when this returns; then followers are notified. Rolled back when `work` throws. */
  write<Result>(work: (tx: Transaction) => Result): Result;
  onCommit(listener: (news: RunChange) => void): () => void;
  /** Facts of a run after `seq`, in order. */
  facts(run: number, seq: number, limit: number): StoredFact[];
}

export interface JournalNeeds {
  ambient: Ambient;
  db: SqliteDatabase;
  fault?(moment: FaultMoment): void;
}

export function createJournal({ ambient, db, fault }: JournalNeeds): Journal {
  const rows = createRows(db);
  const sql = prepareStatements(db);
  const openBook = createBudgetLedgers(db);
  const listeners = new Set<(news: RunChange) => void>();

  const write = db.transaction(<Result>(work: (tx: Transaction) => Result) => {
    const open = new Map<number, OpenRun>();
    const at = ambient.now();
    const run = (key: number): RunWriter => {
      const known = open.get(key);
      if (known) return known.writer;
      const row = rows.run(key);
      if (!row) throw new Error(`no run ${key}`);
      const opened = openRun(row, { ambient, sql, rows, at, openBook });
      open.set(key, opened);
      return opened.writer;
    };
    fault?.('before-write');
    const result = work({ db, rows, at, run });
    const news = [...open.values()].flatMap((opened) => opened.save() ?? []);
    fault?.('before-commit');
    return { result, news };
  });

  return {
    rows,
    write(work) {
      const { result, news } = write.immediate(work) as { result: ReturnType<typeof work>; news: RunChange[] };
      fault?.('after-commit');
      for (const each of news) for (const listener of listeners) listener(each);
      return result;
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    facts: (run, seq, limit) =>
      sql.facts
        .all(run, seq, limit)
        .map(({ envelope, ...fact }) => ({ ...fact, ...(JSON.parse(envelope) as Envelope) })),
  };
}

interface OpenRunNeeds {
  ambient: Ambient;
  sql: Statements;
  rows: Rows;
  at: number;
  openBook: OpenLedger;
}

interface OpenRun {
  writer: RunWriter;
  /** Writes the run's own row; undefined when nothing was recorded. */
  save(): RunChange | undefined;
}

function openRun(run: RunRow, { ambient, sql, rows, at, openBook }: OpenRunNeeds): OpenRun {
  let isChanged = false;
  let book: BudgetLedger | undefined;
  const firstSeq = run.lastSeq;
  const enter = (state: string, node: number | null): void => {
    // Followers query changes after a sequence: a state without its own fact would never reach them.
    if (run.lastSeq === firstSeq) throw new Error(`no fact tells that run ${run.runId} enters ${state}`);
    sql.history.run(run.key, run.historyLength, run.lastSeq, at, node, state);
    run.historyLength += 1;
  };
  const countMove = (from: StepState, to: StepState, steps: number): void => {
    run.terminated += steps * (Number(isTerminal(to)) - Number(isTerminal(from)));
    run.attention += steps * (Number(needsAttention(to)) - Number(needsAttention(from)));
  };
  const save = (step: StepRow, to: StepState, facts: Partial<StepFacts>): StepRow => {
    const next: StepRow = { ...step, ...facts, state: to };
    const kept = { ...next, run: run.key, from: step.state, epoch: step.leaseEpoch, rank: rankOf(to), at };
    const { changes } = sql.step.run({ ...kept, seq: run.lastSeq });
    if (changes !== 1) throw new Error(`step ${step.ord} of run ${run.runId} is not ${step.state} any more`);
    isChanged = true;
    return next;
  };

  const writer: RunWriter = {
    run,
    at,
    get budgets() {
      book ??= openBook(run.key);
      return book;
    },
    note(fact) {
      run.lastSeq += 1;
      isChanged = true;
      const eventId = ambient.newId();
      const envelope: Envelope = {
        eventId,
        commandId: fact.command?.commandId ?? null,
        commandType: fact.command?.commandType ?? null,
        commandPayloadHash: fact.command?.payloadHash ?? null,
        causationId: fact.causationId ?? null,
        correlationId: run.runId,
        graphVersion: run.graphVersion,
        activityExecutionId: fact.activity?.executionId ?? null,
        attempt: fact.activity?.attempt ?? null,
        leaseId: fact.activity?.leaseId ?? null,
        leaseEpoch: fact.activity?.leaseEpoch ?? null,
        payload: fact.payload,
      };
      sql.fact.run(run.key, run.lastSeq, at, fact.type, fact.node ?? null, JSON.stringify(envelope));
      return { seq: run.lastSeq, eventId };
    },
    moveStep(step, to, facts = {}) {
      assertStepMove(step.state, to);
      const next = save(step, to, facts);
      countMove(step.state, to, 1);
      enter(to, step.ord);
      return next;
    },
    changeStep: (step, facts) => save(step, step.state, facts),
    settleEdge(ord, isTaken) {
      sql.edge.run(isTaken ? 0 : 1, run.key, ord);
      const step = rows.step(run.key, ord);
      if (!step) throw new Error(`no step ${ord} in run ${run.runId}`);
      return step;
    },
    recordResults(ord, results) {
      sql.dropResults.run(run.key, ord);
      for (const [position, { ref, content }] of results.entries()) {
        const { id, sha256, bytes, kind, contentType } = ref;
        const facts = [id, sha256, bytes, kind, contentType, JSON.stringify(ref), content];
        sql.result.run(run.key, ord, position, ...facts);
      }
    },
    noteHistory(entries) {
      run.historyLength += entries;
      isChanged = true;
    },
    moveMany(from, to, limit) {
      assertStepMove(from, to);
      const steps = rows.inState(run.key, from, limit);
      for (const step of steps) {
        save(step, to, isTerminal(to) ? { finishedAt: at, dueAt: null } : {});
        enter(to, step.ord);
      }
      countMove(from, to, steps.length);
      return steps.length;
    },
    moveRun(fact, reason = null) {
      run.status = nextRunState(run.status, fact);
      run.reason = reason;
      const isOutcome = run.status !== 'running' && run.status !== 'paused';
      if (fact === 'start') run.startedAt = at;
      run.finishedAt = isOutcome && run.status !== 'needs_attention' ? at : null;
      if (isOutcome) run.outcomeSeq = run.lastSeq;
      isChanged = true;
      enter(run.status, null);
    },
    request(what) {
      Object.assign(run, what);
      isChanged = true;
    },
  };
  return {
    writer,
    save() {
      book?.save();
      if (!isChanged) return undefined;
      const { isPauseRequested, isCancelRequested, ...row } = run;
      sql.run.run({ ...row, pause: Number(isPauseRequested), cancel: Number(isCancelRequested), at });
      const { runId, sessionId, lastSeq } = run;
      return lastSeq > firstSeq ? { runId, sessionId, lastSeq } : undefined;
    },
  };
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: SqliteDatabase) {
  return {
    fact: db.prepare('INSERT INTO run_events (run, seq, at, type, node, envelope) VALUES (?, ?, ?, ?, ?, ?)'),
    facts: db.prepare<
      [number, number, number],
      { seq: number; at: number; type: FactType; node: number | null; envelope: string }
    >('SELECT seq, at, type, node, envelope FROM run_events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?'),
    history: db.prepare('INSERT INTO run_history (run, position, seq, at, node, state) VALUES (?, ?, ?, ?, ?, ?)'),
    step: db.prepare(
      `UPDATE run_nodes SET state = @state, rank = @rank, changed_seq = @seq, updated_at = @at, waits_for = @waitsFor,
         skips = @skips, attempt = @attempt, retries = @retries, started_at = @startedAt, finished_at = @finishedAt,
         due_at = @dueAt, lease_epoch = @leaseEpoch, lease_id = @leaseId, execution_id = @executionId,
         step_session_id = @stepSessionId, provider = @provider, model = @model, error_class = @errorClass
       WHERE run = @run AND ord = @ord AND state = @from AND lease_epoch = @epoch`,
    ),
    dropResults: db.prepare('DELETE FROM run_results WHERE run = ? AND node = ?'),
    result: db.prepare(
      `INSERT INTO run_results (run, node, position, result_id, sha256, bytes, kind, content_type, ref, content)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    edge: db.prepare('UPDATE run_nodes SET waits_for = waits_for - 1, skips = skips + ? WHERE run = ? AND ord = ?'),
    run: db.prepare(
      `UPDATE runs SET status = @status, pause_requested = @pause, cancel_requested = @cancel, reason = @reason,
         graph_version = @graphVersion, last_seq = @lastSeq, last_at = @at, terminated = @terminated,
         attention = @attention, history_length = @historyLength, outcome_seq = @outcomeSeq, started_at = @startedAt,
         finished_at = @finishedAt
       WHERE key = @key`,
    ),
  };
}
