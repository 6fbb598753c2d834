// The list of 1,000 and of 10,000 sessions that each ran a turn.
import { call, median, nowMs, quantile, receive, round, startBench } from './lib.mjs';

const READS = 40;

export async function run() {
  const bench = await startBench('hello');
  try {
    const startedAt = nowMs();
    await fill(bench, 0, 1_000);
    const createdMs = (nowMs() - startedAt) / 1_000;
    const thousand = await reads(() => call(bench.port, 'GET', '/sessions'));
    await fill(bench, 1_000, 10_000);
    const tenThousand = await reads(() => receive(bench.port, '/sessions'));
    return [
      {
        figure: 'list of 1,000 sessions, ms p50',
        value: round(median(thousand)),
        bar: '≤ 10',
        peers: 'opencode 36.5, qwen 138 (748), Codex 1,038',
        method: `${READS} reads, parsed by the client`,
      },
      {
        figure: 'list of 1,000 sessions, ms p95',
        value: round(quantile(thousand, 0.95)),
        bar: '–',
        method: 'the same run',
      },
      {
        figure: 'list of 10,000 sessions, ms p50',
        value: round(median(tenThousand)),
        bar: '≤ 15',
        method: `${READS} reads of the whole list, received but not parsed`,
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

async function fill(bench, from, to) {
  for (let index = from; index < to; index += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, offset) => bench.start(`Assignment number ${index + offset}`)));
  }
  while ((await bench.api('GET', '/sessions')).items.some((item) => !item.conclusa))
    await new Promise((done) => setImmediate(done));
}

async function reads(read) {
  await read();
  const times = [];
  for (let index = 0; index < READS; index += 1) {
    const at = nowMs();
    await read();
    times.push(nowMs() - at);
  }
  return times;
}
