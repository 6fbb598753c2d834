import { setTimeout as pause } from 'node:timers/promises';
import { sqliteDriver } from '@fucina/shared/testing';
import { createModelServer, type ModelServer, type Reply, sampleProject, tempDir } from '@fucina/testkit';
import { type ChildServer, startChild } from '../child-server.ts';
import { until } from '../harness.ts';
import { type ClientLoadReport, type RandomSource, runClient, seededRandom } from './clients.ts';
import { contradictions, createWitness, type SessionWitness } from './witness.ts';

export interface CrashReport {
  kills: number;
  acknowledged: number;
  sessions: number;
  /** Stream frames received by clients. */
  events: number;
  /** Turns interrupted by a kill. */
  interrupted: number;
  /** The longest start after a kill, in ms. */
  slowestStartMs: number;
  /** Empty when the server preserved everything that it had acknowledged. */
  problems: string[];
}

const CLIENTS = 4;
/** Average work per round before its kill, on any machine. */
const REQUESTS_BEFORE_KILL = 6;
const FRAMES_BEFORE_KILL = 40;

/**
 * Kills the built server repeatedly on one data folder while clients work, and compares its state before and after.
 */
export async function crash({ kills, seed }: { kills: number; seed: number }): Promise<CrashReport> {
  const chance = seededRandom(seed);
  await using dir = await tempDir();
  await using project = await sampleProject();
  await using model = await createModelServer({ script: (request) => replyTo(request.lastRole, chance) });
  const load: ClientLoadReport = { acknowledged: 0, surprises: [], sessions: new Map(), notes: new Map() };
  const report: CrashReport = { ...EMPTY, problems: load.surprises };
  let resumable: SessionWitness[] = [];
  let touched: SessionWitness[] = [];
  for (let round = 0; round < kills; round += 1) {
    await using server = await startChild({ dataDir: dir.path });
    if (round === 0) await connect(server, model);
    else report.slowestStartMs = Math.max(report.slowestStartMs, server.readyMs);
    await inspect(server, touched, report);
    const share = (index: number): SessionWitness[] => resumable.filter((_, at) => at % CLIENTS === index);
    await resumeAll(server, resumable, report);
    const known = load.sessions.size;
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      runClient({
        server,
        folder: project.path,
        chance: seededRandom(seed + round * 100 + index),
        load,
        own: share(index),
      }),
    );
    // On a slow machine the kill waits until this round has something to lose.
    await until(async () => hasWorked(load, round + 1) || undefined);
    await pause(100 + Math.floor(chance() * 600));
    await server.kill('SIGKILL');
    await Promise.all(clients);
    report.kills += 1;
    const witnesses = [...load.sessions.values()];
    touched = [...resumable, ...witnesses.slice(known)];
    resumable = witnesses.slice(-CLIENTS * 2);
  }
  await finish({ dataDir: dir.path, model, load, report });
  const witnesses = [...load.sessions.values()];
  report.acknowledged = load.acknowledged;
  report.sessions = witnesses.length;
  report.events = framesOf(load);
  return report;
}

function framesOf({ sessions }: ClientLoadReport): number {
  let count = 0;
  for (const { observations } of sessions.values()) for (const { frames } of observations) count += frames.length;
  return count;
}

function hasWorked(load: ClientLoadReport, rounds: number): boolean {
  return load.acknowledged >= rounds * REQUESTS_BEFORE_KILL && framesOf(load) >= rounds * FRAMES_BEFORE_KILL;
}

const EMPTY: Omit<CrashReport, 'problems'> = {
  kills: 0,
  acknowledged: 0,
  sessions: 0,
  events: 0,
  interrupted: 0,
  slowestStartMs: 0,
};

async function connect({ call }: ChildServer, model: ModelServer): Promise<void> {
  const body = { endpoint: model.url, timeoutSeconds: 60 };
  const reply = await call('POST', '/providers/ollama/runtime', { body });
  if (!reply.ok) throw new Error(reply.text);
}

