// The engine of workflows alone, over its real store: steps a second, how soon a run begins, how soon a thousand go on.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from '../scripts/lib.mjs';
import { openDbos } from './dbos.mjs';
import { median, nowMs, quantile, round, tempFolder } from './lib.mjs';

const RATE_STEPS = 5_000;
const ROWS = 64;
const LARGE_STEPS = 100_000;
const RUNS = 1_000;
const STARTS = 31;
const LOOKS = 40;

export async function run() {
  const { createWorkflows } = await engine();
  const { systemAmbient } = await import(pathToFileURL(join(root, 'packages/shared/dist/index.js')).href);
  const open = (dataDir, steps) => openWorkflows({ createWorkflows, systemAmbient }, { dataDir, steps });
  return [
    await rate('side by side', open, (at) => (at ? [0] : [])),
    await rate('in 64 rows', open, inRows),
    ...(await besideDbos(open)),
    ...(await starts(open)),
    await recovery(open),
  ];
}

const engine = () => import(pathToFileURL(join(root, 'packages/workflows/dist/index.js')).href);

const SESSION = 'bench';
const USAGE = { promptTokens: 100, completionTokens: 10, toolCalls: 0, modelRequests: 1, costUsd: null };
const MODEL = { provider: 'bench', model: 'instant' };

/** `finish` answers at once; `hold` begins and never ends; what a held one came to is then found as cut off. */
function fakeSteps(kind) {
  const outcome = (stepSessionId, more) => ({ stepSessionId, model: MODEL, usage: USAGE, text: '', ...more });
  return {
    begun: 0,
    providerOf: () => 'bench',
    async run({ stepSessionId }, begun) {
      this.begun += 1;
      begun({ stepSessionId, model: MODEL });
      if (kind === 'hold') return new Promise(() => undefined);
      return outcome(stepSessionId, { end: 'succeeded', text: 'done' });
    },
    lookUp: async (id) => outcome(id, { end: 'failed', errorClass: 'interrupted' }),
  };
}

function openWorkflows({ createWorkflows, systemAmbient }, { dataDir, steps }) {
  const workflows = createWorkflows({
    ambient: systemAmbient('error'),
    dataDir,
    isBackground: true,
    steps,
    concurrency: { total: 64, perProvider: 64 },
    sessionExists: () => true,
    isKnownModel: () => undefined,
    rootOf: async (id) => id,
    proposerOf: async () => ({ isRoot: true, plannerModel: null, sessionModel: null }),
  });
  return Object.assign(workflows, { close: () => workflows[Symbol.asyncDispose]() });
}

/** Proposed, approved and started; answers what there is to look at and how long the start took. */
async function started(workflows, graph) {
  const proposed = await workflows.proposals.propose({
    sessionId: SESSION,
    toolCallId: randomUUID(),
    graph,
    plannerModel: null,
    sessionModel: null,
  });
  if (proposed.errors) throw new Error(JSON.stringify(proposed.errors[0]));
  const { workflowId, version, definitionHash } = proposed;
  const order = { workflowId, version, definitionHash };
  await workflows.proposals.approve({ ...order, commandId: randomUUID() });
  const from = nowMs();
  const { runId } = await workflows.runs.start({ ...order, commandId: randomUUID() });
  return { runId, startMs: nowMs() - from, from };
}

const turn = () => new Promise(setImmediate);
const statusOf = (workflows, runId) => workflows.views.overview({ sessionId: SESSION, runId }).base.status;

async function rateOnce(workflows, before) {
  const { runId, from } = await started(workflows, graphOf(RATE_STEPS, before));
  let seen = 0;
  while (statusOf(workflows, runId) !== 'succeeded') for (seen = 0; seen < 20; seen += 1) await turn();
  return RATE_STEPS / ((nowMs() - from) / 1_000);
}

async function rate(what, open, before) {
  const data = tempFolder();
  const workflows = open(data.path, fakeSteps('finish'));
  try {
    const rates = [];
    for (let round = 0; round < 3; round += 1) rates.push(await rateOnce(workflows, before));
    return {
      figure: `durable steps per second, ${what}`,
      value: round(median(rates), 0),
      bar: '≥ 1,000',
      method: `${RATE_STEPS.toLocaleString('en')} steps with an instant step function, 64 at once; every fact and result on the disk; median of 3`,
    };
  } finally {
    await workflows.close();
    data.remove();
  }
}

