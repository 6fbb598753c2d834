import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const at = (name: string): string => JSON.stringify(String(new URL(`../dist/${name}.js`, import.meta.url)));
const PROGRAM = `
import { closeInherited, inheritedDescriptors } from ${at('inherited-descriptors')};
import { systemAmbient } from ${at('ambient')};
import { runProcess } from ${at('child-process')};
const ambient = systemAmbient('silent');
const script = 'for f in /proc/self/fd/*; do [ -d "$f/etc" ] && echo root; done; [ -e /proc/self/fd/200 ] && echo open; echo end';
const run = async () =>
  (await runProcess({ ambient, environment: process.env, argv: ['/bin/sh', '-c', script], cwd: '/' })).stdout.bytes.toString();
const before = [inheritedDescriptors(), await run()];
closeInherited();
console.log(JSON.stringify([...before, inheritedDescriptors(), await run()]));
`;

test('passes no folder that a shell left open on to the programs that it starts', () => {
  const node = [process.execPath, '--input-type=module', '-e', PROGRAM];
  const argv = ['-c', 'exec 200</ 300</; exec "$@"', 'sh', ...node];
  const { stdout, stderr } = spawnSync('/bin/bash', argv, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([expect.arrayContaining([200, 300]), 'open\nend\n', [], 'end\n']);
});
