import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { findingsIn } from './findings.ts';

test('reads lines of an answer that name a file of the folder, with their severity', async () => {
  await using dir = await tempDir();
  await dir.write({ 'src/a.ts': '', 'b.py': '' });
  symlinkSync('/etc/hostname', join(dir.path, 'out.txt'));
  const text = `I found some problems:
- \`src/a.ts:12:3\`: error: \`x\` is unused
* **b.py:7** — the loop never ends
1. ./src/a.ts:9: note: could be shorter
src/a.ts:4:
gone.ts:1: not here
/etc/hostname:1: not in the folder
out.txt:1: a link that leads out
see http://example.org:80: nothing`;
  expect(findingsIn(text, dir.path)).toEqual([
    { path: 'src/a.ts', line: 12, column: 3, severity: 'error', message: '`x` is unused' },
    { path: 'b.py', line: 7, column: undefined, severity: 'warning', message: 'the loop never ends' },
    { path: 'src/a.ts', line: 9, column: undefined, severity: 'note', message: 'could be shorter' },
  ]);
});

test('reads at most 50', async () => {
  await using dir = await tempDir();
  await dir.write({ a: '' });
  expect(findingsIn('a:1: x\n'.repeat(80), dir.path)).toHaveLength(50);
});
