import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { serverWithoutLibrary, type WithoutLibrary } from './library-fixture.ts';
import { faults, launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let place: WithoutLibrary;
let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
  if (browser) place = await serverWithoutLibrary({ windowFolder: WINDOW_FOLDER, settings: { model: 'ollama:tiny' } });
});
afterAll(async () => {
  await browser?.close();
  await place?.[Symbol.asyncDispose]();
});

const cardOf = (page: Page) => page.getByRole('region', { name: /^(Engine|Motore)$/ });

walk('installs the engine: offers it, shows progress, cancels, explains a failure and tries again', async () => {
  await using v = await visit({ browser: browser as Browser, server: place.server, path: '/local-models' });
  const { page } = v;
  const { served, contents } = place.registry;
  const card = cardOf(page);
  await card.getByText('The engine is not installed.').waitFor();
  await card.getByText(/node-llama-cpp 1\.2\.3.*once: 2/).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'engine-library-absent-1440');

  served.isSilent = true;
  await card.getByRole('button', { name: 'Install engine' }).click();
  await card.getByRole('progressbar', { name: 'Installing the engine' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'engine-library-installing-1440');
  await card.getByRole('button', { name: 'Cancel' }).click();
  await card.getByRole('button', { name: 'Install engine' }).waitFor();

  Object.assign(served, { isSilent: false, contents: Buffer.concat([contents, Buffer.from('x')]) });
  await card.getByRole('button', { name: 'Install engine' }).click();
  await card.getByText(/differs from the one that this version was built with/).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'engine-library-failed-1440');

  served.contents = contents;
  await card.getByRole('button', { name: 'Try again' }).click();
  await card.getByRole('status').getByText('No model loaded').waitFor();
  expect(await card.getByRole('button', { name: /engine|again/ }).count()).toBe(0);
  expect(v.complaints).toEqual([]);
});

walk('offers the engine in Italian on a narrow screen', async () => {
  await using absent = await serverWithoutLibrary({
    windowFolder: WINDOW_FOLDER,
    settings: { model: 'ollama:tiny' },
  });
  const { page } = await visit(
    { browser: browser as Browser, server: absent.server, path: '/local-models' },
    { locale: 'it-IT', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  );
  await cardOf(page).getByRole('button', { name: 'Installa il motore' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'engine-library-absent-it-390');
});