/** Streams, running tools, tools that wait for an answer, and answers that stop in the middle. */
function replyTo(lastRole: string | null, chance: RandomSource): Reply {
  const kind = lastRole === 'tool' ? 1 : chance();
  if (kind < 0.2) return { text: 'Looking.', toolCalls: [{ name: 'shell', arguments: { comando: 'echo worked' } }] };
  if (kind < 0.35)
    return { reasoning: ['hm ', 'hm '], text: { count: 20 }, fault: { kind: 'hang-mid-stream', after: 15 } };
  if (kind < 0.5) return { text: 'Done.' };
  return { reasoning: 'hm', text: { count: 300, delta: 'wörd ' }, deltasPerSecond: 600 };
}

/**
 * Right after a start nothing runs: every session is concluded or interrupted, and contains everything acknowledged.
 */
async function inspect({ call }: ChildServer, witnesses: Iterable<SessionWitness>, report: CrashReport): Promise<void> {
  const rows = await rowsOf(call);
  for (const row of rows.values()) {
    if (row.conclusa === row.interrotta) report.problems.push(`${row.sessionId}: still in its turn after a restart`);
  }
  for (const witness of witnesses) {
    report.problems.push(...(await contradictions(call, witness, rows.get(witness.sessionId))));
    const { sessionId, name, planner } = witness;
    const { nome, modelloPlanner } = rows.get(sessionId) ?? {};
    // The outcome of pending requests is now known.
    if (name.sent !== undefined) witness.name = { saved: nome, sent: undefined };
    if (planner.sent !== undefined) witness.planner = { saved: modelloPlanner ?? undefined, sent: undefined };
  }
}

async function inspectNotes(
  { call }: ChildServer,
  { notes }: ClientLoadReport,
  { problems }: CrashReport,
): Promise<void> {
  const { data } = await call('GET', '/me/notes');
  const kept = new Map<string, string>(
    data.note.map((row: { id: string; contenuto: string }) => [row.id, row.contenuto]),
  );
  for (const [id, text] of notes) {
    if (kept.get(id) !== text) problems.push(`note ${id} was acknowledged as "${text}" and is "${kept.get(id)}"`);
  }
  if (notes.size === 0) problems.push('no note was ever acknowledged');
}

async function resumeAll(server: ChildServer, witnesses: SessionWitness[], report: CrashReport): Promise<void> {
  const rows = await rowsOf(server.call);
  for (const witness of witnesses) {
    if (!rows.get(witness.sessionId)?.interrotta) continue;
    report.interrupted += 1;
    const { ok, text } = await server.call('POST', `/sessions/${witness.sessionId}/resume`);
    if (ok) witness.turns += 1;
    else report.problems.push(`${witness.sessionId} cannot be resumed: ${text}`);
  }
}

interface Ending {
  dataDir: string;
  model: ModelServer;
  load: ClientLoadReport;
  report: CrashReport;
}

/** Every interrupted turn continues to its end; then the server shuts down cleanly and its stores are intact. */
async function finish({ dataDir, model, load, report }: Ending): Promise<void> {
  model.script(() => ({ text: 'Done.' }));
  await using server = await startChild({ dataDir });
  await inspect(server, load.sessions.values(), report);
  // Also sessions whose start was never acknowledged: they must not be stuck.
  for (const [sessionId, { interrotta }] of await rowsOf(server.call)) {
    if (interrotta) await resumeAll(server, [load.sessions.get(sessionId) ?? createWitness(sessionId)], report);
  }
  await until(async () => [...(await rowsOf(server.call)).values()].every(({ conclusa }) => conclusa) || undefined);
  await inspect(server, load.sessions.values(), report);
  await inspectNotes(server, load, report);
  const exit = await server.kill('SIGTERM');
  if (exit.code !== 0) report.problems.push(`SIGTERM ended with ${exit.code} ${exit.signal}`);
  for (const name of ['sessions.db', 'providers.db', 'files.db', 'library.db']) {
    const db = new (sqliteDriver())(`${dataDir}/${name}`, { readonly: true });
    const found = db.pragma('integrity_check', { simple: true });
    db.close();
    if (found !== 'ok') report.problems.push(`${name}: ${String(found)}`);
  }
}

async function rowsOf(call: ChildServer['call']): Promise<Map<string, any>> {
  const { data } = await call('GET', '/sessions');
  return new Map(data.items.map((row: { sessionId: string }) => [row.sessionId, row]));
}
