import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createModelServer, sampleProject, tempDir } from '@fucina/testkit';
import { type ChildServer, startChild } from './child-server.ts';
import { terminalClient } from './terminal-client.ts';

export interface FloodReport {
  /** Bytes that the reader received. */
  megabytes: number;
  /** Maximum memory growth of the server since the shell was ready, in MiB. */
  grownMib: number;
  /** Extra latency of the slowest other request, compared with an idle server at the same times, in ms. */
  delayMs: number;
  requests: number;
  /** Ctrl-C restored the prompt. */
  isStopped: boolean;
}

const MIB = 1024 * 1024;
const ENOUGH_BYTES = 10_000_000;

/** A program that prints without end, one viewer that reads all of it, and one that soon stops reading. */
export async function flood({ program, seconds }: { program: string; seconds: number }): Promise<FloodReport> {
  await using dir = await tempDir();
  await using project = await sampleProject();
  await using model = await createModelServer({ script: () => ({ text: 'Hello.' }) });
  await using server = await startChild({ dataDir: join(dir.path, 'flooded'), env: { FUCINA_LOG: 'silent' } });
  await using idle = await startChild({ dataDir: join(dir.path, 'idle'), env: { FUCINA_LOG: 'silent' } });
  await server.call('POST', '/providers/ollama/runtime', { body: { endpoint: model.url, timeoutSeconds: 60 } });
  const body = { cartellaLibera: project.path, consegna: 'Wait.', modello: 'ollama:tiny' };
  const id = (await server.call('POST', '/sessions/custom', { body })).data.sessionId as string;
  const port = Number(new URL(server.url).port);
  const reader = await terminalClient({ port }, id);
  const stuck = await terminalClient({ port }, id);
  reader.type("echo rea''dy");
  await Promise.all([reader.sees('ready'), stuck.sees('ready')]);
  // The cost of the first requests does not count.
  for (let count = 0; count < 500; count += 1) await server.call('GET', '/health');
  const before = residentBytes(server);
  let peak = before;
  const times: number[] = [];
  const idleTimes: number[] = [];

  reader.type(program);
  const end = performance.now() + seconds * 1000;
  // The viewer that stops reading blocks the others for at most five seconds.
  while (performance.now() < end || reader.bytes() <= ENOUGH_BYTES) {
    const [slow, quick] = await Promise.all([healthMs(server), healthMs(idle)]);
    times.push(slow);
    idleTimes.push(quick);
    peak = Math.max(peak, residentBytes(server));
    if (times.length === 5) stuck.pause();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const megabytes = reader.bytes() / 1_000_000;
  reader.raw(Buffer.from([3]));
  reader.type("echo stop''ped");
  await reader.sees('stopped');
  return {
    megabytes,
    grownMib: (peak - before) / MIB,
    delayMs: Math.max(...times) - Math.max(...idleTimes),
    requests: times.length,
    isStopped: true,
  };
}

async function healthMs(server: ChildServer): Promise<number> {
  const startedAt = server.ageMs();
  await server.call('GET', '/health');
  return server.ageMs() - startedAt;
}

function residentBytes({ pid }: ChildServer): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}
