// What a package and a bundle for other shells have in common: the modules outside the bundle, with the native parts for
// this system only.
import { cpSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { root } from './lib.mjs';

/** Packages outside the bundle; each with its dependencies. Of alternatives, those that are for this Node. */
const OUTSIDE = [
  ['@napi-rs/keyring'],
  ['@parcel/watcher'],
  ['@vscode/ripgrep'],
  ['@vscode/tree-sitter-wasm'],
  ['better-sqlite3', 'better-sqlite3-12'],
  ['node-pty'],
  ['playwright-core'],
  ['sharp'],
  ['web-tree-sitter'],
];
/** Dependencies that only build or download the native parts. */
const AT_INSTALL = new Set(['node-addon-api', 'prebuild-install']);
/** Sources, builds for other systems and build leftovers, which are not needed at run time. */
const LEFT_OUT = [
  /\/better-sqlite3\/(deps|src|build\/Release\/(obj|obj\.target|\.deps))(\/|$)/,
  new RegExp(`/better-sqlite3/prebuilds/(?!${process.platform}(musl)?-${process.arch}\\.)[^/]+$`),
  new RegExp(`/node-pty/prebuilds/(?!${process.platform}-${process.arch}(/|$))[^/]+(/|$)`),
  /\/node-pty\/(deps|src|third_party|build\/Release\/(obj|obj\.target|\.deps))(\/|$)/,
  /\/tree-sitter-wasm\/wasm\/tree-sitter-(?!(?:bash|go|java|javascript|python|rust|tsx|typescript)\.)[^/]+\.wasm$/,
  // Of the watcher of folders, whose native parts are packages of their own.
  /\/watcher\/(src|scripts)(\/|$)/,
  /\/(binding\.gyp|\.npmignore|\.gitignore)$/,
  /\/better-sqlite3(-12)?\/build\/Release\/(sqlite3\.a|test_extension\.node)$/,
  // The trace viewer and reports of the browser library, its types, and what installs browsers.
  /\/playwright-core\/(bin|lib\/vite|types)(\/|$)/,
  /\/web-tree-sitter\/debug(\/|$)/,
  /\.(map|pdb|d\.[cm]?ts)$/,
  /\/node_modules(\/|$)/,
];

/** Places the modules outside the bundle in a `node_modules` folder; returns the version of each by its name. */
export function placeModules(top) {
  const placed = new Map();
  const entries = ['apps/cli', 'apps/server'].map((app) => createRequire(join(root, app, 'package.json')));
  for (const names of OUTSIDE) {
    for (const name of names) place(name, entries, { folder: top, top, placed });
    if (!names.some((name) => placed.has(name))) throw new Error(`${names.join(' or ')} is not installed`);
  }
  return placed;
}

/** Without what is not needed at run time. */
export function copy(from, to) {
  cpSync(from, to, {
    recursive: true,
    dereference: true,
    filter(path) {
      const inside = path.slice(from.length).replaceAll('\\', '/');
      return inside === '' || !LEFT_OUT.some((pattern) => pattern.test(`/${basename(from)}${inside}`));
    },
  });
}

/** A package and its dependencies: flat, or nested if another version is already there. */
function place(name, requires, { folder, top, placed }) {
  const from = packageFolder(name, requires);
  if (!from) return;
  const facts = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  if (!isForHere(facts)) return;
  const known = placed.get(name);
  if (known === facts.version) return;
  const at = join(folder, name);
  if (existsSync(at)) return;
  copy(from, at);
  // Nothing is built or downloaded at installation, so everything needed is in the package.
  const { scripts: _scripts, files: _files, ...kept } = facts;
  writeFileSync(join(at, 'package.json'), JSON.stringify(kept, null, 2));
  if (folder === top) placed.set(name, facts.version);
  const own = [createRequire(join(from, 'package.json'))];
  for (const needed of Object.keys({ ...facts.dependencies, ...facts.optionalDependencies })) {
    const there = packageFolder(needed, own);
    if (!there || AT_INSTALL.has(needed)) continue;
    const other = JSON.parse(readFileSync(join(there, 'package.json'), 'utf8')).version;
    const isTaken = placed.has(needed) && placed.get(needed) !== other;
    place(needed, own, { folder: isTaken ? join(at, 'node_modules') : top, top, placed });
  }
}

export function isForHere({ os, cpu }) {
  return (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
}

/** Undefined if it is not installed, because it is for another system. */
export function packageFolder(name, requires) {
  for (const folder of requires.flatMap((require) => require.resolve.paths(name) ?? [])) {
    const path = join(folder, name);
    if (existsSync(join(path, 'package.json'))) return realpathSync(path);
  }
  return undefined;
}
