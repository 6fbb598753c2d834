// The newcomer's one command: builds what changed, starts the server with a fresh token, shows the way in.
import { randomBytes } from 'node:crypto';
import { build, liveTogether, openInBrowser, startReady } from './lib.mjs';

build('@fucina/server', '@fucina/window', '@fucina/cli');
const token = process.env.FUCINA_TOKEN || randomBytes(32).toString('hex');
const { child, ready } = await startReady('apps/server/dist/main.js', {
  args: process.argv.slice(2),
  // A person reads this terminal: only what needs them is printed, unless they ask for more.
  env: { FUCINA_TOKEN: token, FUCINA_LOG: process.env.FUCINA_LOG || 'warn' },
});
liveTogether([child]);
const address = `${ready.url}?token=${token}`;
console.log(
  `\n  Fucina ${ready.version} is ready. Open it here (the address holds its key; do not share it):\n\n  ${address}\n`,
);
openInBrowser(address);
