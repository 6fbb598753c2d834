import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { detectTestCommand } from './test-command.ts';

const script = (test: unknown): string => JSON.stringify({ scripts: { test } });

test.each<[string | undefined, Record<string, string>]>([
  [undefined, {}],
  [undefined, { 'package.json': '{ broken' }],
  [undefined, { 'package.json': 'null' }],
  [undefined, { 'package.json': script('echo "Error: no test specified" && exit 1') }],
  [undefined, { 'package.json': script(7) }],
  ['npm test', { 'package.json': script('jest') }],
  ['pnpm test', { 'package.json': script('jest'), 'pnpm-lock.yaml': '' }],
  ['yarn test', { 'package.json': script('jest'), 'yarn.lock': '' }],
  ['make test', { Makefile: 'all:\n\ttrue\n\ntest: all\n\ttrue\n' }],
  ['make check', { makefile: 'check:\n\ttrue\n' }],
  [undefined, { Makefile: 'test := 1\nall:\n\ttest x\n' }],
  ['python3 -m pytest -q', { 'pytest.ini': '' }],
  ['python3 -m pytest -q', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }],
  ['python3 -m pytest -q', { 'pyproject.toml': '', 'tests/test_a.py': '' }],
  [undefined, { 'pyproject.toml': '' }],
  ['cargo test', { 'Cargo.toml': '' }],
  ['go test ./...', { 'go.mod': '' }],
  ['mvn -q test', { 'pom.xml': '' }],
  ['./gradlew test', { 'build.gradle.kts': '', gradlew: '' }],
])('%p is the test command of %j', async (command, files) => {
  await using dir = await tempDir();
  await dir.write(files);
  expect(await detectTestCommand(dir.path)).toBe(command);
});

test('a missing folder has none', async () => {
  await using dir = await tempDir();
  expect(await detectTestCommand(`${dir.path}/gone`)).toBeUndefined();
});
