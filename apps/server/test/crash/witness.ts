import type { SessionEvent } from '@fucina/shared';
import type { Call } from '../harness.ts';

/** A value that a client changes: the last acknowledged one, and the pending one when the server died. */
export interface Change {
  saved: string | undefined;
  sent: string | undefined;
}

/** The data of one stream connection after the requested sequence, in order, as bytes. */
export interface Observation {
  after: number;
  frames: { id: number; data: string }[];
}

/** All that clients know about one session from the server. */
export interface SessionWitness {
  sessionId: string;
  name: Change;
  planner: Change;
  /** Turns whose start got a 200. */
  turns: number;
  /** Messages that were queued or sent as a redirect with a 200. */
  spoken: string[];
  observations: Observation[];
}

export function createWitness(sessionId: string): SessionWitness {
  const change = (): Change => ({ saved: undefined, sent: undefined });
  return { sessionId, name: change(), planner: change(), turns: 1, spoken: [], observations: [] };
}

export function lastSeen({ observations }: SessionWitness): number {
  return Math.max(0, ...observations.map(({ after, frames }) => frames.at(-1)?.id ?? after));
}

/** All differences to the acknowledged state; empty when nothing was lost. */
export async function contradictions(call: Call, witness: SessionWitness, row: any): Promise<string[]> {
  const { sessionId, name, planner, turns, observations } = witness;
  if (!row) return [`${sessionId}: the session is gone`];
  const found: string[] = [];
  const note = (problem: string): void => void found.push(`${sessionId}: ${problem}`);
  if (!isKept(name, row.nome)) note(`name ${row.nome}, saved ${name.saved}, sent ${name.sent}`);
  if (!isKept(planner, row.modelloPlanner)) note(`planner ${row.modelloPlanner}, saved ${planner.saved}`);
  const reply = await call('GET', `/sessions/${sessionId}/export`);
  const events: Stored[] = reply.data?.eventi ?? [];
  if (!events.every(({ _sequenza }, index) => _sequenza === index + 1)) note('sequences have a gap');
  const waiting: string[] = (await call('GET', `/sessions/${sessionId}/queue`)).data.voci.map(
    ({ testo }: any) => testo,
  );
  const said = new Set([...waiting, ...events.flatMap(wordsOf)]);
  for (const text of witness.spoken) if (!said.has(text)) note(`${text} is neither waiting nor said`);
  const started = events.filter(({ type }) => type === 'RunStarted').length;
  if (started < turns) note(`${turns} turns were started, ${started} are there`);
  for (const observation of observations) found.push(...unlike(observation, events).map((at) => `${sessionId}: ${at}`));
  const last = events.at(-1);
  const isLost = last?.type === 'RunError' && last.code === 'SESSION_INTERRUPTED';
  if (row.interrotta !== isLost || row.conclusa === row.interrotta) {
    note(`conclusa ${row.conclusa}, interrotta ${row.interrotta}, last event ${last?.type}`);
  }
  if (row.inAttesaApprovazione) note('waits for an answer that nobody can give any more');
  return found;
}

function wordsOf(event: SessionEvent): string[] {
  if (event.type === 'RunStarted') return event.input ? [event.input.consegna] : [];
  return event.type === 'QueuedMessageDelivered' || event.type === 'RunRedirectRequested' ? [event.testo] : [];
}

type Stored = SessionEvent & { _sequenza: number; delta?: unknown };

function isKept({ saved, sent }: Change, now: string | null): boolean {
  if (saved === undefined && sent === undefined) return true;
  return now === saved || now === sent || (saved === undefined && now !== sent);
}

/** A frame equals the stored event byte for byte, or, in a replay, the joined deltas since the previous frame. */
function unlike({ after, frames }: Observation, events: readonly Stored[]): string[] {
  const problems: string[] = [];
  let before = after;
  for (const { id, data } of frames) {
    const group = events.slice(before, id);
    const [first] = group;
    const joined =
      group.length === 1 || !first
        ? first
        : { ...first, delta: group.map(({ delta }) => delta).join(''), _sequenza: id };
    if (JSON.stringify(joined) !== data) problems.push(`event ${id} after ${before} was ${data.slice(0, 120)}`);
    before = id;
  }
  return problems;
}
