// The list of 1,000 sessions that each ran a turn.
import { call, median, nowMs, quantile, round, startBench } from './lib.mjs';

const SESSIONS = 1_000;
const READS = 40;

export async function run() {
  const bench = await startBench('hello');
  try {
    const startedAt = nowMs();
    for (let index = 0; index < SESSIONS; index += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, offset) => bench.start(`Assignment number ${index + offset}`)));
    }
    const createdMs = (nowMs() - startedAt) / SESSIONS;
    while ((await bench.api('GET', '/sessions')).items.some((item) => !item.conclusa))
      await new Promise((done) => setImmediate(done));
    const times = [];
    for (let index = 0; index < READS; index += 1) {
      const at = nowMs();
      await call(bench.port, 'GET', '/sessions');
      times.push(nowMs() - at);
    }
    return [
      {
        figure: 'list of 1,000 sessions, ms p50',
        value: round(median(times)),
        bar: '≤ 10',
        peers: 'opencode 36.5, qwen 138 (748), Codex 1,038',
        method: `${READS} reads, parsed by the client`,
      },
      {
        figure: 'list of 1,000 sessions, ms p95',
        value: round(quantile(times, 0.95)),
        bar: '–',
        method: 'the same run',
      },
      {
        figure: 'a session created and its text turn run, ms',
        value: round(createdMs, 2),
        bar: '–',
        peers: 'opencode 2.4 (create only), qwen 65',
        method: '1,000 sessions, 20 at a time',
      },
    ];
  } finally {
    await bench.close();
  }
}
