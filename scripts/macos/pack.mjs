// Fucina.app and its disk image. Not run on a Mac yet; the tree is assembled and tested on Linux.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib.mjs';

const here = join(root, 'scripts/macos');

/**
 * Makes `Fucina.app` in the folder from a staged program, and on a Mac the disk image. By environment:
 * FUCINA_SIGN_IDENTITY signs it, FUCINA_NOTARY_PROFILE (a profile of `notarytool store-credentials`) has it notarized.
 */
export function packMac({ program, folder, version, name }) {
  const isMac = process.platform === 'darwin';
  const app = join(folder, 'Fucina.app');
  // An application of AppleScript receives links; its own parts are in Contents/MacOS and Contents/Resources.
  if (isMac) execFileSync('osacompile', ['-o', app, join(here, 'main.applescript')]);
  const contents = join(app, 'Contents');
  const resources = join(contents, 'Resources');
  for (const path of [join(contents, 'MacOS'), resources]) mkdirSync(path, { recursive: true });
  cpSync(program, join(resources, 'program'), { recursive: true, verbatimSymlinks: true });
  put(join(resources, 'program/bin/fucina'), launcher());
  put(join(contents, 'MacOS/fucina'), '#!/bin/sh\nexec "$(dirname "$0")/../Resources/program/bin/fucina" app "$@"\n');
  const executable = isMac ? 'applet' : 'fucina';
  const info = readFileSync(join(here, 'Info.plist'), 'utf8');
  writeFileSync(
    join(contents, 'Info.plist'),
    info.replaceAll('@VERSION@', version).replaceAll('@EXECUTABLE@', executable),
  );
  writeFileSync(join(resources, 'fucina.icns'), icns(readFileSync(join(root, 'apps/window/public/icon-512.png'))));
  if (!isMac) return [app];
  sign(app);
  return [app, diskImage({ app, folder, name })];
}

function launcher() {
  return `#!/bin/sh
# Runs Fucina with the Node of this folder.
file=$0
while [ -L "$file" ]; do
  link=$(readlink "$file")
  case $link in /*) file=$link ;; *) file=$(dirname "$file")/$link ;; esac
done
here=$(cd "$(dirname "$file")" && pwd)
exec "$here/node" "$here/../apps/cli/dist/main.js" "$@"
`;
}

function put(file, text) {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

/** An icon file with one picture of 512 × 512. */
function icns(png) {
  const size = (bytes) => {
    const field = Buffer.alloc(4);
    field.writeUInt32BE(bytes);
    return field;
  };
  const icon = Buffer.concat([Buffer.from('ic09'), size(png.length + 8), png]);
  return Buffer.concat([Buffer.from('icns'), size(icon.length + 8), icon]);
}

/** Without an identity with an ad hoc signature: programs for Apple silicon need one. Inner programs first. */
function sign(app) {
  const identity = process.env.FUCINA_SIGN_IDENTITY || '-';
  const real = identity === '-' ? [] : ['--options', 'runtime', '--timestamp'];
  const entitlements = ['--entitlements', join(here, 'entitlements.plist')];
  for (const file of [...machFiles(app), app]) {
    execFileSync('codesign', ['--force', ...real, ...entitlements, '--sign', identity, file], { stdio: 'inherit' });
  }
}

function machFiles(app) {
  const program = join(app, 'Contents/Resources/program');
  return readdirSync(program, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => ['cffaedfe', 'cafebabe'].includes(readFileSync(file).subarray(0, 4).toString('hex')));
}

function diskImage({ app, folder, name }) {
  const content = join(folder, 'image');
  mkdirSync(content);
  cpSync(app, join(content, 'Fucina.app'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('/Applications', join(content, 'Applications'));
  copyFileSync(join(root, 'LICENSE'), join(content, 'LICENSE'));
  const image = join(folder, `${name}.dmg`);
  const create = ['create', '-volname', 'Fucina', '-srcfolder', content, '-ov', '-format', 'UDZO', image];
  execFileSync('hdiutil', create, { stdio: 'inherit' });
  const profile = process.env.FUCINA_NOTARY_PROFILE;
  if (profile) {
    const submit = ['notarytool', 'submit', image, '--keychain-profile', profile, '--wait'];
    execFileSync('xcrun', submit, { stdio: 'inherit' });
    execFileSync('xcrun', ['stapler', 'staple', image], { stdio: 'inherit' });
  }
  return image;
}
