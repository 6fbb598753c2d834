// A session of 10,000 events replayed to a new client.
import { follow, median, nowMs, round, startBench } from './lib.mjs';

const RUNS = 15;

export async function run() {
  const bench = await startBench({ always: { text: { count: 10_000 } } });
  try {
    const id = await bench.start();
    await follow(bench.port, id, (data) => data.startsWith('{"type":"RunFinished"'));
    const events = (await bench.api('GET', `/sessions/${id}/export`)).eventi.length;
    const times = [];
    for (let index = 0; index < RUNS; index += 1) {
      const at = nowMs();
      await follow(bench.port, id, (data) => data.includes('svc.fine-rigiocata'));
      times.push(nowMs() - at);
    }
    return [
      {
        figure: `replay of ${events.toLocaleString('en-US')} events, events/s`,
        value: Math.round(events / (median(times) / 1_000)).toLocaleString('en-US'),
        bar: '≥ 100,000',
        peers: 'qwen 84,000',
        method: `median of ${RUNS}, connect to end of replay, deltas merged`,
      },
      {
        figure: 'the same, ms',
        value: round(median(times)),
        bar: '< 80',
        peers: 'qwen 83, opencode 88.8',
        method: 'the same runs',
      },
    ];
  } finally {
    await bench.close();
  }
}
