// A Debian package of the program, the application and the Node that runs them, and the same as an archive for other
// distributions. `npm run pack:deb [folder]` writes fucina_<version>_<arch>.deb and fucina-<version>-<target>.tar.gz there;
// with `-- --no-deb` only the archive, which needs no dpkg.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { root } from './lib.mjs';
import { nodeLicense } from './node-license.mjs';
import { manPage, printed, stageProgram } from './stage-program.mjs';

const MAINTAINER = 'Fucina contributors <fucina@localhost.localdomain>';
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    // For packages that are only tried.
    compression: { type: 'string', default: 'xz' },
    archive: { type: 'boolean', default: false },
    deb: { type: 'boolean', default: true },
  },
});
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const architecture = ARCHITECTURES[process.arch];
if (process.platform !== 'linux' || !architecture) {
  console.error('Debian packages are made on Linux, x64 or arm64.');
  process.exit(78);
}
const target = resolve(positionals[0] ?? '.');
const staging = mkdtempSync(join(tmpdir(), 'fucina-deb-'));
chmodSync(staging, 0o755);
process.umask(0o022);
try {
  const program = join(staging, 'usr/lib/fucina');
  mkdirSync(program, { recursive: true });
  await stageProgram(program);
  placeNode(program);
  placeShared(program);
  stripNative(program);
  normalize(staging);
  if (values.archive) console.log(archive(program));
  if (values.deb) console.log(debianPackage());
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function debianPackage() {
  writeControl();
  const file = join(target, `fucina_${version}_${architecture}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${values.compression}`, '--build', staging, file]);
  return file;
}

function placeNode(program) {
  mkdirSync(join(program, 'bin'));
  copyFileSync(process.execPath, join(program, 'bin/node'));
  put('usr/lib/fucina/bin/fucina', launcher(), 0o755);
  mkdirSync(join(staging, 'usr/bin'));
  symlinkSync('../lib/fucina/bin/fucina', join(staging, 'usr/bin/fucina'));
  rmSync(join(program, 'LICENSE'));
}

function launcher() {
  return `#!/bin/sh
# Runs Fucina with the Node of this folder.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../apps/cli/dist/main.js" "$@"
`;
}

/** What the system looks for in its own folders. */
function placeShared(program) {
  const debian = join(root, 'scripts/debian');
  const date = /^## \S+ \((\d{4}-\d\d-\d\d)\)/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))?.[1];
  put('usr/share/applications/fucina.desktop', readFileSync(join(debian, 'fucina.desktop')));
  const metainfo = readFileSync(join(debian, 'fucina.metainfo.xml'), 'utf8');
  const day = date ?? new Date().toISOString().slice(0, 10);
  put('usr/share/metainfo/fucina.metainfo.xml', metainfo.replace('@VERSION@', version).replace('@DATE@', day));
  for (const size of [192, 512]) {
    const icon = readFileSync(join(root, `apps/window/public/icon-${size}.png`));
    put(`usr/share/icons/hicolor/${size}x${size}/apps/fucina.png`, icon);
  }
  put('usr/share/icons/hicolor/scalable/apps/fucina.svg', readFileSync(join(root, 'apps/window/src/icon.svg')));
  put('usr/share/man/man1/fucina.1.gz', gzipped(manPage(program)));
  put('usr/share/bash-completion/completions/fucina', printed(program, 'completion', 'bash'));
  put('usr/share/zsh/vendor-completions/_fucina', `#compdef fucina\n${printed(program, 'completion', 'zsh')}`);
  put('usr/share/fish/vendor_completions.d/fucina.fish', printed(program, 'completion', 'fish'));
  put('usr/share/doc/fucina/changelog.gz', gzipped(debianChangelog(day)));
  put('usr/share/doc/fucina/CHANGELOG.md.gz', gzipped(readFileSync(join(root, 'CHANGELOG.md'))));
  put('usr/share/doc/fucina/node-license.gz', gzipped(nodeLicense()));
  put('usr/share/doc/fucina/copyright', copyright());
  put('usr/share/lintian/overrides/fucina', readFileSync(join(debian, 'lintian-overrides')));
}

function debianChangelog(day) {
  const date = new Date(`${day}T00:00:00Z`).toUTCString().replace('GMT', '+0000');
  return `fucina (${version}) unstable; urgency=medium

  * See CHANGELOG.md.gz.

 -- ${MAINTAINER}  ${date}
`;
}

function copyright() {
  return `Fucina, licensed under the Apache License, Version 2.0.
Copyright 2026 Fucina contributors.
On Debian systems its text is in /usr/share/common-licenses/Apache-2.0.

The packages in /usr/lib/fucina/node_modules are under the licenses that they name in their package.json files, with the
texts beside them. libvips in node_modules/@img is under the GNU Lesser General Public License, version 3 or later; its text is in
/usr/share/common-licenses/LGPL-3.

/usr/lib/fucina/bin/node is Node.js ${process.version}; its license is in node-license.gz.
`;
}

function gzipped(text) {
  // Without a time, so that the same content gives the same file.
  return gzipSync(text, { level: 9 });
}

function put(path, content, mode = 0o644) {
  const file = join(staging, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}

function stripNative(program) {
  const native = files(program).filter((file) => isElf(file));
  for (const file of native) execFileSync('strip', ['--strip-unneeded', '--remove-section=.comment', file]);
}

function isElf(file) {
  return readFileSync(file).subarray(0, 4).toString('latin1') === '\x7fELF';
}

/** Ordinary permissions: packages of npm come with many. */
function normalize(folder) {
  for (const file of files(folder)) {
    // Scripts for Node are started with the Node of the package, never by name.
    const isProgram = isElf(file)
      ? !/\.(?:node|so(?:\.\d+)*)$/.test(file)
      : readFileSync(file).subarray(0, 9).toString() === '#!/bin/sh';
    chmodSync(file, isProgram ? 0o755 : 0o644);
  }
}

function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function archive(program) {
  const name = `fucina-${version}-${process.platform}-${process.arch}`;
  const folder = mkdtempSync(join(tmpdir(), 'fucina-tar-'));
  try {
    cpSync(program, join(folder, name), { recursive: true, verbatimSymlinks: true });
    for (const part of ['applications', 'icons', 'man', 'metainfo'])
      cpSync(join(staging, 'usr/share', part), join(folder, name, 'share', part), { recursive: true });
    const file = join(target, `${name}.tar.gz`);
    execFileSync('tar', ['--owner=0', '--group=0', '-czf', file, '-C', folder, name]);
    return file;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeControl() {
  const all = files(staging);
  const bytes = all.reduce((sum, file) => sum + statSync(file).size, 0);
  const sums = all.map((file) => {
    const sum = createHash('md5').update(readFileSync(file)).digest('hex');
    return `${sum}  ${relative(staging, file)}`;
  });
  put('DEBIAN/md5sums', `${sums.join('\n')}\n`);
  put(
    'DEBIAN/control',
    `Package: fucina
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1
Recommends: bubblewrap, chromium | chromium-browser | google-chrome-stable, git, xdg-utils
Section: devel
Priority: optional
Description: local agent workshop
 Give an AI agent a folder and a task, watch it read, edit, run and test, and
 approve what matters. It works with any model; data stays on the computer.
 .
 This package contains the desktop application, the server, the command line
 and the Node.js that runs them.
`,
  );
}
