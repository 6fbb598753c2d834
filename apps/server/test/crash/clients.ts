import { setTimeout as pause } from 'node:timers/promises';
import type { ChildServer } from '../child-server.ts';
import { type Reply, TOKEN } from '../harness.ts';
import { createWitness, lastSeen, type Observation, type SessionWitness } from './witness.ts';

export type RandomSource = () => number;

/** Deterministic random numbers from 0 to below 1. */
export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface ClientLoadReport {
  /** Number of 200 or 202 responses to requests that must be durable. */
  acknowledged: number;
  /** Responses that these clients must never get. */
  surprises: string[];
  sessions: Map<string, SessionWitness>;
  /** Notes by id, with the last acknowledged text. */
  notes: Map<string, string>;
}

export interface ClientNeeds {
  server: ChildServer;
  folder: string;
  chance: RandomSource;
  load: ClientLoadReport;
  /** Sessions that only this client changes. */
  own: SessionWitness[];
}

/** Starts, renames, changes and follows sessions until the server is gone. */
export async function runClient(needs: ClientNeeds): Promise<void> {
  const followers: Promise<void>[] = [];
  const { own, chance } = needs;
  for (const witness of own) followers.push(follow(needs, witness));
  try {
    for (let count = 0; ; count += 1) {
      const witness = own[Math.floor(chance() * own.length)];
      const turn = chance();
      if (!witness || (turn < 0.1 && count < 40)) {
        const started = await start(needs);
        followers.push(follow(needs, started));
      } else if (turn < 0.2) await resume(needs, witness);
      else if (turn < 0.3) await speak(needs, witness, 'queue');
      else if (turn < 0.35) await speak(needs, witness, 'redirect');
      else if (turn < 0.45) await note(needs);
      else if (turn < 0.65) await change(needs, witness, 'name');
      else await change(needs, witness, 'planner');
    }
  } catch (error) {
    // No server is listening any more: this is how the load ends.
    if (!BROKEN_CONNECTION.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  await Promise.all(followers);
}

const BROKEN_CONNECTION = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);

async function start({ server, folder, chance, load, own }: ClientNeeds): Promise<SessionWitness> {
  const body = {
    cartellaLibera: folder,
    consegna: 'Work.',
    modello: 'ollama:tiny',
    permessi: chance() < 0.3 ? 'On request' : 'Workspace write',
  };
  const reply = await server.call('POST', '/sessions/custom', { body });
  if (!reply.ok) throw new Error(`no session: ${reply.text}`);
  load.acknowledged += 1;
  const witness = createWitness(reply.data.sessionId);
  own.push(witness);
  load.sessions.set(witness.sessionId, witness);
  return witness;
}

async function resume({ server, load }: ClientNeeds, witness: SessionWitness): Promise<void> {
  const reply = await server.call('POST', `/sessions/${witness.sessionId}/resume`, { body: { messaggio: 'Go on.' } });
  if (reply.ok) witness.turns += 1;
  acknowledge(load, reply, ['SESSION_NOT_READY']);
}

let words = 0;

/** A queued message or a redirect: once acknowledged it waits, was delivered, or was reported as failed. */
async function speak({ server, load }: ClientNeeds, witness: SessionWitness, how: 'queue' | 'redirect'): Promise<void> {
  const messaggio = `${how} number ${++words}`;
  const reply = await server.call('POST', `/sessions/${witness.sessionId}/${how}`, { body: { messaggio } });
  if (reply.ok) witness.spoken.push(messaggio);
  acknowledge(load, reply, ['SESSION_NOT_READY']);
}

let notes = 0;

/** The client's own notes: written, and sometimes changed at once. */
async function note({ server, load, chance }: ClientNeeds): Promise<void> {
  const contenuto = `text ${++notes}`;
  const reply = await server.call('POST', '/me/notes', { body: { titolo: `note ${notes}`, contenuto } });
  acknowledge(load, reply, []);
  if (!reply.ok) return;
  const { id } = reply.data.nota;
  load.notes.set(id, contenuto);
  if (chance() < 0.5) return;
  // During the request both texts are valid: compared only after the response.
  load.notes.delete(id);
  const changed = await server.call('PATCH', `/me/notes/${id}`, { body: { contenuto: `${contenuto} again` } });
  acknowledge(load, changed, []);
  if (changed.ok) load.notes.set(id, `${contenuto} again`);
}

let changes = 0;

async function change({ server, load }: ClientNeeds, witness: SessionWitness, what: 'name' | 'planner'): Promise<void> {
  const value = what === 'name' ? `name ${++changes}` : `openai:planner-${++changes}`;
  const [path, body] = what === 'name' ? ['rename', { nome: value }] : ['settings', { modelloPlanner: value }];
  witness[what].sent = value;
  const reply = await server.call('POST', `/sessions/${witness.sessionId}/${path}`, { body });
  if (reply.ok) witness[what] = { saved: value, sent: undefined };
  acknowledge(load, reply, []);
  // Real clients pause; turns need the machine in between.
  await pause(1);
}

function acknowledge(load: ClientLoadReport, reply: Reply, expected: readonly string[]): void {
  if (reply.ok) load.acknowledged += 1;
  else if (!expected.includes(reply.code ?? '')) load.surprises.push(reply.text.slice(0, 300));
}

/** Reads the stream from this client's last position until the connection ends, and stores all complete frames. */
async function follow({ server }: ClientNeeds, witness: SessionWitness): Promise<void> {
  const observation: Observation = { after: lastSeen(witness), frames: [] };
  witness.observations.push(observation);
  const headers = { cookie: `svc_token=${TOKEN}`, 'last-event-id': String(observation.after) };
  let buffer = '';
  try {
    const response = await fetch(`${server.url}api/v1/sessions/${witness.sessionId}/events`, { headers });
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const parts = (buffer + decoder.decode(chunk, { stream: true })).split('\n\n');
      buffer = parts.pop() ?? '';
      for (const part of parts) {
        const frame = /^id: (\d+)\ndata: (.*)$/s.exec(part);
        if (frame) observation.frames.push({ id: Number(frame[1]), data: frame[2] ?? '' });
      }
    }
  } catch {
    // The connection broke with the server; earlier data counts.
  }
}