/** By turns with the other engine, in one run; nothing where it is not installed. */
async function besideDbos(open) {
  const dbos = await openDbos({ rows: ROWS });
  if (!dbos) return [];
  const data = tempFolder();
  const workflows = open(data.path, fakeSteps('finish'));
  try {
    const [ours, theirs] = [[], []];
    for (let at = 0; at < 5; at += 1) {
      ours.push(await rateOnce(workflows, inRows));
      theirs.push(await dbos.rate(RATE_STEPS));
    }
    return [
      {
        figure: 'the same, times DBOS on a local PostgreSQL',
        value: `${(median(ours) / median(theirs)).toFixed(2)}×`,
        bar: '–',
        peers: `DBOS ${dbos.version}: ${round(median(theirs), 0)} steps a second`,
        method: `64 rows of steps in both, ours ${round(median(ours), 0)} a second; by turns, median of 5; both sync every step to the disk`,
      },
    ];
  } finally {
    await workflows.close();
    await dbos.close();
    data.remove();
  }
}

async function starts(open) {
  const data = tempFolder();
  const workflows = open(data.path, fakeSteps('finish'));
  const steps = fakeSteps('hold');
  const large = tempFolder();
  const held = open(large.path, steps);
  try {
    const small = [];
    for (let at = 0; at < STARTS; at += 1) {
      small.push((await started(workflows, graphOf(10, justBefore))).startMs);
    }
    const wide = graphOf(LARGE_STEPS, tenBefore);
    const { runId, startMs, from } = await started(held, wide);
    while (steps.begun < 64) await turn();
    const firstMs = nowMs() - from;
    return [
      {
        figure: 'start of a workflow of 10 steps, ms p50',
        value: round(median(small), 1),
        bar: '–',
        method: `${STARTS} starts, answered once on the disk`,
      },
      {
        figure: 'start of a workflow of 100,000 steps and 990,000 edges, ms',
        value: round(startMs, 0),
        bar: '–',
        method: `one transaction; its first 64 steps have begun after ${round(firstMs, 0)} ms`,
      },
      ...viewsOf(held.views, { sessionId: SESSION, runId }),
      memoryOf(large.path, runId),
    ];
  } finally {
    await workflows.close();
    data.remove();
    large.remove();
  }
}

/** What the window asks of a large run, one page after the other. */
function viewsOf(views, ref) {
  const page = (offset) => ({ offset, limit: 100 });
  const [{ phaseId }] = views.overview(ref).view.groups;
  const at = (look, most) => Math.floor((look / LOOKS) * most);
  const asked = {
    'its overview': () => views.overview(ref),
    'a page of its steps': (look) => views.steps(ref, { phaseId, page: page(at(look, LARGE_STEPS)) }),
    'a page of its edges': (look) => views.edges(ref, { phaseIds: [], page: page(at(look, 990_000)) }),
    'what a step follows on, to the beginning': (look) =>
      views.lineage(ref, { nodeId: `s${at(look, LARGE_STEPS)}`, direction: 'upstream', page: page(0) }),
    'a page of its history': () => views.history(ref, page(0)),
  };
  return Object.entries(asked).map(([what, look]) => {
    const times = [];
    for (let count = 0; count < LOOKS; count += 1) {
      const from = nowMs();
      look(count);
      times.push(nowMs() - from);
    }
    return {
      figure: `the same: ${what}, ms p50`,
      value: round(median(times), 1),
      bar: '≤ 50',
      method: `${LOOKS} looks over all of it; p95 ${round(quantile(times, 0.95), 1)}`,
    };
  });
}

/** A process that only looks: what the window costs a server that did not write the graph. */
function memoryOf(folder, runId) {
  const file = fileURLToPath(import.meta.url);
  const mib = Number(execFileSync(process.execPath, [file, folder, runId], { encoding: 'utf8' }));
  return {
    figure: 'the same: memory of a process that looks at all of it, MiB',
    value: round(mib, 0),
    bar: '≤ 300',
    method: 'highest resident size of a process of its own after all the looks above, node itself included',
  };
}

