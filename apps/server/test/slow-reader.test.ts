import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createModelServer, sampleProject, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { type ChildServer, startChild } from './child-server.ts';
import { readStream, TOKEN } from './harness.ts';

const STALLED = 20;
const DELTA = 'x'.repeat(16 * 1024);
/** 7.5 MiB of text, below the limit of one answer: more than the buffers of a connection and one queue together. */
const DELTAS = 480;
/** The maximum that kernel buffers and the queue hold for an unread connection: far less than the whole text. */
const MOST_HELD_BYTES = 6.25 * 1024 * 1024;
const MIB = 1024 * 1024;

test('clients that never read are disconnected without using much memory or affecting others', async () => {
  await using dir = await tempDir();
  await using project = await sampleProject();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await using model = await createModelServer({
    script: async () => {
      await released;
      return { text: { count: DELTAS, delta: DELTA }, deltasPerSecond: 200 };
    },
  });
  await using server = await startChild({ dataDir: dir.path, env: { FUCINA_LOG: 'silent' } });
  await server.call('POST', '/providers/ollama/runtime', { body: { endpoint: model.url, timeoutSeconds: 60 } });
  const body = { cartellaLibera: project.path, consegna: 'Write.', modello: 'ollama:tiny' };
  const id = (await server.call('POST', '/sessions/custom', { body })).data.sessionId as string;
  const stalled = await Promise.all(Array.from({ length: STALLED }, () => openAndStop(server, id)));
  const before = memoryOf(server.pid).now;

  const live = readStream(server, id, {
    isDone(event) {
      // It follows from here on: a replay would consist of fewer, longer events.
      if (event.type === 'CUSTOM' && event.name === 'svc.coda') release();
      return event.type === 'RunFinished';
    },
  });
  const seen = (await live).flatMap((frame) => (frame.id === undefined ? [] : [frame.id]));
  expect(seen).toEqual(Array.from({ length: DELTAS + 7 }, (_, index) => index + 1));
  const grown = (memoryOf(server.pid).peak - before) / MIB;
  expect(grown).toBeLessThan(192);

  for (const ids of await Promise.all(stalled.map(readToTheEnd))) {
    // Without a gap, but incomplete.
    expect(ids).toEqual(seen.slice(0, ids.length));
    expect(ids.length * DELTA.length).toBeLessThan(MOST_HELD_BYTES);
  }
  const after = 3;
  const rest = await readStream(server, id, { after, isDone: ({ type }) => type === 'RunFinished' });
  const merged = rest.find(({ event }) => event.type === 'TextMessageContent')?.event as { delta: string };
  expect(merged.delta.length).toBeGreaterThan((DELTAS - 2) * DELTA.length);
  expect((await server.call('GET', '/health')).ok).toBe(true);
});

/** A client that requests the stream, reads its first bytes, and then stops reading. */
async function openAndStop({ url }: ChildServer, id: string): Promise<{ socket: Socket; text: string }> {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  const lines = [`GET /api/v1/sessions/${id}/events HTTP/1.1`, `Host: ${host}`, `Cookie: svc_token=${TOKEN}`];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.setEncoding('latin1');
  let text = '';
  while (!text.includes('svc.coda')) {
    const [chunk] = (await once(socket, 'data')) as [string];
    text += chunk;
  }
  socket.pause();
  return { socket, text };
}

/** Reads the buffered rest, up to the end sent by the server; returns the ids of whole frames. */
async function readToTheEnd({ socket, text }: { socket: Socket; text: string }): Promise<number[]> {
  let whole = text;
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      whole += String(chunk);
      // The last chunk of a response is empty.
      if (whole.endsWith('\r\n0\r\n\r\n')) resolve();
    });
    socket.once('close', () => resolve());
    socket.on('error', () => undefined); // A closed connection counts as an end here.
    socket.resume();
  });
  socket.destroy();
  return [...whole.matchAll(/id: (\d+)\ndata: /g)].map((match) => Number(match[1]));
}

/** Resident memory of another process in bytes; the current value if the system does not record a peak. */
function memoryOf(pid: number): { now: number; peak: number } {
  if (process.platform !== 'linux') {
    const now = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
    return { now, peak: now };
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}
