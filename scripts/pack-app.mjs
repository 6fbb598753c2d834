// The application for macOS (Fucina.app, disk image) or Windows (folder, installer), each on its own system.
// `npm run pack:app [folder]`. `-- --try darwin` or `win32` assembles the tree of another system with the native parts of
// this one, to look at it; `--program <folder>` takes a program that was staged before.
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib.mjs';
import { packMac } from './macos/pack.mjs';
import { nodeLicense } from './node-license.mjs';
import { stageProgram } from './stage-program.mjs';
import { packWindows } from './windows/pack.mjs';

const PACKERS = { darwin: packMac, win32: packWindows };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { try: { type: 'string', default: process.platform }, program: { type: 'string' } },
});
const system = values.try;
const pack = PACKERS[system];
if (!pack) {
  console.error('This packs for macOS and Windows. On Linux: npm run pack:deb, or -- --try darwin|win32.');
  process.exit(78);
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = resolve(positionals[0] ?? '.');
const program = mkdtempSync(join(tmpdir(), 'fucina-app-'));
try {
  if (values.program) cpSync(resolve(values.program), program, { recursive: true, verbatimSymlinks: true });
  else await stageProgram(program);
  const node = join(program, 'bin', system === 'win32' ? 'node.exe' : 'node');
  mkdirSync(join(program, 'bin'), { recursive: true });
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  writeFileSync(join(program, 'bin/node-license.txt'), nodeLicense());
  mkdirSync(folder, { recursive: true });
  for (const made of pack({ program, folder, version, name: `fucina-${version}-${system}-${process.arch}` }))
    console.log(made);
} finally {
  rmSync(program, { recursive: true, force: true });
}
