import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { OPEN_TO_ALL, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { sandboxedFolder } from './sandboxed-folder.ts';

test('shows a toolchain that a link of another one leads to, and the certificates of the environment', async () => {
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
  const variables = { JAVA_HOME: java, NODE_EXTRA_CA_CERTS: certificates };
  await using place = sandboxedFolder(dir.path, { variables });
  const found = await place.print('cat "$JAVA_HOME/release" "$NODE_EXTRA_CA_CERTS" "$HOME/notes.txt"');
  expect(await place.sandbox.state()).toMatchObject({ kind: 'bubblewrap' });
  expect(found).toBe('Java 21-----BEGIN CERTIFICATE-----');
});
