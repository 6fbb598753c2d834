// Checks the interface with two common OpenAPI linters and their recommended rules.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { quietEnv, root } from './lib.mjs';

const file = join('apps', 'server', 'openapi.json');
const env = { ...quietEnv, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const linters = [
  ['redocly', ['lint', '--extends=recommended', '--format=summary', file]],
  ['spectral', ['lint', '--ruleset', 'scripts/spectral.yaml', '--fail-severity=hint', file]],
];
for (const [command, args] of linters) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  if (status === 0) continue;
  process.stderr.write([command, error?.message ?? '', stdout, stderr].join('\n'));
  process.exitCode = 1;
}
