// Which suites a run takes, and in which order. One table says how long each takes: durations.json, in seconds on two
// cores, of those over five. `npm run test:all -- --record` writes it anew.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib.mjs';

/** Longer ones are left to `npm run test:all`. */
export const LIMIT_SECONDS = 10;
const WORTH_A_ROW_SECONDS = 5;
/** Part of every run, however long: one walk through the window, and the gate in front of every operation. */
const ALWAYS = ['apps/server/test/window-first-session.test.ts', 'apps/server/test/e2e/gate.test.ts'];

const file = new URL('./durations.json', import.meta.url);

/** Seconds by path from the root, with slashes. */
export const durations = JSON.parse(readFileSync(file, 'utf8'));

/** The suites that `npm test` leaves out, by path from the root. */
export const longSuites = Object.keys(durations).filter(
  (suite) => durations[suite] > LIMIT_SECONDS && !ALWAYS.includes(suite),
);

/** Takes the durations of a run into the table; the rows of suites that are gone go. */
export function record(seconds) {
  const all = Object.entries({ ...durations, ...seconds });
  const kept = all.filter(([suite, taken]) => taken >= WORTH_A_ROW_SECONDS && existsSync(join(root, suite)));
  const sorted = kept.toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
