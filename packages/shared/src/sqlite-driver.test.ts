import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const SCRIPT = join(import.meta.dirname, '../test/collected-statements.ts');

test('garbage collecting a statement does not crash the process', () => {
  const { status, signal, stdout } = spawnSync(process.execPath, ['--import', 'tsx', SCRIPT], { encoding: 'utf8' });
  expect({ status, signal, stdout }).toEqual({ status: 0, signal: null, stdout: 'alive\n' });
});
