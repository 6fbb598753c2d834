import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { contextOf } from '../../test/run-tool.ts';
import { createOutputStore } from './output-store.ts';
import { createProcessesTool } from './processes-tool.ts';
import type { CommandRunner } from './runner.ts';

test('a command that ends during a read reports the control files it wrote at the next read', async () => {
  await using data = await tempDir();
  const ambient = systemAmbient('silent');
  const outputs = createOutputStore(ambient, data.path);
  const output = outputs.begin('s', 'bg');
  const written = [{ path: '.envrc', content: 'a\n' }];
  const ended = { exitCode: 0, ending: 'exit' };
  const running = { id: 'bg', isBackground: true, outcome: ended, takeControlWrites: () => written.splice(0) };
  const runner = { list: () => [running] } as unknown as CommandRunner;
  const tool = createProcessesTool({ ambient, runner, outputs });
  const read = () => tool.run({ azione: 'leggi', id: 'bg' }, contextOf(data.path, { sessionId: 's' }));

  expect(await read()).toEqual({ content: '[stdout, still running]\n(no output)' });
  await output.end();
  expect(await read()).toEqual({
    content: '[stdout, ended, exit code 0]\n(no output)',
    controlWrites: [{ path: '.envrc', content: 'a\n' }],
  });
});

const FIRST_BYTES = 8 * 1024 * 1024;
const LAST_BYTES = 256 * 1024;

test.each([
  ['exactly full', FIRST_BYTES, undefined],
  ['one byte more', FIRST_BYTES + 1, 0],
  ['nothing missing yet', FIRST_BYTES + LAST_BYTES, 0],
  ['one byte missing', FIRST_BYTES + LAST_BYTES + 1, 1],
])('the end of an output is kept beside its first 8 MiB: %s', async (_case, size, missingBytes) => {
  await using data = await tempDir();
  const outputs = createOutputStore(systemAmbient('silent'), data.path);
  const output = outputs.begin('s', 'c');
  for (let left = size - 5; left > 0; left -= 60_000)
    await output.write(Buffer.alloc(Math.min(left, 60_000), 'x'), 'stdout');
  await output.write(Buffer.from('\nEND\n'), 'stdout');
  const running = await outputs.tail('s', 'c', 'stdout');
  await output.end();
  const ended = await outputs.tail('s', 'c', 'stdout');
  for (const tail of [running, ended]) {
    expect(tail?.missingBytes).toBe(missingBytes);
    expect(tail?.bytes.length).toBe(missingBytes === undefined ? undefined : Math.min(size - FIRST_BYTES, LAST_BYTES));
  }
  expect((await outputs.find('s', 'c', 'stdout'))?.availableBytes).toBe(FIRST_BYTES);
  expect(await outputs.tail('s', 'c', 'stderr')).toBeUndefined();
  // A store opened later finds the same.
  expect(await createOutputStore(systemAmbient('silent'), data.path).tail('s', 'c', 'stdout')).toEqual(ended);
});

test('a running command that said too much shows what it said last, and that something is missing', async () => {
  await using data = await tempDir();
  const ambient = systemAmbient('silent');
  const outputs = createOutputStore(ambient, data.path);
  const output = outputs.begin('s', 'bg');
  const runner = { list: () => [] } as unknown as CommandRunner;
  const tool = createProcessesTool({ ambient, runner, outputs });
  const read = async (more: { da?: number } = {}): Promise<string> =>
    (await tool.run({ azione: 'leggi', id: 'bg', ...more }, contextOf(data.path, { sessionId: 's' }))).content;
  const block = Buffer.from('a line of the log\n'.repeat(4000));
  for (let written = 0; written < 12_000_000; written += block.length) await output.write(block, 'stdout');
  await output.write(Buffer.from('LATE_ERROR\n'), 'stdout');
  const first = await read();
  const missing = /^\[stdout, still running; ([\d,]+ bytes) in its middle were not kept\]/.exec(first)?.[1];
  expect(missing).toBeDefined();
  expect(first).toMatch(/\tLATE_ERROR$/);
  await output.write(Buffer.from('LATER\n'), 'stdout');
  expect(await read()).toMatch(/\tLATE_ERROR\n *\d+\tLATER$/);
  expect(await read({ da: 9_999_999 })).toMatch(/The kept output has \d+ lines; da=9999999 is past its end\.$/);
  await output.end();
  expect(await read()).toMatch(/^\[stdout, over; [\d,]+ bytes in its middle were not kept\][\s\S]*\tLATER$/);
});
