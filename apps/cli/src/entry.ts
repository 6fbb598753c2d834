#!/usr/bin/env node
import { asksVersion, writeVersion } from './version-line.ts';

// The shortest of all commands loads nothing of the program.
if (asksVersion(process.argv.slice(2))) {
  // Nobody may be left to read it.
  process.stdout.on('error', () => undefined);
  writeVersion(process.stdout);
} else {
  void import('@fucina/shared/program-loader').then(({ loadProgram }) => loadProgram(import.meta.dirname));
}
