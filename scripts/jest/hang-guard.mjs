// Ends a test process whose event loop stands still: jest's own limit is a timer, which such a process never serves.
import { Worker } from 'node:worker_threads';

/** How long a process may go on after the limit of a test or hook before it counts as stuck. */
const GRACE_MS = Number(process.env.FUCINA_TEST_HANG_GRACE_MS ?? 30_000);
const NONE = 0n;

/** Run by a thread, which works while the event loop of the tests does not. */
const WATCH = `
const { workerData } = require('node:worker_threads');
const deadline = new BigInt64Array(workerData.shared);
setInterval(() => {
  const at = Atomics.load(deadline, 0);
  if (at === 0n || BigInt(Date.now()) < at) return;
  require('node:fs').writeSync(2, 'The event loop stands still: the test process ' + process.pid + ' was killed.\\n');
  process.kill(process.pid, 'SIGKILL');
}, 1000);
`;

let deadline;

/** One thread per test process, started at the first call. */
function sharedDeadline() {
  if (deadline === undefined) {
    const shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    const thread = new Worker(WATCH, { eval: true, workerData: { shared }, stdout: false, stderr: false });
    thread.unref();
    deadline = new BigInt64Array(shared);
  }
  return deadline;
}

/** From now on the process has `limitMs`, and the grace, to reach the next call. */
export function expectWithin(limitMs) {
  Atomics.store(sharedDeadline(), 0, BigInt(Date.now() + limitMs + GRACE_MS));
}

export function expectNothing() {
  Atomics.store(sharedDeadline(), 0, NONE);
}
