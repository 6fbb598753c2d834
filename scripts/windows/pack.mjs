// A folder for Windows and its installer. Not run on Windows yet; the folder is assembled and tested on Linux.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib.mjs';

const here = join(root, 'scripts/windows');

/**
 * Makes the folder from a staged program, and the installer where Inno Setup (`iscc`) is on PATH. By environment:
 * FUCINA_SIGN_THUMBPRINT names the certificate in the user's store that signs it, FUCINA_SIGN_TIMESTAMP the time server.
 */
export function packWindows({ program, folder, version, name }) {
  const to = join(folder, name);
  cpSync(program, to, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(to, 'bin/fucina.cmd'), '@echo off\r\n"%~dp0node.exe" "%~dp0..\\apps\\cli\\dist\\main.js" %*\r\n');
  writeFileSync(join(to, 'fucina.ico'), ico(readFileSync(join(root, 'apps/window/public/icon-192.png')), 192));
  // As it is: the installer can be compiled from the folder later.
  cpSync(join(here, 'fucina.iss'), join(folder, 'fucina.iss'));
  const hasCompiler = process.platform === 'win32' && spawnSync('iscc', ['/?']).error === undefined;
  if (!hasCompiler) return [to];
  const defines = [`/DVersion=${version}`, `/DProgram=${to}`, `/DName=${name}`, `/O${folder}`];
  execFileSync('iscc', [...defines, join(here, 'fucina.iss')], { stdio: 'inherit' });
  const installer = join(folder, `${name}-setup.exe`);
  sign(installer);
  return [to, installer];
}

function sign(file) {
  const { FUCINA_SIGN_THUMBPRINT: thumbprint, FUCINA_SIGN_TIMESTAMP: server } = process.env;
  if (!thumbprint) return;
  const time = server ? ['/tr', server, '/td', 'SHA256'] : [];
  execFileSync('signtool', ['sign', '/sha1', thumbprint, '/fd', 'SHA256', ...time, file], { stdio: 'inherit' });
}

/** An icon file with one picture, as PNG. */
function ico(png, pixels) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(pixels, 6);
  head.writeUInt8(pixels, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
