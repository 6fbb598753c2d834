import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, shot, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) => {
      if (lastRole !== 'user') return { text: 'Done.' };
      const command = (comando: string) => ({ name: 'shell', arguments: { comando, descrizione: 'A command' } });
      return lastText.startsWith('RUN') ? { toolCalls: [command(`echo ${lastText}`)] } : { text: 'Hello.' };
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

interface Shown {
  title: string;
  body: string;
}

/** A page that records its notifications, and that can be hidden. */
async function watching(path: string, settings: { isOn?: boolean; quietHours?: object } = {}): Promise<Visit> {
  const place = await visit(
    { browser: browser as Browser, server, path: '/settings/about' },
    { permissions: ['notifications'] },
  );
  const { page } = place;
  await page.addInitScript(
    (stored) => {
      if (!localStorage.getItem('fucina.notifications')) localStorage.setItem('fucina.notifications', stored);
      const shown: object[] = [];
      Object.assign(globalThis, {
        shown,
        Notification: class {
          static readonly permission = 'granted';
          static requestPermission(): Promise<string> {
            return Promise.resolve('granted');
          }
          onclick: (() => void) | null = null;
          constructor(title: string, options: object) {
            shown.push(Object.assign(this, { title, ...options }));
          }
          close(): void {
            shown.splice(shown.indexOf(this), 1);
          }
        },
      });
    },
    JSON.stringify({ isOn: true, ...settings }),
  );
  // What happens before the first list is read is no news.
  const listed = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/sessions'));
  const reading =
    settings.isOn === false ? undefined : page.waitForEvent('worker', (worker) => worker.url().includes('ticks'));
  await page.goto(new URL(path, server.url).href);
  await (await listed).finished();
  await reading;
  return place;
}

const leave = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.hasFocus = () => false;
    dispatchEvent(new Event('blur'));
  });

const shownIn = (page: Page): Promise<Shown[]> =>
  page.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown.map(({ title, body }) => ({ title, body })));

async function untilShown(page: Page, count: number): Promise<Shown[]> {
  await page.waitForFunction((least) => (globalThis as unknown as { shown: Shown[] }).shown.length >= least, count);
  return shownIn(page);
}

walk('a session that waits or finishes shows a notification while the window is out of sight', async () => {
  await using place = await watching('/');
  const { page, complaints } = place;
  await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
  await leave(page);
  const id = await server.startSession({ consegna: 'RUN one', permessi: 'On request' });
  expect(await untilShown(page, 1)).toEqual([{ title: expect.any(String), body: 'Waiting for your approval' }]);
  expect(await page.title()).toMatch(/^\(1\) /);
  expect(await page.locator('link[rel="icon"]').getAttribute('href')).toContain('icon-waiting');
  const { requestId } = await server.pending(id);
  await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: true } });
  const [, second] = await untilShown(page, 2);
  expect(second?.body).toBe('Finished');
  await page.evaluate(() => (globalThis as unknown as { shown: { onclick(): void }[] }).shown.at(-1)?.onclick());
  await page.waitForURL(`**/sessions/${id}`);
  expect(complaints).toEqual([]);
});

async function waitsUnnoticed(page: Page): Promise<void> {
  const id = await server.startSession({ consegna: 'RUN two', permessi: 'On request' });
  await page.waitForFunction(() => document.title.startsWith('(1) '));
  expect(await shownIn(page)).toEqual([]);
  await server.call('POST', `/sessions/${id}/stop`, { body: {} });
  await server.settled(id);
}

walk('quiet hours and a window in sight show no notification', async () => {
  await using place = await watching('/', { quietHours: { from: '00:00', to: '23:59' } });
  const { page } = place;
  await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
  await leave(page);
  await waitsUnnoticed(page);
  await using inSight = await watching('/');
  await inSight.page.getByRole('navigation', { name: 'Sessions' }).waitFor();
  await waitsUnnoticed(inSight.page);
});

