import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import {
  type Aggregator,
  button,
  contentOf,
  expectClean,
  formOf,
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
const rowOf = async (id: string): Promise<any> =>
  (await server.call('GET', '/providers')).data.items.find((row: { id: string }) => row.id === id);

describe('the provider form', () => {
  walk('stores a key without showing it again, and tests it', async () => {
    await using v = await visit();
    await post('mistral/runtime', { endpoint: aggregator.endpoint });
    const form = await formOf(v.page, 'mistral');
    await form.getByLabel('Key', { exact: true }).fill(KEY);
    expect(await button(form, 'Test').isDisabled()).toBe(true);
    await v.page.keyboard.press('Enter');
    await form.getByText('Key 1', { exact: true }).waitFor();
    await button(form, 'Test').click();
    await form.getByText('Connected, 5000 models').waitFor();
    const head = button(v.page, /^Mistral/);
    for (const text of ['Key saved', 'Connected, 5000 models']) await head.getByText(text).waitFor();
    await expect(head.innerText()).resolves.toMatch(/Key saved[\s\S]*Custom address[\s\S]*Connected, 5000 models/);
    expect(await contentOf(v.page)).not.toContain(KEY);
    await expectClean(v);
  });

  walk('reorders keys by entering the key again', async () => {
    await using v = await visit();
    await post('groq/keys', { key: 'sk-first' });
    await post('groq/keys', { key: 'sk-second', priorita: 10 });
    const form = await formOf(v.page, 'groq');
    expect(await button(form, 'Move Key 1 up').isDisabled()).toBe(true);
    await button(form, 'Move Key 2 up').click();
    await form.getByLabel('Re-enter Key 2').fill('sk-another');
    await v.page.keyboard.press('Enter');
    await form.getByRole('alert').getByText('This is not Key 2').waitFor();
    await form.getByLabel('Re-enter Key 2').fill('sk-second');
    await v.page.keyboard.press('Enter');
    await form.getByLabel('Re-enter Key 2').waitFor({ state: 'detached' });
    const names = (await rowOf('groq')).pool.map(({ nome }: { nome: string }) => nome);
    expect(names).toEqual(['Chiave 2', 'Chiave 1']);
    await button(form, 'Remove Key 2').click();
    await form.getByText('Key 2', { exact: true }).waitFor({ state: 'detached' });
    expect(await contentOf(v.page)).not.toMatch(/sk-(first|second|another)/);
    await expectClean(v);
  });

  walk('confirms before an address change that needs the key again', async () => {
    await using v = await visit();
    await post('cerebras/keys', { key: 'sk-bound' });
    const form = await formOf(v.page, 'cerebras');
    await button(form, 'Address and limits').click();
    await form.getByLabel('Address', { exact: true }).fill('https://gateway.example/v1');
    await form.getByText('Keys are bound to their address').waitFor();
    await v.page.keyboard.press('Enter');
    await form.getByText('The address changed').waitFor();
    await button(form, 'Use Key 1 at this address').click();
    await form.getByLabel('Re-enter Key 1').fill('sk-bound');
    await v.page.keyboard.press('Enter');
    await form.getByText('Available').waitFor();
    expect(await rowOf('cerebras')).toMatchObject({ keyConfigured: true, endpoint: 'https://gateway.example/v1' });
    await expectClean(v);
  });

  walk('sets the address of a provider with a fixed one, and headers that are not shown again', async () => {
    await using v = await visit();
    const form = await formOf(v.page, 'anthropic');
    await button(form, 'Address and limits').click();
    await form.getByLabel('Address', { exact: true }).fill('https://gateway.example/anthropic/v1');
    await v.page.keyboard.press('Enter');
    await form.getByText('Saved', { exact: true }).waitFor();
    await button(form, 'Extra headers').click();
    await form.getByLabel('Header name').fill('X-Team');
    await form.getByLabel('Value', { exact: true }).fill(KEY);
    expect(await button(form, 'Test').isDisabled()).toBe(true);
    await v.page.keyboard.press('Enter');
    await form.getByText('Value saved').waitFor();
    expect(await contentOf(v.page)).not.toContain(KEY);
    const path = '/ext/providers/anthropic/connection';
    expect((await server.call('GET', path)).data.connessione).toMatchObject({
      endpoint: 'https://gateway.example/anthropic/v1',
      intestazioni: [{ nome: 'x-team', inviata: true }],
    });
    await expectClean(v);
    await button(form, 'Reset to default').click();
    await form.getByText('Entered for another address, not sent').waitFor();
    await form.getByLabel('Header name').fill('Host');
    await form.getByLabel('Value', { exact: true }).fill('x');
    await v.page.keyboard.press('Enter');
    await form.getByText('Header not allowed').waitFor();
    await button(form, 'Remove x-team').click();
    await button(form, 'Remove x-team').waitFor({ state: 'detached' });
    expect((await server.call('GET', path)).data.connessione).toMatchObject({
      endpointConfigured: false,
      intestazioni: [],
    });
    await expectClean(v);
  });

  walk('builds the address from resource, region and project', async () => {
    await using v = await visit();
    const given = {
      azure: [['Resource', 'my-resource']],
      bedrock: [['Region', 'eu-west-1']],
      vertex: [
        ['Project', 'my-project'],
        ['Region', 'europe-west1'],
      ],
    };
    for (const [id, fields] of Object.entries(given)) {
      const form = await formOf(v.page, id);
      for (const [label = '', text = ''] of fields) await form.getByLabel(label, { exact: true }).fill(text);
      await v.page.keyboard.press('Enter');
      await form.getByText('Saved', { exact: true }).waitFor();
      await expectClean(v);
    }
    const endpoints = await Promise.all(['azure', 'bedrock', 'vertex'].map(async (id) => (await rowOf(id)).endpoint));
    expect(endpoints.map((text) => new URL(text).host)).toEqual([
      'my-resource.openai.azure.com',
      'bedrock-mantle.eu-west-1.api.aws',
      'europe-west1-aiplatform.googleapis.com',
    ]);
    const form = await formOf(v.page, 'vertex');
    await button(form, 'Address and limits').click();
    expect(await form.getByLabel('Project', { exact: true }).inputValue()).toBe('my-project');
  });
});

describe('OpenRouter settings', () => {
  walk('exclude and include providers', async () => {
    await using v = await visit();
    const form = await formOf(v.page, 'aggregator');
    await button(form, /^Excluded providers/).click();
    await form.getByLabel('Provider slug').fill('Slow-Host');
    await v.page.keyboard.press('Enter');
    await form.getByText('slow-host', { exact: true }).waitFor();
    const builtIn = form.getByRole('switch', { name: 'nebius' });
    await builtIn.click();
    await form.locator('input[role=switch]:not(:checked)').waitFor();
    await expectClean(v);
    await button(form, 'Stop excluding slow-host').click();
    await form.getByText('You have not excluded any providers.').waitFor();
    const { esclusi, esclusiDiSerie } = await rowOf('aggregator');
    expect(esclusi).toEqual([]);
    expect(esclusiDiSerie).toContainEqual({ modello: 'moonshotai/kimi-k2-0905', slug: 'nebius', attivo: false });
  });

  walk('sign in by redirect and by code', async () => {
    await using v = await visit();
    await post('aggregator/runtime', { endpoint: aggregator.endpoint });
    const form = await formOf(v.page, 'aggregator');
    await button(form, 'Sign in with the browser').click();
    await form.getByText('Signed in', { exact: true }).waitFor();
    expect(await rowOf('aggregator')).toMatchObject({ origineChiave: 'accesso', pool: [{ origine: 'accesso' }] });
    const popup = v.page.context().waitForEvent('page');
    await button(form, 'Sign in with a code').click();
    const code = await (await popup).locator('p').innerText();
    await form.getByLabel('Code', { exact: true }).fill(code);
    await expectClean(v);
    await v.page.keyboard.press('Enter');
    await button(form, 'Sign in again').waitFor();
    expect((await rowOf('aggregator')).pool).toHaveLength(1);
    expect(await contentOf(v.page)).not.toContain('sk-or-');
  });
});

describe('the other settings', () => {
  walk('set the search source with a key that is not shown again', async () => {
    await using v = await visit();
    await v.page.goto(new URL('/settings/search', server.url).href);
    await v.page.getByRole('radio', { name: /Tavily/ }).click();
    await v.page.getByText('This search engine needs a key. DuckDuckGo stays in use until then.').waitFor();
    await expectClean(v);
    await v.page.getByLabel('Key', { exact: true }).fill(KEY);
    await v.page.keyboard.press('Enter');
    await button(v.page, 'Remove').waitFor();
    await v.page.getByText('stays in use').waitFor({ state: 'detached' });
    // The source is chosen once more, with its key.
    const { readiness } = await until(async () => {
      const { data } = await server.call('GET', '/search-source');
      return data.source === 'tavily' ? data : undefined;
    });
    expect(readiness).toBe('pronta');
    expect(await contentOf(v.page)).not.toContain(KEY);
    await expectClean(v);
    await v.page.getByRole('radio', { name: /^Custom/ }).click();
    await v.page.getByLabel('Address', { exact: true }).fill('https://search.example/?q={query}');
    await v.page.keyboard.press('Enter');
    await v.page.getByLabel('Key (optional)').waitFor();
    await v.page.getByRole('radio', { name: /^Off/ }).click();
    await v.page.getByLabel(/^Key/).waitFor({ state: 'detached' });
  });

  walk('set and remove an external agent', async () => {
    await using v = await visit();
    await v.page.goto(new URL('/settings/agent', server.url).href);
    await v.page.getByLabel('Program').fill('/usr/bin/true');
    await v.page.getByLabel('Arguments (one per line)').fill('--acp\nwith spaces');
    await button(v.page, 'Save').click();
    await v.page.getByText('Saved. Select').waitFor();
    await expectClean(v);
    const { agente } = (await server.call('GET', '/providers/esterno/runtime')).data;
    expect(agente).toMatchObject({ command: '/usr/bin/true', args: ['--acp', 'with spaces'] });
    await button(v.page, 'Remove').click();
    await button(v.page, 'Remove').waitFor({ state: 'detached' });
  });
});

describe('every settings page', () => {
  walk('fits a small dark window in Italian', async () => {
    await using v = await visit(SMALL);
    const pages = {
      'providers?provider=azure': 'Chiave',
      'providers?provider=aggregator': 'Accedi con un codice',
      search: 'Motore di ricerca',
      agent: 'Programma',
    };
    for (const [page, words] of Object.entries(pages)) {
      await v.page.goto(new URL(`/settings/${page}`, server.url).href);
      await v.page.getByText(words, { exact: true }).first().waitFor();
      await expectClean(v);
      const [wide, seen] = await v.page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.querySelector('main') ?? document.body;
        return [scrollWidth, clientWidth];
      });
      expect(wide).toBe(seen);
    }
  });
});
