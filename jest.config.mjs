import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { memoryFolder } from './scripts/jest/memory-folder.mjs';

const helper = (name) => fileURLToPath(new URL(`scripts/jest/${name}`, import.meta.url));

// In memory where there is room: a commit waits for no disk, as most of what the tests wait for does.
process.env.TMPDIR ??= memoryFolder();

/** What holds for a whole run, of one package or of all. */
export const run = {
  // For what hangs: a hang fails its test and no other. A test that needs more says so, with its reason.
  testTimeout: process.env.FUCINA_TEST_LONG ? 3_600_000 : 60_000,
  // The long suites wait for other programs half of their time: three of them keep two cores busy.
  maxWorkers: Math.max(2, Math.ceil(availableParallelism() * (process.env.FUCINA_TEST_SET === 'short' ? 1 : 1.5))),
  // A worker keeps something of every suite, and a large process takes long to start others.
  workerIdleMemoryLimit: '400MB',
  testSequencer: helper('sequencer.mjs'),
  // Not in the temporary folder, which is new for each run.
  cacheDirectory: fileURLToPath(new URL('node_modules/.cache/jest', import.meta.url)),
};

/** What holds for one package, with `rootDir` set to its folder. */
export const project = {
  testEnvironment: helper('environment.mjs'),
  testEnvironmentOptions: { customExportConditions: ['@fucina/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  globalSetup: helper('modules-beside.mjs'),
  moduleNameMapper: { '^\\./module-beside\\.ts$': helper('module-beside.mjs') },
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/dist/',
    ...(process.env.FUCINA_TEST_LONG ? [] : ['\\.long\\.test\\.ts$']),
  ],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript', tsx: true, explicitResourceManagement: true } },
        module: { type: 'nodenext' },
        sourceMaps: 'inline',
      },
    ],
  },
};

/** One configuration for every package: each runs with `--rootDir` set to its own folder. */
export default { ...run, ...project };
