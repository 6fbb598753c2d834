import { symlinkSync } from 'node:fs';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { certificateFiles } from './certificate-files.ts';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';

test('shows the files of certificates that the environment names, each once', async () => {
  await using dir = await tempDir();
  await dir.write({ 'home/company.pem': CERTIFICATE });
  const path = `${dir.path}/home/company.pem`;
  const link = `${dir.path}/link.pem`;
  symlinkSync(path, link);
  const environment = { NODE_EXTRA_CA_CERTS: path, SSL_CERT_FILE: link, PIP_CERT: path };
  expect(certificateFiles(environment)).toEqual([
    { kind: 'read-only', source: path, target: path },
    { kind: 'read-only', source: path, target: link },
  ]);
});

test('shows no private keys, other files and folders', async () => {
  await using dir = await tempDir();
  await dir.write({
    'both.pem': `${CERTIFICATE}-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n`,
    'token.txt': 'secret',
  });
  for (const path of [`${dir.path}/both.pem`, `${dir.path}/token.txt`, dir.path, `${dir.path}/missing.pem`, 'a.pem']) {
    expect([path, certificateFiles({ NODE_EXTRA_CA_CERTS: path })]).toEqual([path, []]);
  }
});
