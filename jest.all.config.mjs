import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import base from './jest.config.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const folders = ['packages', 'apps']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
  .filter((folder) => existsSync(join(folder, 'package.json')));

/** Every package in one run, each as a project with its own root. `testTimeout` is for the whole run. */
const { testTimeout, ...project } = base;
export default {
  testTimeout,
  // A worker keeps something of every suite, and collecting gigabytes of it makes the others slow.
  workerIdleMemoryLimit: '1200MB',
  projects: folders.map((rootDir) => ({ ...project, rootDir, displayName: rootDir.slice(root.length + 1) })),
};