async function recovery(open) {
  const data = tempFolder();
  const former = open(data.path, fakeSteps('hold'));
  for (let at = 0; at < RUNS; at += 1) {
    await started(former, graphOf(5, justBefore));
  }
  while (countOf(former, 'running') < RUNS) await turn();
  // The former one is left as a killed process leaves it: it begins no step any more, and 64 of its steps are in flight.
  const next = open(data.path, fakeSteps('finish'));
  try {
    const from = nowMs();
    next.runs.begin();
    const recoveredMs = nowMs() - from;
    while (countOf(next, 'succeeded') < RUNS) for (let seen = 0; seen < 20; seen += 1) await turn();
    return {
      figure: 'recovery of 1,000 unfinished runs, ms',
      value: round(recoveredMs, 0),
      bar: '≤ 2,000',
      method: `64 steps in flight taken over; all 5,000 steps done ${round((nowMs() - from) / 1_000, 1)} s later`,
    };
  } finally {
    await next.close();
    data.remove();
  }
}

const countOf = (workflows, status) => workflows.views.runs(SESSION, { page: { offset: 0, limit: 1 }, status }).total;

const justBefore = (at) => (at ? [at - 1] : []);
/** Levels of 1,000 steps, each step on ten of the level before: 990,000 edges. */
const inRows = (at) => (at ? [Math.max(0, at - ROWS)] : []);
const tenBefore = (at) =>
  at < 1_000 ? [] : Array.from({ length: 10 }, (_, back) => at - (at % 1_000) - 1_000 + ((at + back * 97) % 1_000));

const UNBOUNDED = Object.fromEntries(
  [
    'promptTokens',
    'completionTokens',
    'wallMs',
    'agentSeconds',
    'toolCalls',
    'modelRequests',
    'retryPromptTokens',
    'retryModelRequests',
    'knownCostUsd',
  ].map((key) => [key, null]),
);

/** A definition that is walked, never held; `before`: whom a step waits for. */
function graphOf(steps, before) {
  return {
    head: headOf(),
    *nodes() {
      for (let at = 0; at < steps; at += 1) yield nodeOf(`s${at}`);
    },
    *edges() {
      let count = 0;
      for (let to = 0; to < steps; to += 1) {
        for (const from of before(to)) {
          yield { id: `e${count}`, from: `s${from}`, to: `s${to}`, type: 'control', condition: null, mapping: null };
          count += 1;
        }
      }
    },
  };
}

function headOf() {
  return {
    schema: 'svc.workflow-definition-core.v2',
    definitionSchemaVersion: 2,
    title: 'Bench',
    objective: 'To be measured',
    engineCompatibility: { minEngineSchemaVersion: 1, requiredFeatures: [] },
    budgets: UNBOUNDED,
    limits: {
      maxLogicalNodes: 100_000,
      maxEdges: 1_000_000,
      maxGraphMutations: 0,
      maxFanoutPerNode: 100_000,
      maxAgentSessions: 100_000,
      maxDepth: 1_000,
    },
    policy: {
      capabilityCeiling: 'read',
      externalTools: { mode: 'deny', ids: [] },
      providerFallback: { mode: 'forbidden', providers: [] },
      graphMutation: { mode: 'forbidden', maxAddedNodes: 0, maxAddedEdges: 0, maxMutations: 0 },
      human: { maxPending: 0, allowBatchIdenticalSchema: false },
      finalApply: 'user-explicit',
    },
    acceptance: [],
    phases: [{ id: 'all', label: 'All' }],
  };
}

function nodeOf(id) {
  return {
    id,
    kind: 'agent',
    label: id,
    instructions: 'Answer.',
    role: 'researcher',
    inputs: [],
    outputs: [{ name: 'result', type: 'text' }],
    capabilityProfile: 'read',
    workspacePolicy: { mode: 'shared-read' },
    modelPolicy: { mode: 'inherit', model: null, reasoning: null },
    activityPolicy: { effectClass: 'reconcilable', retryMode: 'at-least-once', maxAttempts: 3, deadlineMs: null },
    retryPolicy: { backoff: 'none', jitter: false, retryOn: ['timeout'] },
    cachePolicy: 'never',
    writeSetHint: [],
    priority: 0,
    budget: { ...UNBOUNDED, attempts: null },
    metadata: {},
    phaseId: 'all',
    control: null,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , dataDir, runId] = process.argv;
  const { createWorkflows } = await engine();
  const { systemAmbient } = await import(pathToFileURL(join(root, 'packages/shared/dist/index.js')).href);
  const workflows = openWorkflows({ createWorkflows, systemAmbient }, { dataDir, steps: fakeSteps('hold') });
  viewsOf(workflows.views, { sessionId: SESSION, runId });
  console.log(process.resourceUsage().maxRSS / 1024);
  process.exit(0);
}
