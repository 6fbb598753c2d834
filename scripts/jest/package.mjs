// The suites of the package in whose folder it runs: the script `test` of every package. Its arguments are jest's.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../lib.mjs';
import { JEST } from './program.mjs';

const args = ['--config', join(root, 'jest.config.mjs'), '--rootDir', '.', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, [...JEST, ...args], { stdio: 'inherit' });
process.exitCode = status ?? 1;
