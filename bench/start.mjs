// Process start → ready line, and memory three seconds after.
import { setTimeout as wait } from 'node:timers/promises';
import { median, pssMiB, round, startNode, TOKEN, tempFolder } from './lib.mjs';

const RUNS = 9;

export async function run() {
  const ready = [];
  const memory = [];
  for (let index = 0; index < RUNS; index += 1) {
    const data = tempFolder();
    const env = { FUCINA_TOKEN: TOKEN, FUCINA_DATA_DIR: data.path, FUCINA_PORT: '0', FUCINA_LOG: 'error' };
    const server = await startNode('apps/server/dist/main.js', { env });
    ready.push(server.readyMs);
    if (index < 3) {
      await wait(3_000);
      memory.push(pssMiB(server.pid));
    }
    await server.stop();
    data.remove();
  }
  return [
    {
      figure: 'ready after process start, ms',
      value: round(median(ready), 0),
      bar: '≤ 250',
      peers: 'Codex 118, Claude Code 426, opencode 1,490',
      method: `median of ${RUNS}, spawn to ready line, fresh data folder`,
    },
    {
      figure: 'idle memory, MiB (PSS, 3 s after ready)',
      value: round(median(memory), 0),
      bar: '≤ 90',
      peers: 'Codex 105, Claude Code 165, opencode 317',
      method: 'median of 3',
    },
  ];
}
