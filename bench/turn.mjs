// A turn with one shell call (`echo bench`) and a final text: from the request to RunFinished at the client.
import { call, follow, median, nowMs, quantile, round, startBench } from './lib.mjs';

const RUNS = 40;

export async function run() {
  const bench = await startBench('tool-turn');
  try {
    const id = await bench.start();
    await finished(bench.port, id, 0);
    const times = [];
    let after = (await bench.api('GET', `/sessions/${id}/export`)).eventi.length;
    for (let index = 0; index < RUNS; index += 1) {
      const startedAt = nowMs();
      const over = finished(bench.port, id, after);
      await call(bench.port, 'POST', `/sessions/${id}/resume`, { messaggio: 'again' });
      after = await over;
      times.push(nowMs() - startedAt);
    }
    const warm = times.slice(5);
    return [
      {
        figure: 'turn with one tool call, ms p50',
        value: round(median(warm)),
        bar: '≤ 15',
        peers: 'pi 12–22, Claude Code 75, Codex 106–139, opencode 221–240',
        method: `existing session, ${warm.length} turns after 5, real shell, fsync on every commit`,
      },
      {
        figure: 'turn with one tool call, ms p95',
        value: round(quantile(warm, 0.95)),
        bar: '–',
        method: 'the same run',
      },
    ];
  } finally {
    await bench.close();
  }
}

async function finished(port, id, after) {
  let last = after;
  await follow(
    port,
    id,
    (data) => {
      last = /"_sequenza":(\d+)/.exec(data)?.[1] ?? last;
      return data.startsWith('{"type":"RunFinished"');
    },
    after,
  );
  return Number(last);
}
