import { expect, test } from '@jest/globals';
import { readAccess } from './access.ts';
import type { HostTool } from './tool.ts';

const saying = (stdout: string, exitCode = 0): HostTool => ({
  version: async () => ({ version: '2.101.0', origin: 'system', isTooOld: false }),
  require: async () => undefined,
  run: async () => ({ exitCode, stdout, stderr: '' }),
  start: () => Promise.reject(new Error('nothing is started')),
});

test('reads the active account from the output of older and newer gh versions', async () => {
  const one = (name: string, isActive: boolean): string => `
  ✓ Logged in to github.com account ${name} (keyring)
  - Active account: ${isActive}
  - Git operations protocol: ssh
  - Token: gho_************************************
  - Token scopes: 'gist', 'read:org', 'repo'
`;
  expect(await readAccess(saying(`github.com${one('other', false)}${one('me', true)}`))).toEqual({
    isSignedIn: true,
    account: 'me',
    scopes: ['gist', 'read:org', 'repo'],
    protocol: 'ssh',
    source: 'keyring',
  });
});

test('reports a token file as its source, and missing scopes as none', async () => {
  const words = '✓ Logged in to github.com as me (/home/me/.config/gh/hosts.yml)\n✓ Token scopes: none\n';
  expect(await readAccess(saying(words))).toMatchObject({ account: 'me', source: 'file', scopes: [], protocol: null });
  expect(await readAccess(saying(words.replace('/home/me/.config/gh/hosts.yml', 'GH_TOKEN')))).toMatchObject({
    source: 'GH_TOKEN',
  });
});

test('reports signed out, and a failed check separately', async () => {
  expect(await readAccess(saying('You are not logged into any GitHub hosts.', 1))).toMatchObject({ isSignedIn: false });
  await expect(readAccess(saying('X Timeout trying to log in to github.com', 1))).rejects.toMatchObject({
    code: 'HOST_COMMAND_FAILED',
    reason: 'unreachable',
  });
});
