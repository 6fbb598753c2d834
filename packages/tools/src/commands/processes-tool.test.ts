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
