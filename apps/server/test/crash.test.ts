import {
  createModelServer,
  type ModelServer,
  processesWith,
  sampleProject,
  type TempRepo,
  tempDir,
} from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { type ChildServer, failToStart, startChild } from './child-server.ts';
import { crash } from './crash/rounds.ts';
import { readStream, rowOf, until } from './harness.ts';

test('ten kills during work lose nothing that was acknowledged or sent', async () => {
  const report = await crash({ kills: 10, seed: 20261121 });
  expect(report.problems).toEqual([]);
  expect(report.kills).toBe(10);
  expect(report.acknowledged).toBeGreaterThan(50);
  expect(report.events).toBeGreaterThan(300);
  expect(report.interrupted).toBeGreaterThan(5);
  expect(report.slowestStartMs).toBeLessThanOrEqual(2_000);
});

async function connect({ call }: ChildServer, model: ModelServer): Promise<void> {
  await call('POST', '/providers/ollama/runtime', { body: { endpoint: model.url, timeoutSeconds: 60 } });
}

async function startSession({ call }: ChildServer, project: TempRepo): Promise<string> {
  const body = { cartellaLibera: project.path, consegna: 'Work.', modello: 'ollama:tiny' };
  return (await call('POST', '/sessions/custom', { body })).data.sessionId;
}

describe('two servers on one data folder', () => {
  test('refuses the second server at once with a reason while the first continues its turn', async () => {
    await using dir = await tempDir();
    await using project = await sampleProject();
    await using model = await createModelServer({ script: () => ({ text: { count: 600 }, deltasPerSecond: 600 }) });
    await using first = await startChild({ dataDir: dir.path });
    await connect(first, model);
    const id = await startSession(first, project);
    const second = await failToStart({ dataDir: dir.path });
    expect(second.code).toBeGreaterThan(0);
    expect(second.afterMs).toBeLessThanOrEqual(2_000);
    expect(second.stderr).toContain('SESSION_STORE_BUSY');
    expect(await rowOf(first.call, id)).toMatchObject({ conclusa: false, interrotta: false });
    await readStream(first, id, { isDone: ({ type }) => type === 'RunFinished' });
    await first.kill('SIGKILL');
    await using next = await startChild({ dataDir: dir.path });
    expect(next.readyMs).toBeLessThanOrEqual(2_000);
    expect(await rowOf(next.call, id)).toMatchObject({ conclusa: true, motivoChiusura: 'fine-lavoro' });
  });

  test('lets exactly one of two concurrent starts win, on new and existing folders', async () => {
    await using dir = await tempDir();
    for (let round = 0; round < 3; round += 1) {
      const started = await Promise.allSettled([startChild({ dataDir: dir.path }), startChild({ dataDir: dir.path })]);
      const winners = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const refusals = started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
      for (const winner of winners) await winner.kill('SIGKILL');
      expect([winners.length, refusals.length]).toEqual([1, 1]);
      expect(refusals[0]).toContain('SESSION_STORE_BUSY');
    }
  });
});

describe('stopping under load', () => {
  /** A shell that starts a background process and waits; both are recognized by the odd number. */
  const marker = `300.${process.pid}`;
  const command = `sleep ${marker} & echo ready; wait`;

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends streams, turns and commands within five seconds, exits 0 and loses nothing',
    async (signal) => {
      await using dir = await tempDir();
      await using project = await sampleProject();
      await using model = await createModelServer({
        script: ({ lastText }) =>
          lastText.includes('Run it.')
            ? { toolCalls: [{ name: 'shell', arguments: { comando: command } }] }
            : { text: { count: 100_000 }, deltasPerSecond: 300 },
      });
      await using server = await startChild({ dataDir: dir.path });
      await connect(server, model);
      const ids = [await startSession(server, project), await startSession(server, project)];
      const body = { cartellaLibera: project.path, consegna: 'Run it.', modello: 'ollama:tiny' };
      const running = (await server.call('POST', '/sessions/custom', { body })).data.sessionId as string;
      await readStream(server, running, { isDone: ({ type }) => type === 'ToolCallOutput' });
      expect(processesWith(marker).length).toBeGreaterThanOrEqual(2);
      let flowing = 0;
      const followers = ids.map((id) =>
        readStream(server, id, {
          isDone({ type }) {
            if (type === 'TextMessageContent') flowing += 1;
            return type === 'RunError';
          },
        }),
      );
      await until(async () => flowing > 20 || undefined);
      expect((await server.call('POST', `/sessions/${ids[0]}/rename`, { body: { nome: 'Kept' } })).ok).toBe(true);

      const askedAt = server.ageMs();
      const exit = await server.kill(signal);
      expect(exit.afterMs - askedAt).toBeLessThanOrEqual(5_000);
      expect([exit.code, exit.signal]).toEqual([0, null]);
      expect(processesWith(marker)).toEqual([]);
      const endings = (await Promise.all(followers)).map((seen) => seen.at(-1)?.event);
      for (const ending of endings) expect(ending).toMatchObject({ type: 'RunError', code: 'SESSION_INTERRUPTED' });

      await using next = await startChild({ dataDir: dir.path });
      for (const id of [...ids, running]) expect(await rowOf(next.call, id)).toMatchObject({ interrotta: true });
      expect((await rowOf(next.call, ids[0] as string)).nome).toBe('Kept');
      model.script(() => ({ text: 'Done.' }));
      for (const id of [...ids, running]) expect((await next.call('POST', `/sessions/${id}/resume`)).ok).toBe(true);
      await until(async () => {
        const { items } = (await next.call('GET', '/sessions')).data;
        return items.every(({ motivoChiusura }: any) => motivoChiusura === 'fine-lavoro') || undefined;
      });
    },
  );
});
