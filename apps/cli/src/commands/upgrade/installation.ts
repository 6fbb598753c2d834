import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How this Fucina came to this computer. */
export type Installation =
  /** `npm install --global`: its folder is replaced by an upgrade. */
  { kind: 'npm'; folder: string } | { kind: 'npx' | 'debian' | 'checkout' | 'other' };

const DEBIAN = '/usr/lib/fucina/';

/** `program`: a file of the running program, links resolved. */
export function findInstallation(program = fileURLToPath(import.meta.url)): Installation {
  if (program.startsWith(DEBIAN)) return { kind: 'debian' };
  if (program.includes(`${sep}_npx${sep}`)) return { kind: 'npx' };
  for (let folder = dirname(program); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return { kind: 'checkout' };
    if (isGlobal(folder)) return { kind: 'npm', folder };
  }
  return { kind: 'other' };
}

/** Where npm puts global packages, with its link to the program. */
function isGlobal(folder: string): boolean {
  const modules = dirname(folder);
  if (basename(folder) !== 'fucina' || basename(modules) !== 'node_modules') return false;
  if (process.platform === 'win32') return existsSync(join(dirname(modules), 'fucina.cmd'));
  return basename(dirname(modules)) === 'lib' && existsSync(join(modules, '../../bin/fucina'));
}

/** Where `npm install --global --prefix <prefix>` puts the package. */
export function globalFolder(prefix: string): string {
  return join(prefix, process.platform === 'win32' ? '' : 'lib', 'node_modules', 'fucina');
}

/** Program and arguments that start the package in this folder. */
export function programIn(folder: string, args: readonly string[]): [string, ...string[]] {
  return [process.execPath, join(folder, 'bin/fucina.cjs'), ...args];
}
