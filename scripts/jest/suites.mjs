// Which suites a run includes, and in which order. durations.json contains the duration of each suite over five
// seconds, on two cores. `npm run test:all -- --record` updates it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib.mjs';

/** Longer ones run only with `npm run test:all`. */
export const LIMIT_SECONDS = 10;
const WORTH_A_ROW_SECONDS = 5;
/** Always included, whatever their duration: one walk through the window, and the gate of every operation. */
const ALWAYS = ['apps/server/test/window-first-session.test.ts', 'apps/server/test/e2e/gate.test.ts'];

const file = new URL('./durations.json', import.meta.url);

/** Seconds by path from the root, with slashes. */
export const durations = JSON.parse(readFileSync(file, 'utf8'));

/** The suites that `npm test` skips, by path from the root. */
export const longSuites = Object.keys(durations).filter(
  (suite) => durations[suite] > LIMIT_SECONDS && !ALWAYS.includes(suite),
);

/** Updates the table with the durations of a run; deletes rows of missing suites. */
export function record(seconds) {
  const all = Object.entries({ ...durations, ...seconds });
  const kept = all.filter(([suite, taken]) => taken >= WORTH_A_ROW_SECONDS && existsSync(join(root, suite)));
  const sorted = kept.toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
