import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';

const here = (name: string): string => join(import.meta.dirname, name);

// Some forty scenarios, each in a process of its own.
test('the MCP client passes the official conformance suite', async () => {
  await using turns = await tempDir();
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [
      here('suite.mjs'),
      'client',
      '--suite=all',
      // With low priority they take longer on a busy computer.
      '--timeout=120000',
      `--expected-failures=${here('expected-failures.yml')}`,
      `--command=${process.execPath} ${here('start-client.mjs')}`,
    ],
    { env: { ...process.env, FUCINA_TURNS: turns.path }, maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { stdout: string; stderr: string }) => error);
  const report = `${stdout}${stderr}`;
  expect(report).toContain('Baseline check passed');
  expect(report.match(/✓ \S+/g)?.length).toBeGreaterThan(40);
}, 240_000);
