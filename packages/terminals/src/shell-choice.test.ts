import { expect, test } from '@jest/globals';
import { chooseShell } from './shell-choice.ts';

const choose = (platform: NodeJS.Platform, environment: Record<string, string>, ...programs: string[]) =>
  chooseShell({ platform, environment, isProgram: async (path) => programs.includes(path) });

test('prefers the user’s shell, as a login shell if supported', async () => {
  const zsh = await choose('linux', { SHELL: '/usr/bin/zsh' }, '/usr/bin/zsh', '/bin/bash');
  expect(zsh).toEqual({ kind: 'posix-shell', argv: ['/usr/bin/zsh', '-l'] });
  const elvish = await choose('linux', { SHELL: '/usr/bin/elvish' }, '/usr/bin/elvish');
  expect(elvish?.argv).toEqual(['/usr/bin/elvish']);
});

test('falls back to bash, then sh, when it is missing or not absolute', async () => {
  expect((await choose('darwin', { SHELL: '/gone' }, '/bin/bash', '/bin/sh'))?.argv).toEqual(['/bin/bash', '-l']);
  expect((await choose('linux', { SHELL: 'bash' }, 'bash', '/bin/sh'))?.argv).toEqual(['/bin/sh', '-l']);
  expect(await choose('linux', {})).toBeUndefined();
});

test('uses Git Bash on Windows if installed and reports the fallback', async () => {
  const environment = { PROGRAMFILES: 'C:\\Program Files', COMSPEC: 'C:\\Windows\\System32\\cmd.exe' };
  const bash = 'C:\\Program Files\\Git\\bin\\bash.exe';
  expect(await choose('win32', environment, bash, environment.COMSPEC)).toEqual({
    kind: 'git-bash',
    argv: [bash, '--login', '-i'],
  });
  expect(await choose('win32', environment, environment.COMSPEC)).toEqual({
    kind: 'cmd-fallback',
    argv: [environment.COMSPEC],
  });
});
