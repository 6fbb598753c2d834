// Packs the command line, the server and the window, with native parts for the current system only. `npm run pack:cli
// [folder]` writes fucina-<version>.tgz there; `npx ./fucina-<version>.tgz` runs it without anything else of ours.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { bundleApp } from './bundle-app.mjs';
import { engineList } from './engine-list.mjs';
import { root } from './lib.mjs';
import { recordCode } from './record-code.mjs';

/** Where our files are here, and in the package: the server looks for them beside the bundle that it is in. */
const OWN = {
  'apps/server/templates': 'apps/cli/templates',
  'apps/server/openapi.json': 'apps/cli/openapi.json',
  'apps/window/dist': 'apps/window/dist',
  'docs/help': 'docs/help',
  LICENSE: 'LICENSE',
  'apps/cli/README.md': 'README.md',
};
/** Packages outside the bundle; each with its dependencies. Of alternatives, those that are for this Node. */
const OUTSIDE = [
  ['@napi-rs/keyring'],
  ['@vscode/ripgrep'],
  ['@vscode/tree-sitter-wasm'],
  ['better-sqlite3', 'better-sqlite3-12'],
  ['node-pty'],
  ['playwright-core'],
  ['web-tree-sitter'],
];
/** Dependencies that only build or download the native parts. */
const AT_INSTALL = new Set(['node-addon-api', 'prebuild-install']);
/** Sources, builds for other systems and build leftovers, which are not needed at run time. */
const LEFT_OUT = [
  /\/better-sqlite3\/(deps|src|build\/Release\/(obj|obj\.target|\.deps))(\/|$)/,
  new RegExp(`/better-sqlite3/prebuilds/(?!${process.platform}(musl)?-${process.arch}\\.)[^/]+$`),
  /\/node-pty\/(prebuilds|deps|src|third_party|build\/Release\/(obj|obj\.target|\.deps))(\/|$)/,
  /\/tree-sitter-wasm\/wasm\/tree-sitter-(?!(?:bash|go|java|javascript|python|rust|tsx|typescript)\.)[^/]+\.wasm$/,
  /\/(binding\.gyp|\.npmignore|\.gitignore)$/,
  /\/better-sqlite3(-12)?\/build\/Release\/(sqlite3\.a|test_extension\.node)$/,
  // The trace viewer and reports of the browser library, and its types.
  /\/playwright-core\/(lib\/vite|types)(\/|$)/,
  /\/web-tree-sitter\/debug(\/|$)/,
  /\.(map|d\.[cm]?ts)$/,
  /\/node_modules(\/|$)/,
];

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const target = resolve(process.argv[2] ?? '.');
const staging = mkdtempSync(join(tmpdir(), 'fucina-pack-'));
try {
  const [cli, server] = ['apps/cli', 'apps/server'].map((app) => join(root, app));
  for (const [from, to] of Object.entries(OWN)) copy(join(root, from), join(staging, to));
  const placed = new Map();
  const entries = [cli, server].map((app) => createRequire(join(app, 'package.json')));
  for (const names of OUTSIDE) {
    for (const name of names) place(name, entries, { folder: join(staging, 'node_modules'), placed });
    if (!names.some((name) => placed.has(name))) throw new Error(`${names.join(' or ')} is not installed`);
  }
  // One bundle of both: the code that they share is in it once.
  const outdir = join(staging, 'apps/cli/dist');
  await bundleApp({ folder: cli, outdir, entryPoints: { program: 'src/main.ts' }, external: [] });
  await recordCode(outdir, ['serve', 'cli']);
  for (const file of readdirSync(outdir)) if (file.endsWith('.map')) rmSync(join(outdir, file));
  writeFileSync(join(staging, 'apps/cli/engine-library.json'), JSON.stringify(engineList()));
  writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest([...placed.keys()]), null, 2));
  mkdirSync(join(staging, 'bin'));
  writeFileSync(join(staging, 'bin/fucina.cjs'), launcher());
  const packed = spawnSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--offline', '--no-update-notifier', '--pack-destination', target],
    {
      cwd: staging,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (packed.status !== 0) throw new Error(`npm pack ended with ${packed.status}`);
  const file = packed.stdout.trim().split('\n').at(-1);
  announce(file);
  console.log(join(target, file));
} finally {
  rmSync(staging, { recursive: true, force: true });
}

/** The file that `fucina update --from <folder>` reads: the latest package of its channel. */
function announce(file) {
  const sha256 = createHash('sha256')
    .update(readFileSync(join(target, file)))
    .digest('hex');
  const channel = version.includes('-') ? 'preview' : 'stable';
  writeFileSync(join(target, `${channel}.json`), `${JSON.stringify({ version, file, sha256 }, null, 2)}\n`);
}

function copy(from, to) {
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
function place(name, requires, { folder, placed }) {
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
  if (folder === join(staging, 'node_modules')) placed.set(name, facts.version);
  const own = [createRequire(join(from, 'package.json'))];
  for (const needed of Object.keys({ ...facts.dependencies, ...facts.optionalDependencies })) {
    const there = packageFolder(needed, own);
    if (!there || AT_INSTALL.has(needed)) continue;
    const other = JSON.parse(readFileSync(join(there, 'package.json'), 'utf8')).version;
    const isTaken = placed.has(needed) && placed.get(needed) !== other;
    place(needed, own, { folder: isTaken ? join(at, 'node_modules') : join(staging, 'node_modules'), placed });
  }
}

function isForHere({ os, cpu }) {
  return (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
}

/** Undefined if it is not installed, because it is for another system. */
function packageFolder(name, requires) {
  for (const folder of requires.flatMap((require) => require.resolve.paths(name) ?? [])) {
    const path = join(folder, name);
    if (existsSync(join(path, 'package.json'))) return realpathSync(path);
  }
  return undefined;
}

function manifest(bundled) {
  return {
    name: 'fucina',
    version,
    license: 'Apache-2.0',
    description: 'A local agent workshop in the terminal, with its server and its window.',
    type: 'module',
    bin: { fucina: './bin/fucina.cjs' },
    engines: { node: `^${process.versions.node.split('.')[0]}.${process.versions.node.split('.')[1]}` },
    os: [process.platform],
    cpu: [process.arch],
    dependencies: Object.fromEntries(bundled.map((name) => [name, '*'])),
    bundleDependencies: bundled,
  };
}

/**
 * The builds are for one system and one Node version: elsewhere a message says so before one of them fails to load.
 */
function launcher() {
  const made = { platform: process.platform, arch: process.arch, modules: process.versions.modules };
  const where = `${process.platform}-${process.arch}, Node ${process.versions.node.split('.')[0]}`;
  return `#!/usr/bin/env node
const made = ${JSON.stringify(made)};
const { platform, arch, versions } = process;
if (platform !== made.platform || arch !== made.arch || versions.modules !== made.modules) {
  process.stderr.write(
    \`fucina: this package was made for ${where}; here are \${platform}-\${arch}, Node \${versions.node}.\\n\` +
      '        Use that Node, or pack it here: clone the project and run npm run pack:cli.\\n',
  );
  process.exit(78);
}
require('../apps/cli/dist/main.js');
`;
}
