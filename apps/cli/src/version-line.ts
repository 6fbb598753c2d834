import { VERSION } from '@fucina/shared/version';
import type { Output } from './io.ts';

export function asksVersion(argv: readonly string[]): boolean {
  return argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V');
}

export function writeVersion(stdout: Output): void {
  stdout.write(`${VERSION}\n`);
}
