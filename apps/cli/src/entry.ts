#!/usr/bin/env node
import { asksVersion, writeVersion } from './version-line.ts';

// The shortest command loads none of the program.
if (asksVersion(process.argv.slice(2))) {
  // The reader of the output may have gone.
  process.stdout.on('error', () => undefined);
  writeVersion(process.stdout);
} else {
  void import('@fucina/shared/program-loader').then(({ loadProgram }) => loadProgram(import.meta.dirname));
}
