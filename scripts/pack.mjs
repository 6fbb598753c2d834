// Packs the command line, the server and the window, with native parts for the current system only. `npm run pack:cli
// [folder]` writes fucina-<version>.tgz there; `npx ./fucina-<version>.tgz` runs it without anything else of ours.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { root } from './lib.mjs';

const OWN = ['apps/cli/dist', 'apps/server/dist', 'apps/server/templates', 'apps/window/dist', 'docs/help', 'LICENSE'];
/** Packages outside the bundles; each with its dependencies. */
const OUTSIDE = [
  '@napi-rs/keyring',
  '@vscode/ripgrep',
  '@vscode/tree-sitter-wasm',
  'better-sqlite3',
  'better-sqlite3-12',
  'node-llama-cpp',
  'node-pty',
  'playwright-core',
  'web-tree-sitter',
];
/** Sources, builds for other systems and build leftovers, which are not needed at run time. */
const LEFT_OUT = [
  /\/better-sqlite3\/(deps|src|build\/Release\/(obj|obj\.target|\.deps))(\/|$)/,
  new RegExp(`/better-sqlite3/prebuilds/(?!${process.platform}(musl)?-${process.arch}\\.)[^/]+$`),
  /\/node-pty\/(prebuilds|deps|src|third_party|build\/Release\/(obj|obj\.target|\.deps))(\/|$)/,
  /\/tree-sitter-wasm\/wasm\/tree-sitter-(?!(?:bash|go|java|javascript|python|rust|tsx|typescript)\.)[^/]+\.wasm$/,
  /\/(binding\.gyp|\.npmignore|\.gitignore)$/,
  /\.map$/,
  /\/node_modules(\/|$)/,
];

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const target = resolve(process.argv[2] ?? '.');
const staging = mkdtempSync(join(tmpdir(), 'fucina-pack-'));
try {
  for (const path of OWN) copy(join(root, path), join(staging, path));
  const placed = new Map();
  const entry = createRequire(join(root, 'apps/cli/package.json'));
  for (const name of OUTSIDE) place(name, entry, join(staging, 'node_modules'), placed);
  placeServer();
  writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest([...placed.keys(), '@fucina/server']), null, 2));
  mkdirSync(join(staging, 'bin'));
  writeFileSync(join(staging, 'bin/fucina.cjs'), launcher());
  cpSync(join(root, 'apps/cli/README.md'), join(staging, 'README.md'));
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
function place(name, require, folder, placed) {
  const from = packageFolder(name, require);
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
  const own = createRequire(join(from, 'package.json'));
  for (const needed of Object.keys({ ...facts.dependencies, ...facts.optionalDependencies })) {
    const there = packageFolder(needed, own);
    if (!there) continue;
    const other = JSON.parse(readFileSync(join(there, 'package.json'), 'utf8')).version;
    const isTaken = placed.has(needed) && placed.get(needed) !== other;
    place(needed, own, isTaken ? join(at, 'node_modules') : join(staging, 'node_modules'), placed);
  }
}

function isForHere({ os, cpu }) {
  return (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
}

/** Undefined if it is not installed, because it is for another system. */
function packageFolder(name, require) {
  for (const folder of require.resolve.paths(name) ?? []) {
    const path = join(folder, name);
    if (existsSync(join(path, 'package.json'))) return realpathSync(path);
  }
  return undefined;
}

/** `fucina serve` imports the server by its name. */
function placeServer() {
  const at = join(staging, 'node_modules/@fucina/server');
  mkdirSync(at, { recursive: true });
  const facts = { name: '@fucina/server', version, type: 'module', exports: './index.js' };
  writeFileSync(join(at, 'package.json'), JSON.stringify(facts, null, 2));
  writeFileSync(join(at, 'index.js'), "export * from '../../../apps/server/dist/server.js';\n");
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
