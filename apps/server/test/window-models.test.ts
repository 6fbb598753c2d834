import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import {
  type Aggregator,
  button,
  contentOf,
  expectClean,
  KEY,
  openAggregator,
  SMALL,
} from './window-providers-fixture.ts';
import { launchBrowser, type Visit, visit as visitAt, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
let aggregator: Aggregator;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  aggregator = await openAggregator();
  server = await testServer({ windowFolder: WINDOW_FOLDER });
});
afterAll(async () => {
  await browser?.close();
  aggregator?.close();
  await server?.[Symbol.asyncDispose]();
});

const visit = (options?: Parameters<Browser['newContext']>[0]): Promise<Visit> =>
  visitAt({ browser: browser as Browser, server }, options);
const post = (path: string, body: unknown) => server.call('POST', `/providers/${path}`, { body });

describe('the model picker', () => {
  const picker = (page: Page): Locator => page.getByRole('dialog');
  const open = async (page: Page): Promise<Locator> => {
    await page.goto(server.url);
    await page.getByRole('textbox', { name: 'Task' }).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+M');
    await picker(page).getByRole('option').first().waitFor();
    return picker(page);
  };
  const prepare = async (): Promise<void> => {
    await post('aggregator/runtime', { endpoint: aggregator.endpoint });
    await post('aggregator/keys', { key: 'sk-or-models' });
  };

  walk('renders few of five thousand models, moves by keyboard and marks unknown values', async () => {
    await prepare();
    await using v = await visit();
    const dialog = await open(v.page);
    await v.page.keyboard.type('model-49');
    await dialog.getByText('Model 4998', { exact: true }).waitFor({ state: 'detached' });
    expect(await dialog.getByRole('option').count()).toBeLessThan(40);
    for (let step = 0; step < 5; step += 1) await v.page.keyboard.press('PageDown');
    const active = dialog.locator('[aria-selected=true]');
    await active.waitFor();
    const search = dialog.getByRole('combobox');
    expect(await search.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
    await search.fill('vendor/model-4001');
    await dialog.getByText('price unknown').first().waitFor();
    await search.fill('vendor/model-4004');
    await dialog.getByText('$3.00 in · $15.00 out').first().waitFor();
    await dialog
      .getByText(/tokens · stated by the provider$/)
      .first()
      .waitFor();
    await dialog.getByText('Reasoning by default').waitFor();
    await expectClean(v);
    await v.page.keyboard.press('Enter');
    await button(v.page, /vendor\/model-4004$/).waitFor();
  });

  walk('filters by capability and shows the age of the lists', async () => {
    await prepare();
    await using v = await visit();
    const dialog = await open(v.page);
    await button(dialog, 'Reasoning').click();
    await dialog.getByText('1,250 models').waitFor();
    await button(dialog, /Refresh the catalog/).click();
    await dialog.getByText(/Lists updated/).waitFor();
    await expectClean(v);
    await v.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  walk('returns the focus to its opener', async () => {
    await using v = await visit();
    await v.page.getByTitle('Choose a model').click();
    await picker(v.page).getByRole('combobox').waitFor();
    await v.page.keyboard.press('Escape');
    await picker(v.page).waitFor({ state: 'detached' });
    await v.page.locator('[title="Choose a model"]:focus').waitFor();
  });

  walk('explains why a model cannot be used and links to the setting', async () => {
    await using v = await visit({ colorScheme: 'dark', viewport: { width: 400, height: 844 } });
    const dialog = await open(v.page);
    await dialog.getByRole('combobox').fill('claude');
    await dialog.getByText('Anthropic · no key').first().waitFor();
    await expectClean(v);
    await dialog.getByRole('combobox').fill('deepseek:some-model');
    await dialog.getByText('DeepSeek needs a key').waitFor();
    await v.page.keyboard.press('Enter');
    await v.page.waitForURL(/provider=deepseek/);
    await v.page.locator('.provider-form').getByLabel('Key', { exact: true }).waitFor();
  });
});

describe('onboarding', () => {
  walk('resumes at its last step, lists ready providers and does not repeat a question', async () => {
    await using fresh = await testServer({ windowFolder: WINDOW_FOLDER });
    await fresh.call('POST', '/providers/ollama/runtime/reset');
    await using v = await visitAt({ browser: browser as Browser, server: fresh });
    const { page } = v;
    await page.getByRole('heading', { name: 'Welcome to Fucina' }).waitFor();
    await button(page, 'Next').click();
    await page.getByRole('heading', { name: 'Where should the agent work?' }).waitFor();
    await button(page, 'Next').click();
    await page.getByRole('radio', { name: /Cloud provider/ }).click();
    await page.getByLabel('Provider', { exact: true }).selectOption('groq');
    await page.getByLabel('Key', { exact: true }).fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByText('Ready to use: Groq').waitFor();
    await expectClean(v);
    await page.reload();
    await page.getByRole('heading', { name: 'Which model should the agent use?' }).waitFor();
    await button(page, 'Next').click();
    await page.getByRole('radio', { name: /Ask every time/ }).click();
    await button(page, 'Next').click();
    await page.getByText('Ask every time').waitFor();
    await expectClean(v);
    await fresh.call('POST', '/providers/groq/key/remove');
    await button(page, 'Start the first session').click();
    await page.getByRole('textbox', { name: 'Task' }).waitFor();
    await page.reload();
    await page.getByRole('textbox', { name: 'Task' }).waitFor();
    expect(await contentOf(page)).not.toContain(KEY);
  });

  walk('offers an external agent as the model and keeps the next button visible in a small dark window', async () => {
    await using fresh = await testServer({ windowFolder: WINDOW_FOLDER });
    await fresh.call('POST', '/providers/ollama/runtime/reset');
    await using v = await visitAt({ browser: browser as Browser, server: fresh }, SMALL);
    const { page } = v;
    await button(page, 'Avanti').click();
    await button(page, 'Avanti').click();
    await page.getByRole('radio', { name: /Agente esterno/ }).click();
    await page.getByLabel('Programma', { exact: true }).fill('/usr/bin/true');
    await button(page, 'Salva').click();
    await button(page, 'esterno:agente').waitFor();
    const box = await button(page, 'Avanti').boundingBox();
    expect(box && box.y + box.height).toBeLessThan(SMALL.viewport.height);
    await expectClean(v);
    await button(page, 'Avanti').click();
    await button(page, 'Avanti').click();
    await page.getByText('esterno:agente').waitFor();
    await expectClean(v);
  });

  walk('can be skipped at once', async () => {
    await using fresh = await testServer({ windowFolder: WINDOW_FOLDER });
    await fresh.call('POST', '/providers/ollama/runtime/reset');
    await using v = await visitAt({ browser: browser as Browser, server: fresh });
    await button(v.page, 'Skip for now').click();
    await v.page.getByRole('textbox', { name: 'Task' }).waitFor();
  });
});

describe('a turn ended by its provider', () => {
  const failed = async (page: Page, model: string): Promise<void> => {
    const id = await server.startSession({ modello: model });
    await server.settled(id);
    await page.goto(new URL(`/sessions/${id}`, server.url).href);
  };

  walk('links to the key form when the key is missing', async () => {
    await using v = await visit();
    await failed(v.page, 'xai:grok-4');
    await v.page.getByText('The provider of this model has no key').waitFor();
    await expectClean(v);
    await v.page.getByRole('link', { name: 'Provider settings' }).click();
    await v.page.waitForURL(/provider=xai/);
    await v.page.locator('.provider-form').getByLabel('Key', { exact: true }).waitFor();
  });

  walk('reports a rejected key in the form, and another model can be chosen', async () => {
    await using v = await visit();
    await post('together/runtime', { endpoint: aggregator.endpoint });
    await post('together/keys', { key: 'sk-refused' });
    await failed(v.page, 'together:some/model');
    await v.page.getByText('The provider rejected the key.').waitFor();
    await button(v.page, 'Choose another model').click();
    await v.page.getByRole('dialog').getByRole('combobox').waitFor();
    await v.page.keyboard.press('Escape');
    await v.page.getByRole('link', { name: 'Provider settings' }).click();
    const form = v.page.locator('.provider-form');
    await form.getByText('Rejected by the provider.').waitFor();
    await form.getByText('On cooldown until').waitFor();
    await expectClean(v);
  });
});
