// 20,000 deltas in one message, model → SSE client, every one committed with fsync before it is seen.
import { call, follow, median, nowMs, pssMiB, round, startBench } from './lib.mjs';

const RUNS = 5;

export async function run() {
  const rows = [];
  for (const count of [2_000, 20_000]) {
    const bench = await startBench(`burst-${count}`);
    try {
      const rates = [];
      const firsts = [];
      let bytesPerDelta = 0;
      const id = await bench.start();
      let after = await burst(bench.port, id, 0);
      for (let index = 0; index < RUNS; index += 1) {
        const startedAt = nowMs();
        const read = burst(bench.port, id, after.seq);
        await call(bench.port, 'POST', `/sessions/${id}/resume`, { messaggio: 'again' });
        after = await read;
        rates.push(count / ((nowMs() - startedAt) / 1_000));
        firsts.push(after.firstAt - startedAt);
        bytesPerDelta = after.bytes / count;
      }
      const name = count.toLocaleString('en-US');
      rows.push({
        figure: `${name} deltas in one message, deltas/s`,
        value: Math.round(median(rates)).toLocaleString('en-US'),
        bar: '≥ 40,000',
        peers: 'Codex 27,474, Claude Code 15,293, opencode 6,374',
        method: `median of ${RUNS}, request to last event at the client`,
      });
      rows.push({
        figure: `first delta of that burst at the client, ms`,
        value: round(median(firsts)),
        bar: '≤ 2',
        peers: 'pi 2, Codex 6, opencode 3,038',
        method: 'the same runs, from the request',
      });
      if (count === 20_000) {
        rows.push({
          figure: 'bytes on the wire per delta',
          value: round(bytesPerDelta, 0),
          bar: '≤ 150',
          peers: 'gemini 199, Codex 235, opencode 268',
          method: 'the same runs',
        });
        rows.push({
          figure: 'memory after the bursts, MiB (PSS)',
          value: round(pssMiB(bench.pid), 0),
          bar: '≤ 120',
          peers: 'Codex 199, opencode 964',
          method: `${RUNS + 1} bursts of ${name}`,
        });
      }
    } finally {
      await bench.close();
    }
  }
  return rows;
}

async function burst(port, id, after) {
  const seen = { seq: after, firstAt: 0, bytes: 0 };
  seen.bytes = await follow(
    port,
    id,
    (data) => {
      if (!seen.firstAt && data.startsWith('{"type":"TextMessageContent"')) seen.firstAt = nowMs();
      if (!data.startsWith('{"type":"RunFinished"')) return false;
      seen.seq = Number(/"_sequenza":(\d+)/.exec(data)?.[1]);
      return true;
    },
    after || undefined,
  );
  return seen;
}
