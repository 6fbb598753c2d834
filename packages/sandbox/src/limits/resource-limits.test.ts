import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess, systemAmbient } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { createResourceLimits } from './resource-limits.ts';

const ambient = systemAmbient('silent');
const LIMITS = { processes: 64, memory: 128 * 2 ** 20 };

/** Whether this system lets the server limit memory; few do without root. */
function limitsMemory(prefix: readonly string[]): boolean {
  const files = ['memory.max', 'memory.limit_in_bytes'];
  return prefix.some((folder) => folder.startsWith('/sys/') && files.some((file) => existsSync(join(folder, file))));
}

async function run(script: string, prefix: readonly string[]): Promise<{ code: number | null; out: string }> {
  const [first, ...rest] = [...prefix, process.execPath, '-e', script];
  const outcome = await runProcess({ ambient, argv: [first, ...rest], cwd: '/', environment: process.env });
  return { code: outcome.exitCode, out: outcome.stdout.bytes.toString() };
}

test('ends a command that uses too much memory and says why', async () => {
  await using limits = createResourceLimits(ambient, process.env, LIMITS);
  const prefix = await limits.outside('one');
  const isLimited = limitsMemory(prefix);
  const fill =
    'const kept = []; for (let i = 0; i < 40; i += 1) kept.push(Buffer.alloc(2 ** 24, 1)); console.log("kept")';
  const { code, out } = await run(fill, prefix);
  expect([code === 0, out]).toEqual(isLimited ? [false, ''] : [true, 'kept\n']);
  expect(limits.refusals('one')).toHaveLength(isLimited ? 1 : 0);
  expect(limits.refusals('one')).toEqual([]);
  expect((await run('console.log("next")', prefix)).out).toBe('next\n');
});

test('short of memory, the kernel ends commands before the server', async () => {
  await using limits = createResourceLimits(ambient, process.env, LIMITS);
  const read = 'process.stdout.write(require("node:fs").readFileSync("/proc/self/oom_score_adj", "utf8").trim())';
  const prefix = await limits.outside('one');
  expect((await run(read, prefix)).out).toBe(prefix.length > 0 ? '500' : (await run(read, [])).out);
});
