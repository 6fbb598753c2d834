import {
  type Draft,
  type Hit,
  type JournalEvent,
  NO_SPEND,
  type Planned,
  type Source,
  type Spend,
  type StepKind,
  type StepResult,
  type Verdict,
} from './journal.ts';

export type EngineState =
  | 'planning'
  | 'awaiting_plan_approval'
  | 'collecting'
  | 'synthesising'
  | 'verifying'
  | 'pause_requested'
  | 'paused'
  | 'done'
  | 'cancelled'
  | 'failed';

export interface Step {
  id: string;
  kind: StepKind;
  label: string;
  /** `interrupted`: it was in progress when the process died or the turn was stopped. */
  state: 'pending' | 'running' | 'done' | 'failed' | 'interrupted';
  spend: Spend;
}

/** The state of a run, computed from its journal only. */
export interface RunState {
  state: EngineState;
  title: string | null;
  plan: readonly Planned[];
  steps: Step[];
  hits: Hit[];
  /** In the order in which they were found, which gives their citation numbers. */
  sources: Source[];
  /** By the number of the step that read it. */
  read: Map<number, Source>;
  draft: Draft | undefined;
  /** By claim, from 0; null: checked without a result. */
  verdicts: Map<number, Verdict | null>;
  spend: Spend;
}

const PHASES: Record<StepKind, EngineState> = {
  search: 'collecting',
  read: 'collecting',
  synthesise: 'synthesising',
  verify: 'verifying',
};
const OVER: ReadonlySet<EngineState> = new Set(['done', 'cancelled', 'failed']);

/**
 * Ignores events that are invalid in the current state; a completed step is never counted twice. A step in progress is
 * `interrupted`, unless the run `isLive`.
 */
export function foldRun(events: readonly JournalEvent[], isLive = false): RunState {
  const run: RunState = {
    state: 'planning',
    title: null,
    plan: [],
    steps: [],
    hits: [],
    sources: [],
    read: new Map(),
    draft: undefined,
    verdicts: new Map(),
    spend: NO_SPEND,
  };
  for (const event of events) if (!OVER.has(run.state) || event.type === 'run_renamed') apply(run, event);
  if (!isLive) interrupt(run);
  return run;
}

function interrupt(run: RunState): void {
  for (const step of run.steps) if (step.state === 'running') step.state = 'interrupted';
}

function apply(run: RunState, event: JournalEvent): void {
  switch (event.type) {
    case 'run_started':
      return;
    case 'plan_proposed':
      if (run.plan.length > 0) return;
      run.plan = event.plan;
      run.title = event.title;
      run.state = 'awaiting_plan_approval';
      run.spend = addSpend(run.spend, event.spend);
      return;
    case 'plan_approved':
      if (run.state === 'awaiting_plan_approval') run.state = 'collecting';
      return;
    case 'run_pause_requested':
      run.state = 'pause_requested';
      return;
    case 'run_paused':
      run.state = 'paused';
      return;
    case 'run_resumed':
      interrupt(run);
      run.state = phaseOf(run);
      return;
    case 'run_renamed':
      run.title = event.title;
      return;
    case 'run_cancelled':
      run.state = 'cancelled';
      return;
    case 'run_finished':
      run.state = event.state === 'done' ? 'done' : 'failed';
      return;
    default:
      applyStep(run, event);
  }
}

type StepEvent = Extract<JournalEvent, { step: string }>;

function applyStep(run: RunState, event: StepEvent): void {
  let step = run.steps.find(({ id }) => id === event.step);
  if (step?.state === 'done') return;
  if (!step) {
    step = { id: event.step, kind: event.kind, label: event.label, state: 'pending', spend: NO_SPEND };
    run.steps.push(step);
  }
  if (run.state !== 'pause_requested') run.state = PHASES[event.kind];
  if (event.type === 'step_started') {
    step.state = 'running';
    return;
  }
  step.spend = addSpend(step.spend, event.spend);
  run.spend = addSpend(run.spend, event.spend);
  step.state = event.type === 'step_finished' ? 'done' : 'failed';
  if (event.type === 'step_finished') learn(run, event);
}

function learn(run: RunState, { step, result }: { step: string; result: StepResult }): void {
  switch (result.kind) {
    case 'search':
      for (const hit of result.hits) if (!run.hits.some(({ url }) => url === hit.url)) run.hits.push(hit);
      return;
    case 'read':
      if (run.sources.some(({ url }) => url === result.source.url)) return;
      run.read.set(Number(/\d+$/.exec(step)?.[0] ?? run.read.size), result.source);
      run.sources = [...run.read].sort(([one], [other]) => one - other).map(([, source]) => source);
      return;
    case 'synthesise':
      run.draft = result.draft;
      return;
    case 'verify':
      run.verdicts.set(result.claim, result.verdict);
  }
}

function phaseOf(run: RunState): EngineState {
  if (run.draft) return 'verifying';
  return run.plan.length === 0 ? 'planning' : 'collecting';
}

export function addSpend(one: Spend, other: Spend): Spend {
  return {
    tokens: one.tokens + other.tokens,
    searches: one.searches + other.searches,
    pages: one.pages + other.pages,
  };
}
