// The newcomer's one command: builds what changed, starts the server with a fresh token, shows the way in.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { build, liveTogether, openInBrowser, root, startReady } from './lib.mjs';

build('@fucina/server', '@fucina/window', '@fucina/cli');
const args = process.argv.slice(2);
if (args.some((argument) => ['--help', '-h', '--version'].includes(argument))) {
  const { status } = spawnSync(process.execPath, [join(root, 'apps/server/dist/main.js'), ...args], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
const token = process.env.FUCINA_TOKEN || randomBytes(32).toString('hex');
const { child, ready } = await startReady('apps/server/dist/main.js', {
  args,
  // A person reads this terminal: only what needs them is printed, unless they ask for more.
  env: { FUCINA_TOKEN: token, FUCINA_LOG: process.env.FUCINA_LOG || 'warn' },
});
liveTogether([child]);
const address = `${ready.url}?token=${token}`;
console.log(
  `\n  Fucina ${ready.version} is ready. Open it here (the address holds its key; do not share it):\n\n  ${address}\n`,
);
openInBrowser(address);
