import { expect, test } from '@jest/globals';
import { requestFixture } from '../../../test/request-fixture.ts';

test('the card of a patch shows it line by line', async () => {
  const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n*** End Patch';
  const parts = ['a.txt', 'b.txt'].map((path) => ({ kind: 'file_edit', path }));
  const action = { kind: 'apply_patch', patch, parts };
  const lines = (await requestFixture({ kind: 'approval', requestId: 'r', action, folder: '/work', before: undefined }))
    .screen()
    .split('\n');
  expect(lines.slice(0, 7).map((line) => line.replaceAll(/^[│╭]\s?|\s*[│╮]$/g, ''))).toEqual([
    expect.stringContaining('Edit these files?'),
    ...patch.split('\n'),
  ]);
  expect(lines.join()).not.toContain('file_edit');
});
