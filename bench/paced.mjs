// 200 deltas a second: from the model's write to the client's read, by the stamp inside each delta.
import { follow, quantile, round, startBench } from './lib.mjs';

export async function run() {
  const bench = await startBench('paced-200');
  try {
    const delays = [];
    const id = await bench.start();
    await follow(bench.port, id, (data) => {
      const stamp = /"delta":"@(\d+) /.exec(data)?.[1];
      if (stamp) delays.push(Number(process.hrtime.bigint() - BigInt(stamp)) / 1e6);
      return data.startsWith('{"type":"RunFinished"');
    });
    const warm = delays.slice(20);
    const method = `${warm.length} deltas, model’s write to client’s read, commit and fsync between`;
    return [
      {
        figure: 'delay at 200 deltas/s, ms p50',
        value: round(quantile(warm, 0.5), 2),
        bar: '–',
        peers: 'pi 0.3, Codex 0.5, Claude Code 0.8, opencode 1.9',
        method,
      },
      {
        figure: 'delay at 200 deltas/s, ms p95',
        value: round(quantile(warm, 0.95), 2),
        bar: '≤ 0.7',
        peers: 'Codex 0.7, Claude Code 1.8, opencode 10.5',
        method: 'the same run',
      },
    ];
  } finally {
    await bench.close();
  }
}
