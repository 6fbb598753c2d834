// A session of 10,000 and one of 1,000,000 events replayed to a new client.
import { follow, median, nowMs, pssMiB, round, startBench } from './lib.mjs';

const RUNS = 15;
const LONG = 1_000_000;

export async function run() {
  return [...(await tenThousand()), ...(await million())];
}

async function tenThousand() {
  const bench = await startBench({ always: { text: { count: 10_000 } } });
  try {
    const id = await bench.start();
    await follow(bench.port, id, (data) => data.startsWith('{"type":"RunFinished"'));
    const events = (await bench.api('GET', `/sessions/${id}/export`)).eventi.length;
    const times = [];
    for (let index = 0; index < RUNS; index += 1) times.push((await replay(bench.port, id)).ms);
    return [
      {
        figure: `replay of ${events.toLocaleString('en-US')} events, events/s`,
        value: Math.round(events / (median(times) / 1_000)).toLocaleString('en-US'),
        bar: '≥ 200,000',
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

async function million() {
  const bench = await startBench({ always: { text: { count: LONG } } });
  try {
    const id = await bench.start();
    await follow(bench.port, id, (data) => data.startsWith('{"type":"RunFinished"'));
    await replay(bench.port, id);
    const before = pssMiB(bench.pid);
    const runs = [await replay(bench.port, id), await replay(bench.port, id), await replay(bench.port, id)];
    const grown = pssMiB(bench.pid) - before;
    return [
      {
        figure: `replay of ${LONG.toLocaleString('en-US')} events, events/s`,
        value: Math.round(LONG / (median(runs.map(({ ms }) => ms)) / 1_000)).toLocaleString('en-US'),
        bar: '≥ 200,000',
        method: `one message of ${LONG.toLocaleString('en-US')} deltas, median of ${runs.length}, deltas merged`,
      },
      {
        figure: 'the same, first byte, ms',
        value: round(median(runs.map(({ firstMs }) => firstMs))),
        bar: '–',
        method: 'the same runs',
      },
      {
        figure: 'the same, memory grown by three replays, MiB',
        value: round(grown),
        bar: 'constant',
        method: 'resident',
      },
    ];
  } finally {
    await bench.close();
  }
}

async function replay(port, id) {
  const at = nowMs();
  let firstMs = 0;
  await follow(port, id, (data) => {
    firstMs ||= nowMs() - at;
    return data.includes('svc.fine-rigiocata');
  });
  return { ms: nowMs() - at, firstMs };
}
