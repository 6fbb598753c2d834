// Timers of a background page are throttled to one per minute; those of a worker are not.
const TICK_MS = 2_500;

setInterval(() => postMessage(undefined), TICK_MS);
