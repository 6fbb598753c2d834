import { realpathSync } from 'node:fs';
import { findInstallation } from './commands/upgrade/installation.ts';

/** Program and arguments that start this command line again, from any folder. */
export function ownCommand(args: readonly string[]): [string, ...string[]] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...args];
}

/** What `npx`, `pnpm dlx` and `yarn dlx` run is deleted with their cache. */
const PACKAGE_CACHE = /[/\\](_npx|dlx(-[^/\\]*)?)[/\\]/;
const TEMPORARY = /^(\/private)?\/(tmp|var\/tmp|var\/folders|dev\/shm)\/|[/\\]AppData[/\\]Local[/\\]Temp[/\\]/i;

/** Where this program is, if it will be deleted there: a later start would find nothing. */
export function temporaryPlace(): string | undefined {
  const program = process.argv[1] ?? '';
  return [program, realpathSync(program)].find((path) => isTemporary(path, findInstallation(path).kind === 'checkout'));
}

/** A checkout in a folder for temporary files is there on purpose. */
export function isTemporary(path: string, isCheckout: boolean): boolean {
  return PACKAGE_CACHE.test(path) || (!isCheckout && TEMPORARY.test(path));
}
