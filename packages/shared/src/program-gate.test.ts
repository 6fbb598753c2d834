import { expect, test } from '@jest/globals';
import { systemAmbient } from './ambient.ts';
import { type ProcessOptions, runProcess } from './child-process.ts';
import { GATE_SCRIPT } from './program-gate.ts';

const ambient = systemAmbient('silent');
const gated = async (script: string, options: Partial<ProcessOptions>) => {
  const argv = ['/bin/sh', '-c', GATE_SCRIPT, 'sh', '/bin/sh', '-c', script] as const;
  const { ending, problem, exitCode, stdout, report } = await runProcess({
    ambient,
    argv,
    cwd: '/',
    environment: process.env,
    ...options,
  });
  return { ending, problem, exitCode, text: stdout.bytes.toString(), report: report?.toString() };
};
const OPEN = 'for n in 3 4 5 6 7 8 9; do [ -e /proc/self/fd/$n ] && echo $n; done; echo end';

test('runs an admitted program, which has no descriptors beyond the standard ones', async () => {
  const pids: number[] = [];
  const admit = (pid: number): boolean => pids.push(pid) > 0;
  const outcome = await gated(OPEN, { admit, files: ['/dev/null'] });
  expect(outcome).toEqual({ ending: 'exit', problem: undefined, exitCode: 0, text: 'end\n', report: undefined });
  expect(pids).toEqual([expect.any(Number)]);
});

test('takes the report of an admitted program without what its gate wrote', async () => {
  const outcome = await gated('echo reported >&3; echo end', { admit: () => true, takesReport: true });
  expect(outcome).toMatchObject({ ending: 'exit', text: 'end\n', report: 'reported\n' });
});

test.each([
  ['refuses it', () => false],
  [
    'fails',
    () => {
      throw new Error('gone');
    },
  ],
])('runs nothing of a program when the check %s', async (_how, admit) => {
  const outcome = await gated('echo ran', { admit });
  expect(outcome).toMatchObject({ ending: 'not-started', problem: 'ESTALE', text: '' });
});

test('runs nothing of a program that nobody admits', async () => {
  expect(await gated('echo ran', {})).toMatchObject({ ending: 'exit', exitCode: 125, text: '' });
});

test('runs nothing of a program whose input is no answer', async () => {
  expect(await gated('echo ran', { input: 'Content-Length: 3\n\n{}' })).toMatchObject({ exitCode: 125, text: '' });
});

test('reports the end of a program that ends before its gate as its own', async () => {
  const outcome = await gated('', { argv: ['/bin/sh', '-c', 'exit 3'], admit: () => true });
  expect(outcome).toMatchObject({ ending: 'exit', exitCode: 3, problem: undefined });
});
