import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { DEMO_STEPS } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import {
  answerByKey,
  fitsWindow,
  launchBrowser,
  type Visit,
  visit as visitAt,
  WINDOW_FOLDER,
  walk,
} from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  const script = DEMO_STEPS.map(({ text, reasoning, toolCalls, usage }) => ({ text, reasoning, toolCalls, usage }));
  server = await testServer({ script, windowFolder: WINDOW_FOLDER });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const visit = (options?: Parameters<Browser['newContext']>[0]): Promise<Visit> =>
  visitAt({ browser: browser as Browser, server }, options);

/** Kilobytes of script, gzipped, that the page loads before it shows anything; includes one language catalog. */
function firstLoad(): number {
  const assets = join(WINDOW_FOLDER, 'assets');
  const page = readFileSync(join(WINDOW_FOLDER, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/"\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
  const words = readdirSync(assets).filter((name) => /^it-.*\.js$/.test(name));
  const sizes = [...scripts, ...words].map((name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}

describe('the first load', () => {
  test('is at most 200 kB of script', () => {
    expect(firstLoad()).toBeLessThanOrEqual(200);
  });
});

describe('a first session', () => {
  walk('starts, is approved with one key, and its tests pass', async () => {
    await using v = await visit();
    const { page } = v;
    await page.getByRole('button', { name: 'Choose a folder' }).first().click();
    const dialog = page.getByRole('dialog');
    const path = dialog.getByRole('textbox', { name: 'Folder path' });
    await path.fill(server.project.path);
    await page.keyboard.press('Enter');
    const hidden = dialog.getByRole('button', { name: 'Show one hidden folder' });
    expect(await dialog.getByRole('button', { name: '.git' }).count()).toBe(0);
    await hidden.click();
    await dialog.getByRole('button', { name: '.git' }).waitFor();
    await dialog.getByRole('button', { name: `Use “${basename(server.project.path)}”` }).click();
    await page.getByRole('textbox', { name: 'Task' }).fill('A test fails. Fix it and run the tests.');
    await page.getByRole('button', { name: /model/i }).first().click();
    await page
      .getByRole('dialog')
      .getByRole('combobox')
      .or(page.getByRole('dialog').getByRole('textbox'))
      .first()
      .fill('ollama:tiny');
    await page.getByRole('dialog').getByRole('option', { name: /tiny/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: /Ask every time/ }).check();
    await page.getByRole('button', { name: /Start/ }).click();
    for (const question of ['Run the test command?', 'Edit this file?', 'Run the test command?']) {
      await answerByKey(page, question, '1');
    }
    await page.getByText('Done: all three tests pass.', { exact: true }).waitFor();
    expect(await page.getByText('exit 1').count()).toBeGreaterThan(0);
    await page
      .locator('.status')
      .getByText(/sandboxed/i)
      .waitFor();
    await page
      .getByRole('tab', { name: /Changes/ })
      .or(page.getByRole('link', { name: /Changes/ }))
      .first()
      .click();
    await page.getByText('src/pages.js').first().waitFor();
    expect(v.complaints).toEqual([]);
  });
});

describe('the window', () => {
  walk('works on another device through a forwarded port, without any other address', async () => {
    const port = Number(new URL(server.url).port);
    // As `ssh -L` does it: the connection begins on the other device and ends on this computer's loopback.
    let forwarded = 0;
    const forward = createServer((socket) => {
      forwarded += 1;
      // A browser that is closed cuts its connections.
      pipeline(socket, connect(port, '127.0.0.1'), socket, () => undefined);
    });
    await new Promise<void>((resolve) => forward.listen(port, '127.0.0.2', resolve));
    const device = (await launchBrowser(['--host-resolver-rules=MAP 127.0.0.1 127.0.0.2'])) as Browser;
    try {
      await using v = await visitAt({ browser: device, server }, { viewport: { width: 390, height: 844 } });
      const { page } = v;
      await page.getByRole('textbox', { name: 'Task' }).waitFor();
      await fitsWindow(page);
      expect(forwarded).toBeGreaterThan(0);
    } finally {
      await device.close();
      forward.close();
    }
  });

  walk('uses the language of the browser', async () => {
    await using italian = await visit({ locale: 'it-IT' });
    await italian.page.getByText('Nuova sessione').first().waitFor();
    expect(await italian.page.evaluate(() => document.documentElement.lang)).toBe('it');
  });
});
