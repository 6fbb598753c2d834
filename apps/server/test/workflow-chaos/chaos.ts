import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createModelServer, type ModelServer, type ModelServerRequest, sampleProject, tempDir } from '@fucina/testkit';
import { type ChildServer, startChild } from '../child-server.ts';
import { seededRandom } from '../crash/clients.ts';
import { until } from '../harness.ts';
import { storeLeaks } from './leaks.ts';

export interface ChaosOptions {
  runs: number;
  /** Steps of each run. */
  steps: number;
  /** Duration of a step, and lifetime of a server; from and to, in ms. */
  stepMs: readonly [number, number];
  lifeMs: readonly [number, number];
  /** After this many kills the server is left alone. */
  kills: number;
  /** How it is ended; default: SIGKILL. */
  signal?: 'SIGKILL' | 'SIGTERM';
  seed: number;
}

export interface ChaosReport {
  kills: number;
  /** Steps requested from the model, and how many were requested again. */
  asked: number;
  askedAgain: number;
  seconds: number;
  slowestStartMs: number;
  slowestStopMs: number;
  /** Empty when every step ran once, none was lost, and the budgets match. */
  problems: string[];
}

interface StartedRun {
  runId: string;
  sessionId: string;
}

const STEPS_AT_ONCE = '16';
const MARK = /MARK-(\d+)-(\d+)\./;

/** Runs many workflows against a counting model while the server is killed repeatedly. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const chance = seededRandom(options.seed);
  const between = ([from, to]: readonly [number, number]): number => from + Math.floor(chance() * (to - from));
  const counts = new Map<string, number>();
  await using dir = await tempDir();
  await using project = await sampleProject();
  await using model = await createModelServer({
    script: (request) => answer(request, { counts, steps: options.steps, delayMs: between(options.stepMs) }),
  });
  const report: ChaosReport = {
    kills: 0,
    asked: 0,
    askedAgain: 0,
    seconds: 0,
    slowestStartMs: 0,
    slowestStopMs: 0,
    problems: [],
  };
  const startedAt = performance.now();
  const start = () =>
    startChild({ dataDir: dir.path, env: { FUCINA_WORKFLOW_STEPS: STEPS_AT_ONCE, FUCINA_LOG: 'warn' } });
  let server = await start();
  await connect(server, model);
  const runs: StartedRun[] = [];
  for (let at = 0; at < options.runs; at += 1) runs.push(await startRun(server, project.path, at));
  while (!(await isDone(server, runs, report.kills < options.kills ? between(options.lifeMs) : undefined))) {
    const askedAt = server.ageMs();
    const { code, afterMs } = await server.kill(options.signal ?? 'SIGKILL');
    report.slowestStopMs = Math.max(report.slowestStopMs, afterMs - askedAt);
    if (options.signal === 'SIGTERM' && code !== 0) report.problems.push(`stopped with ${code}`);
    report.kills += 1;
    server = await start();
    report.slowestStartMs = Math.max(report.slowestStartMs, server.readyMs);
  }
  report.problems.push(...(await contradictions(server, runs, options.steps)));
  await server.kill('SIGTERM');
  report.problems.push(...storeLeaks(dir.path));
  report.seconds = (performance.now() - startedAt) / 1_000;
  report.asked = counts.size;
  report.askedAgain = [...counts.values()].filter((count) => count > 1).length;
  return report;
}

function answer(
  { lastText, lastRole }: ModelServerRequest,
  { counts, steps, delayMs }: { counts: Map<string, number>; steps: number; delayMs: number },
) {
  const propose = /PROPOSE (\d+)/.exec(lastText);
  if (propose) return { toolCalls: [{ name: 'workflow_propose', arguments: draftOf(Number(propose[1]), steps) }] };
  const mark = lastRole === 'user' ? MARK.exec(lastText)?.[0] : undefined;
  if (!mark) return { text: 'Done.' };
  counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return { text: `RESULT of ${mark}`, delayMs };
}

/** Two initial steps, then each depends on the two before it. */
function draftOf(run: number, steps: number): Record<string, unknown> {
  return {
    title: `Run ${run}`,
    objective: 'Every step once',
    phases: [{ id: 'all', label: 'All' }],
    steps: Array.from({ length: steps }, (_, at) => ({
      id: `s${at}`,
      phase: 'all',
      label: `Step ${at}`,
      instructions: `MARK-${run}-${at}. Answer.`,
      dependsOn: at === 0 ? [] : [`s${at - 1}`, ...(at > 2 ? [`s${at - 3}`] : [])],
    })),
  };
}

async function connect({ call }: ChildServer, model: ModelServer): Promise<void> {
  await call('POST', '/providers/ollama/runtime', { body: { endpoint: model.url, timeoutSeconds: 60 } });
}

async function startRun({ call }: ChildServer, folder: string, at: number): Promise<StartedRun> {
  const body = { cartellaLibera: folder, consegna: `PROPOSE ${at}`, modello: 'ollama:tiny' };
  const { sessionId } = (await call('POST', '/sessions/custom', { body })).data;
  const { workflowId, definitionHash } = await until(async () => {
    const { data } = await call('GET', `/sessions/${sessionId}/workflow-proposals`);
    return data.items[0];
  });
  const path = `/workflows/${workflowId}/versions/1`;
  await call('POST', `${path}/approve`, { body: { commandId: randomUUID(), definitionHash } });
  const started = await call('POST', `${path}/start`, { body: { commandId: randomUUID(), definitionHash } });
  if (!started.ok) throw new Error(started.text);
  return { runId: started.data.runId, sessionId };
}

const LOOK_MS = 200;

/** Polls until every run has ended; false after `lifeMs`. */
async function isDone(
  { call }: ChildServer,
  runs: readonly StartedRun[],
  lifeMs: number | undefined,
): Promise<boolean> {
  const endsAt = lifeMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + lifeMs;
  while (performance.now() < endsAt) {
    let open = 0;
    for (const { runId, sessionId } of runs) {
      const { data } = await call('GET', `/sessions/${sessionId}/workflows/${runId}/graph`);
      if (data.status === 'created' || data.status === 'running') open += 1;
      if (open) break;
    }
    if (!open) return true;
    await pause(Math.min(LOOK_MS, Math.max(0, endsAt - performance.now())));
  }
  return false;
}

/** The final state for clients: every run succeeded, and every step is in exactly one finished session. */
async function contradictions({ call }: ChildServer, runs: readonly StartedRun[], steps: number): Promise<string[]> {
  const problems: string[] = [];
  const finished = new Map<string, number>();
  for (const row of (await call('GET', '/sessions')).data.items) {
    const step = row.passoWorkflow;
    if (!step || row.motivoChiusura !== 'fine-lavoro') continue;
    const key = `${step.runId} ${step.nodeId}`;
    finished.set(key, (finished.get(key) ?? 0) + 1);
  }
  for (const { runId, sessionId } of runs) {
    const run = `/sessions/${sessionId}/workflows/${runId}`;
    const { status, terminated } = (await call('GET', `${run}/graph`)).data;
    if (status !== 'succeeded' || terminated !== steps)
      problems.push(`${runId} is ${status} with ${terminated} steps over`);
    for (let at = 0; at < steps; at += 1) {
      const count = finished.get(`${runId} s${at}`) ?? 0;
      if (count !== 1) problems.push(`step ${at} of ${runId} finished ${count} times`);
      const output = await call('GET', `${run}/nodes/s${at}/output`);
      if (!MARK.test(output.data?.content ?? '')) problems.push(`step ${at} of ${runId} has no result`);
    }
  }
  return problems;
}
