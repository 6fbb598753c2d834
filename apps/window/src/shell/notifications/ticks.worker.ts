// Timers of a page in the background are slowed down to one a minute; those of a worker are not.
const TICK_MS = 2_500;

setInterval(() => postMessage(undefined), TICK_MS);
