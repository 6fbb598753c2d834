// Packs the command line, the server and the window, with native parts for the current system only. `npm run pack:cli
// [folder]` writes fucina-<version>.tgz there; `npx ./fucina-<version>.tgz` runs it without anything else of ours.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './lib.mjs';
import { manPage, stageProgram } from './stage-program.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const target = resolve(process.argv[2] ?? '.');
const staging = mkdtempSync(join(tmpdir(), 'fucina-pack-'));
try {
  const bundled = await stageProgram(staging);
  writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest(bundled), null, 2));
  // `fucina upgrade` shows it.
  copyFileSync(join(root, 'CHANGELOG.md'), join(staging, 'CHANGELOG.md'));
  mkdirSync(join(staging, 'bin'));
  writeFileSync(join(staging, 'fucina.1'), manPage(staging));
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

/** The file that `fucina upgrade --from <folder>` reads: the latest package of its channel. */
function announce(file) {
  const sha256 = createHash('sha256')
    .update(readFileSync(join(target, file)))
    .digest('hex');
  const channel = version.includes('-') ? 'preview' : 'stable';
  writeFileSync(join(target, `${channel}.json`), `${JSON.stringify({ version, file, sha256 }, null, 2)}\n`);
}

function manifest(bundled) {
  return {
    name: 'fucina',
    version,
    license: 'Apache-2.0',
    description: 'A local agent workshop in the terminal, with its server and its window.',
    type: 'module',
    bin: { fucina: './bin/fucina.cjs' },
    man: './fucina.1',
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
