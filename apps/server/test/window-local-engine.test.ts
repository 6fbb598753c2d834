import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestServer } from './harness.ts';
import { importModel, serverWithProgram } from './local-fixture.ts';
import { faults, launchBrowser, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await serverWithProgram(undefined, { windowFolder: WINDOW_FOLDER, settings: { model: 'ollama:tiny' } });
  await importModel(server, 'one', { contextLength: 16_384 });
  await importModel(server, 'dies', { contextLength: 131_072 });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

const SHOTS = process.env.FUCINA_SHOTS;

walk('loads a model with a chosen context, tests it and unloads it, and explains a failure', async () => {
  await using place = await visit({ browser: browser as Browser, server });
  const { page, complaints } = place;
  await page.goto(new URL('/local-models', server.url).href);
  const card = page.getByRole('region', { name: 'Engine' });
  const state = card.getByRole('status');
  await state.getByText('No model loaded').waitFor();
  await card.getByRole('meter', { name: 'Memory used' }).waitFor();
  await page.getByText(/Short tasks only: context of 16,384 tokens/).waitFor();
  await page.getByText(/^Fits: /).waitFor();
  expect(await page.getByText('unknown').count()).toBe(0);
  expect(await faults(page)).toEqual([]);

  await page.getByLabel('Context size of one').selectOption('8,192 tokens');
  await page.getByRole('button', { name: 'Load one' }).click();
  await state.getByText('one is loaded with a context of 8,192 tokens').waitFor();
  expect(await page.getByRole('button', { name: 'Load dies' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Test speed of one' }).click();
  await page.getByText(/First token after .*, then [\d,]+ tokens per second/).waitFor();
  expect(await faults(page)).toEqual([]);
  if (SHOTS) {
    await mkdir(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, 'engine.png'), fullPage: true });
  }
  await page.getByRole('button', { name: 'Unload one' }).click();
  await state.getByText('No model loaded').waitFor();

  await page.getByRole('button', { name: 'Load dies' }).click();
  const failure = page.getByRole('dialog', { name: 'Action failed' });
  await failure.waitFor();
  await page.keyboard.press('Escape');
  await state.getByText('The engine crashed. Load a model to restart it.').waitFor();
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

walk('lists local models under their own heading and current name in a new session', async () => {
  await using place = await visit({ browser: browser as Browser, server });
  const { page, complaints } = place;
  const picker = page.getByRole('dialog', { name: 'Choose a model' });
  const open = async (name: RegExp) => {
    await page.getByRole('textbox', { name: 'Task' }).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+M');
    await picker.getByRole('option', { name }).waitFor();
  };
  await page.goto(server.url);
  await open(/dies/);
  await picker.getByText('Local models', { exact: true }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Local models' }).click();
  await page.getByRole('button', { name: 'Actions for dies' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Rename' }).fill('Long of breath');
  await page.keyboard.press('Enter');
  await page.getByText('Long of breath', { exact: true }).waitFor();
  await page.keyboard.press('Alt+n');
  await open(/Long of breath/);
  await picker.getByRole('combobox').fill('local:absent');
  await picker.getByText('Local models · no model yet').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/local-models$/);
  expect(complaints).toEqual([]);
});
