import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { runProcess, systemAmbient } from '@fucina/shared';
import { OPEN_TO_ALL, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createSessionNetworks } from '../src/network/session-network.ts';
import { createSandbox } from '../src/sandbox.ts';

const ambient = systemAmbient('silent');
const programs = async () => ({ bubblewrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' });

test('shows a toolchain that a link of another one leads to, and the certificates of the environment', async () => {
  // Not in a temporary folder: sandboxes replace those by the session's own.
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await dir.write({
    'home/.sdkman/candidates/java/21/release': 'Java 21',
    'home/company.pem': '-----BEGIN CERTIFICATE-----',
    'home/notes.txt': 'private',
    'project/readme.md': 'x',
  });
  const home = join(dir.path, 'home');
  const java = join(home, '.sdkman/candidates/java/current');
  await symlink(join(home, '.sdkman/candidates/java/21'), java);
  const certificates = join(home, 'company.pem');
  const environment = { ...process.env, HOME: home, JAVA_HOME: java, NODE_EXTRA_CA_CERTS: certificates };
  await using networks = createSessionNetworks({ ambient, environment, programs });
  const sandbox = createSandbox({ ambient, environment, dataDir: join(dir.path, 'data'), networks });
  const folder = join(dir.path, 'project');
  const { settle, ...contained } = await sandbox.contain({
    argv: ['/bin/sh', '-c', 'cat "$JAVA_HOME/release" "$NODE_EXTRA_CA_CERTS" "$HOME/notes.txt"'],
    sessionId: 'one',
    folder,
    cwd: folder,
    writes: 'folder',
  });
  expect(await sandbox.state()).toMatchObject({ kind: 'bubblewrap' });
  const { stdout } = await runProcess({ ...contained, ambient, environment });
  await settle();
  expect(stdout.bytes.toString()).toBe('Java 21-----BEGIN CERTIFICATE-----');
});
