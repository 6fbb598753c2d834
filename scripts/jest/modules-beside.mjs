// Bundles the modules that run in a separate thread or process, before the first suite. Started from source, each
// thread would compile its package again, which takes longer than most tests.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, modulesBeside } from '../bundling.mjs';
import { root } from '../lib.mjs';
import { BUNDLES } from './module-beside.mjs';

const RECORD = join(root, BUNDLES, 'inputs.json');

/** Jest's `globalSetup`. Does nothing if the sources of these modules are unchanged. */
export default async function bundleModulesBeside() {
  if (isFresh()) return;
  const inputs = ['pnpm-lock.yaml', 'scripts/bundling.mjs'];
  for (const [name, entryPoints] of entriesByPackage()) {
    const outdir = join(root, 'packages', name, BUNDLES);
    const { metafile } = await build({ ...bundleOptions, absWorkingDir: root, entryPoints, outdir, metafile: true });
    inputs.push(...Object.keys(metafile.inputs).filter((path) => path.startsWith('packages/')));
  }
  mkdirSync(dirname(RECORD), { recursive: true });
  writeFileSync(RECORD, JSON.stringify([...new Set(inputs)].map((path) => [path, changedAt(path)])));
}

function isFresh() {
  if (!existsSync(RECORD)) return false;
  const inputs = JSON.parse(readFileSync(RECORD, 'utf8'));
  return inputs.every(([path, time]) => changedAt(path) === time);
}

function changedAt(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function entriesByPackage() {
  const packages = new Map();
  for (const [name, path] of Object.entries(modulesBeside())) {
    const [folder = ''] = relative(join(root, 'packages'), path).split(sep);
    packages.set(folder, { ...packages.get(folder), [name]: path });
  }
  return packages;
}
