import { join } from 'node:path';
import { root } from '../lib.mjs';

/** Node's arguments that start jest: tests are ES modules. */
export const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
];
