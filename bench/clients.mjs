// 1,000 readers of 20 sessions that stream at once.
import { follow, nowMs, pssMiB, round, startBench } from './lib.mjs';

const SESSIONS = 20;
const READERS_EACH = 50;
const DELTAS = 500;

export async function run() {
  const bench = await startBench({ always: { text: { count: DELTAS }, deltasPerSecond: 100 } });
  try {
    const before = pssMiB(bench.pid);
    const ids = await Promise.all(Array.from({ length: SESSIONS }, () => bench.start()));
    let frames = 0;
    const startedAt = nowMs();
    const readers = ids.flatMap((id) =>
      Array.from({ length: READERS_EACH }, () =>
        follow(bench.port, id, (data) => {
          frames += 1;
          return data.startsWith('{"type":"RunFinished"');
        }),
      ),
    );
    await Promise.all(readers);
    const seconds = (nowMs() - startedAt) / 1_000;
    return [
      {
        figure: '1,000 readers on 20 streaming sessions, events/s received',
        value: Math.round(frames / seconds).toLocaleString('en-US'),
        bar: '–',
        peers: 'opencode 78,000 (20 readers, burst)',
        method: `${SESSIONS} sessions of ${DELTAS} deltas at 100 a second, ${READERS_EACH} readers each, in ${round(seconds)} s (5 is the model's own pace)`,
      },
      {
        figure: 'the same, memory grown, MiB',
        value: round(pssMiB(bench.pid) - before),
        bar: '–',
        method: 'resident, at the end',
      },
    ];
  } finally {
    await bench.close();
  }
}
