import { fakeAmbient } from '@fucina/shared/testing';
import { expect, test } from '@jest/globals';
import type { ContainedJob } from './sandbox.ts';
import { createWaitingShells, type ShellProgram } from './waiting-shells.ts';

const contained: ContainedJob = {
  argv: ['true'],
  ownAt: 0,
  mounts: [],
  cwd: '/',
  extraEnvironment: {},
  isContainer: false,
  enforcement: 'none',
  files: [],
  begin: () => ({ lookSoon: () => undefined }),
  settle: async () => [],
  notices: () => [],
};
const program: ShellProgram = { contained, extraEnvironment: {} };

function prepared() {
  const ambient = fakeAmbient();
  const waiting = createWaitingShells({ ambient, environment: {} });
  let made = 0;
  waiting.prepare('session', async () => {
    made += 1;
    return program;
  });
  return { ambient, waiting, made: () => made };
}

test('a shell is started only when the work of a short command is done', async () => {
  const { ambient, waiting, made } = prepared();
  await ambient.advance(24);
  expect(made()).toBe(0);
  await ambient.advance(1);
  expect(made()).toBe(1);
  await waiting.end();
});

test('a command does not wait for a shell that is only planned, and it is never started', async () => {
  const { ambient, waiting, made } = prepared();
  await ambient.advance(24);
  expect(await waiting.start('session', program, {})).toBeUndefined();
  await ambient.advance(30_000);
  expect(made()).toBe(0);
});