walk('a muted session shows no notification until it is unmuted', async () => {
  const id = await server.startSession({ consegna: 'Say hello', permessi: 'On request' });
  await server.settled(id);
  await using place = await watching(`/sessions/${id}`);
  const { page } = place;
  const choose = async (entry: string) => {
    await page
      .getByRole('navigation', { name: 'Sessions' })
      .getByRole('link', { name: /Say hello/ })
      .hover();
    await page.getByRole('button', { name: /More actions for .*Say hello/ }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  const wait = async (text: string) => {
    await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: text } });
    await page.waitForFunction(() => document.title.startsWith('(1) '));
    const { requestId } = await server.pending(id);
    await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: false } });
    await server.settled(id);
    await page.waitForFunction(() => !document.title.startsWith('('));
  };
  await choose('Mute notifications');
  await leave(page);
  await wait('RUN five');
  expect(await shownIn(page)).toEqual([]);
  await choose('Unmute notifications');
  await wait('RUN six');
  expect((await untilShown(page, 1))[0]?.body).toBe('Waiting for your approval');
});

walk.each([
  ['light', 1440],
  ['dark', 390],
] as const)('the inbox has no accessibility fault, %s, %i px', async (colorScheme, width) => {
  const id = await server.startSession({ consegna: 'RUN seven', permessi: 'On request' });
  const options = { colorScheme, locale: 'it-IT', viewport: { width, height: 900 } };
  await using place = await visit({ browser: browser as Browser, server, path: '/inbox' }, options);
  const { page, complaints } = place;
  await page.getByRole('button', { name: 'Nega' }).waitFor();
  await shot(page, `inbox-${width}`);
  expect(await faults(page)).toEqual([]);
  await page.goto(new URL('/settings/notifications', server.url).href);
  await page.getByRole('checkbox', { name: /Mostra notifiche/ }).waitFor();
  await shot(page, `notifications-${width}`);
  expect(await faults(page)).toEqual([]);
  await server.call('POST', `/sessions/${id}/stop`, { body: {} });
  await server.settled(id);
  expect(complaints).toEqual([]);
});

walk('the inbox answers the requests of two sessions by buttons and by keys', async () => {
  const ids = [
    await server.startSession({ consegna: 'RUN three', permessi: 'On request' }),
    await server.startSession({ consegna: 'RUN four', permessi: 'On request' }),
  ];
  await using place = await visit({ browser: browser as Browser, server, path: '/inbox' });
  const { page, complaints } = place;
  const cards = page.getByRole('region', { name: 'Run this command?' });
  await cards.nth(1).waitFor();
  await page.getByRole('link', { name: 'Inbox 2 sessions are waiting for you' }).waitFor();
  await shot(page, 'inbox');
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('1');
  const allow = cards.nth(1).getByRole('button', { name: 'Allow once' });
  await allow.focus();
  // A key pressed as soon as the card appears is ignored.
  while ((await cards.count()) === 2) await page.keyboard.press('1');
  expect((await server.events(ids[0] ?? '')).some(({ type }) => type === 'ApprovalResolved')).toBe(false);
  await cards.first().getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Nothing is waiting for you').waitFor();
  await shot(page, 'inbox-empty');
  for (const id of ids) await server.settled(id);
  expect(complaints).toEqual([]);
});

walk('notification settings are changed, tested and kept', async () => {
  await using place = await watching('/settings/notifications', { isOn: false });
  const { page } = place;
  await page.getByRole('checkbox', { name: /Show notifications/ }).check();
  await page.getByRole('checkbox', { name: 'finishes' }).uncheck();
  await page.getByRole('checkbox', { name: /Quiet hours/ }).check();
  await page.getByLabel('From').fill('23:15');
  await page.getByRole('button', { name: 'Send a test notification' }).click();
  expect(await untilShown(page, 1)).toEqual([{ title: 'Fucina', body: 'Notifications work.' }]);
  await shot(page, 'notifications');
  expect(await faults(page)).toEqual([]);
  await page.reload();
  expect(await page.getByRole('checkbox', { name: 'finishes' }).isChecked()).toBe(false);
  expect(await page.getByLabel('From').inputValue()).toBe('23:15');
});
