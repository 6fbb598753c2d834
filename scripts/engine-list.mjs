// The packages of the library that runs local models, as `fucina local install` installs them: a package-lock.json with
// exactly what is installed here and is for this system, and the size of it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './lib.mjs';
import { isForHere, packageFolder } from './staging.mjs';

const NAME = 'node-llama-cpp';

export function engineList() {
  const entry = createRequire(join(root, 'packages/local-models/package.json'));
  const packages = {};
  place(NAME, entry, { parent: '', packages, integrities: readIntegrities() });
  const { version } = packages[`node_modules/${NAME}`];
  const bytes = Object.values(packages).reduce((sum, { bytes }) => sum + bytes, 0);
  for (const one of Object.values(packages)) delete one.bytes;
  const lock = { lockfileVersion: 3, packages: { '': { dependencies: { [NAME]: version } }, ...packages } };
  return { version, bytes, lock };
}

/** Flat, or below the package that needs another version than the one that is already there. */
function place(name, require, { parent, packages, integrities }) {
  const folder = packageFolder(name, [require]);
  if (!folder) return undefined;
  const facts = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!isForHere(facts) || isOtherBuild(name)) return undefined;
  const flat = `node_modules/${name}`;
  const at = packages[flat] === undefined || packages[flat].version === facts.version ? flat : `${parent}/${flat}`;
  if (packages[at]) return facts.version;
  const integrity = integrities.get(`${facts.name}@${facts.version}`);
  if (!integrity) throw new Error(`no hash of ${facts.name}@${facts.version}`);
  const row = { version: facts.version, integrity, bytes: bytesIn(folder) };
  packages[at] = row;
  // An alias: installed by another name than its own.
  if (facts.name !== name) row.name = facts.name;
  const own = createRequire(join(folder, 'package.json'));
  for (const kind of ['dependencies', 'optionalDependencies']) {
    for (const [needed, range] of Object.entries(facts[kind] ?? {})) {
      if (kind === 'dependencies' && facts.optionalDependencies?.[needed]) continue;
      // Packages for other systems are left out, also from the list of what is needed.
      if (place(needed, own, { parent: at, packages, integrities })) row[kind] = { ...row[kind], [needed]: range };
    }
  }
  return facts.version;
}

/** Hashes by `name@version`, from the lock file of this repository. */
function readIntegrities() {
  const text = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
  const rows = text.matchAll(/^ {2}'?(@?[^'@\s]+@[^':(\s]+)'?:\n {4}resolution: \{integrity: ([^},]+)/gm);
  return new Map([...rows].map(([, name, integrity]) => [name, integrity]));
}

/** Builds for other processors state that they run on this one too. */
function isOtherBuild(name) {
  return name.startsWith('@node-llama-cpp/') && name !== `@node-llama-cpp/${ownBuild()}`;
}

const SYSTEMS = { darwin: 'mac', win32: 'win' };
const ownBuild = () => {
  const system = SYSTEMS[process.platform] ?? process.platform;
  return `${system}-${process.arch}${system === 'mac' && process.arch === 'arm64' ? '-metal' : ''}`;
};

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
