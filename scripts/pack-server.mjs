// A folder with the server, the window and the Node that runs them, for a desktop application or a package to contain.
// `npm run pack:server -- [--target linux-x64] [folder]` writes fucina-server-<version>-<target>/ there; needs nothing
// else of the repository, and no Node on PATH. The contract: apps/server/README.md.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleApp } from './bundle-app.mjs';
import { engineList } from './engine-list.mjs';
import { root } from './lib.mjs';
import { recordCode } from './record-code.mjs';
import { copy, placeModules } from './staging.mjs';

const OWN = ['apps/server/templates', 'apps/server/openapi.json', 'apps/window/dist', 'docs/help', 'LICENSE'];
const HERE = `${process.platform}-${process.arch}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { target: { type: 'string', default: HERE } },
});
if (values.target !== HERE) {
  console.error(`The native parts here are for ${HERE}. Run this on ${values.target}.`);
  process.exit(78);
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = resolve(positionals[0] ?? '.', `fucina-server-${version}-${HERE}`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'bin'), { recursive: true });
for (const path of OWN) copy(join(root, path), join(folder, path));
placeModules(join(folder, 'node_modules'));
const outdir = join(folder, 'apps/server/dist');
await bundleApp({
  folder: join(root, 'apps/server'),
  outdir,
  entryPoints: { program: 'src/main.ts' },
  external: [],
});
await recordCode(outdir, ['server']);
for (const file of readdirSync(outdir)) if (file.endsWith('.map')) rmSync(join(outdir, file));
writeFileSync(join(folder, 'apps/server/engine-library.json'), JSON.stringify(engineList()));
copyFileSync(process.execPath, join(folder, 'bin/node'));
chmodSync(join(folder, 'bin/node'), 0o755);
writeFileSync(join(folder, 'bin/fucina-server'), launcher(), { mode: 0o755 });
console.log(folder);

function launcher() {
  return `#!/bin/sh
# Starts the server with the Node of this folder; prints one JSON line when it is ready. Never without a token.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../apps/server/dist/main.js" --saved-token 1 "$@"
`;
}
