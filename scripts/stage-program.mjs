// The command line with the server and the window in one folder, which runs without the repository: what the npm package
// and the Debian package contain.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleApp } from './bundle-app.mjs';
import { engineList } from './engine-list.mjs';
import { root } from './lib.mjs';
import { recordCode } from './record-code.mjs';
import { copy, placeModules } from './staging.mjs';

/** Where our files are here, and in the package: the server looks for them beside the bundle that it is in. */
const OWN = {
  'apps/server/templates': 'apps/cli/templates',
  'apps/server/openapi.json': 'apps/cli/openapi.json',
  'apps/window/dist': 'apps/window/dist',
  'docs/help': 'docs/help',
  LICENSE: 'LICENSE',
  'apps/cli/README.md': 'README.md',
};

/** Returns the names of the packages in its `node_modules`. */
export async function stageProgram(folder) {
  for (const [from, to] of Object.entries(OWN)) copy(join(root, from), join(folder, to));
  const placed = placeModules(join(folder, 'node_modules'));
  // One bundle of both: the code that they share is in it once.
  const outdir = join(folder, 'apps/cli/dist');
  await bundleApp({ folder: join(root, 'apps/cli'), outdir, entryPoints: { program: 'src/main.ts' }, external: [] });
  await recordCode(outdir, ['serve', 'cli']);
  for (const file of readdirSync(outdir)) if (file.endsWith('.map')) rmSync(join(outdir, file));
  writeFileSync(join(folder, 'apps/cli/engine-library.json'), JSON.stringify(engineList()));
  return [...placed.keys()];
}

/** What a staged program prints, in English. */
export function printed(folder, ...args) {
  const main = join(folder, 'apps/cli/dist/main.js');
  return execFileSync(process.execPath, [main, ...args], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
}

export const manPage = (folder) => printed(folder, 'man');
