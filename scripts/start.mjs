// The command for newcomers: builds what changed, starts the server with the data folder's token, prints the address.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { addressesOf, build, dataFolderIn, liveTogether, openInBrowser, root, startReady } from './lib.mjs';

build('@fucina/server', '@fucina/window', '@fucina/cli');
const NEW_TOKEN = '--new-token';
const args = process.argv.slice(2).filter((arg) => arg !== NEW_TOKEN);
if (args.some((arg) => ['--help', '-h', '--version'].includes(arg))) {
  const main = join(root, 'apps/server/dist/main.js');
  const { status } = spawnSync(process.execPath, [main, ...args], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
// Not through their entry point, which would load every domain.
const { defaultDataDir } = await import('../packages/host/dist/data-folder/data-folder.js');
const { launcherToken } = await import('../packages/host/dist/data-folder/launcher-token.js');

const isNew = process.argv.includes(NEW_TOKEN);
const folder = dataFolderIn(args, process.env) ?? defaultDataDir(process.env);
const token = process.env.FUCINA_TOKEN || (await launcherToken(folder, { isNew }));
const { child, ready } = await startReady('apps/server/dist/main.js', {
  args,
  // A user reads this terminal: prints only what they need, unless more is requested.
  env: { FUCINA_TOKEN: token, FUCINA_LOG: process.env.FUCINA_LOG || 'warn' },
});
liveTogether([child]);
const addresses = await addressesOf(ready.url, { token, folder });
console.log(
  `\n  Fucina ${ready.version} is ready. Open it here (the address holds its key; do not share it):\n\n  ${addresses.shown}\n`,
);
await openInBrowser(addresses, folder);
