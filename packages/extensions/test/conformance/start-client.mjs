// The suite starts a client for every scenario at once. Each waits here for its turn: more at a time than this would
// reach the time limits of a connection.
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const AT_ONCE = 4;
const LOOK_MS = 50;
const folder = process.env.FUCINA_TURNS;

async function turn() {
  for (;;) {
    for (let at = 0; at < AT_ONCE; at += 1) {
      const mine = join(folder, String(at));
      try {
        mkdirSync(mine);
        return mine;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
    }
    await sleep(LOOK_MS);
  }
}

const mine = await turn();
process.once('exit', () => rmdirSync(mine));
await import('./client.mjs');
