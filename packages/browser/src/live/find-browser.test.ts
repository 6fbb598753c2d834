import { expect, test } from '@jest/globals';
import { findBrowser } from './find-browser.ts';

const among =
  (...programs: string[]) =>
  async (path: string): Promise<boolean> =>
    programs.includes(path);

test('prefers Chrome to Edge and Edge to Chromium on every system', async () => {
  const linux = { platform: 'linux', environment: { PATH: '/usr/bin:/opt/bin:relative' } } as const;
  const all = ['/opt/bin/google-chrome', '/usr/bin/microsoft-edge', '/usr/bin/chromium'];
  expect(await findBrowser({ ...linux, isProgram: among(...all) })).toEqual({ path: all[0], channel: 'chrome' });
  expect(await findBrowser({ ...linux, isProgram: among(...all.slice(1)) })).toMatchObject({ channel: 'edge' });
  expect(await findBrowser({ ...linux, isProgram: among(...all.slice(2)) })).toMatchObject({ channel: 'chromium' });
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  expect(await findBrowser({ platform: 'darwin', environment: {}, isProgram: among(mac) })).toMatchObject({
    path: mac,
  });
  const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
  const windows = { 'PROGRAMFILES(X86)': 'C:\\Program Files (x86)' };
  expect(await findBrowser({ platform: 'win32', environment: windows, isProgram: among(edge) })).toEqual({
    path: edge,
    channel: 'edge',
  });
});

test('uses the configured browser and never replaces it', async () => {
  const find = (FUCINA_BROWSER: string, ...programs: string[]) =>
    findBrowser({
      platform: 'linux',
      environment: { PATH: '/usr/bin', FUCINA_BROWSER },
      isProgram: among('/usr/bin/google-chrome', ...programs),
    });
  expect(await find('/home/me/edge-dev', '/home/me/edge-dev')).toEqual({ path: '/home/me/edge-dev', channel: 'edge' });
  await expect(find('off')).rejects.toMatchObject({ code: 'BROWSER_VIVO_NON_CONFIGURATO', reason: 'turned-off' });
  for (const path of ['/home/me/gone', 'google-chrome']) {
    await expect(find(path)).rejects.toMatchObject({ code: 'BROWSER_VIVO_NON_CONFIGURATO', reason: 'not-a-program' });
  }
  expect(await find(' ')).toMatchObject({ channel: 'chrome' });
});

test('reports that no browser is installed', async () => {
  await expect(
    findBrowser({ platform: 'linux', environment: { PATH: '/usr/bin' }, isProgram: among() }),
  ).rejects.toMatchObject({ code: 'BROWSER_VIVO_ASSENTE' });
});
