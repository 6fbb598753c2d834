import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, type Visit, visit as visitAt, WINDOW_FOLDER, walk } from './window-visit.ts';

const KEY = 'sk-planted-0123456789abcdef';
const MODELS = Array.from({ length: 5_000 }, (_, at) => ({
  id: `vendor/model-${at}`,
  name: `Model ${at}`,
  ...(at % 2 === 0 ? { context_length: 128_000, pricing: { prompt: '0.000003', completion: '0.000015' } } : {}),
  ...(at % 4 === 0 ? { supported_parameters: ['tools', 'reasoning'] } : {}),
}));

let server: TestServer;
let browser: Browser | undefined;
let upstream: Server;
let endpoint: string;
/** Code → challenge, as an authorization server remembers them. */
const codes = new Map<string, string>();

/** An aggregator with five thousand models, which refuses every conversation. */
function aggregator(): Server {
  return createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://upstream');
    if (pathname === '/auth') {
      const code = randomUUID();
      codes.set(code, searchParams.get('code_challenge') ?? '');
      const back = searchParams.get('callback_url');
      if (back) return response.writeHead(302, { location: `${back}?code=${code}` }).end();
      return response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${code}</p>`);
    }
    if (pathname.endsWith('/auth/keys')) {
      const { code, code_verifier: verifier } = JSON.parse(text) as Record<string, string>;
      const challenge = createHash('sha256')
        .update(verifier ?? '')
        .digest('base64url');
      const isRight = codes.get(code ?? '') === challenge && codes.delete(code ?? '');
      return response.writeHead(isRight ? 200 : 403).end(JSON.stringify(isRight ? { key: `sk-or-${code}` } : {}));
    }
    if (pathname.endsWith('/models')) return response.writeHead(200).end(JSON.stringify({ data: MODELS }));
    if (pathname.endsWith('/key')) return response.writeHead(200).end(JSON.stringify({ data: {} }));
    return response.writeHead(401).end(JSON.stringify({ error: { message: 'no such key' } }));
  });
}

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  upstream = aggregator();
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/api/v1`;
  server = await testServer({ windowFolder: WINDOW_FOLDER });
});
afterAll(async () => {
  await browser?.close();
  upstream?.closeAllConnections();
  upstream?.close();
  await server?.[Symbol.asyncDispose]();
});

const visit = (options?: Parameters<Browser['newContext']>[0]): Promise<Visit> =>
  visitAt({ browser: browser as Browser, server }, options);
const post = (path: string, body: unknown) => server.call('POST', `/providers/${path}`, { body });
const rowOf = async (id: string): Promise<any> =>
  (await server.call('GET', '/providers')).data.items.find((row: { id: string }) => row.id === id);

/** The form of one provider, opened by its address. */
async function formOf(page: Page, id: string): Promise<Locator> {
  await page.goto(new URL(`/settings/providers?provider=${id}`, server.url).href);
  const form = page.locator('.provider-form');
  await form.waitFor();
  return form;
}

const button = (place: Locator | Page, name: string | RegExp): Locator =>
  place.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

/** Everything that the page holds and the browser keeps of it. */
const heldBy = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const values = [...document.querySelectorAll('input')].map(({ value }) => value);
    const stores = [localStorage, sessionStorage].map((store) => JSON.stringify({ ...store }));
    return [document.documentElement.outerHTML, location.href, document.cookie, ...values, ...stores].join('\n');
  });

async function expectClean({ page, complaints }: Visit): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

describe('the form of a provider', () => {
  walk('keeps a key, which is nowhere on the page afterwards, and tests it', async () => {
    await using v = await visit();
    await post('mistral/runtime', { endpoint });
    const form = await formOf(v.page, 'mistral');
    await form.getByLabel('Key', { exact: true }).fill(KEY);
    expect(await button(form, 'Test').isDisabled()).toBe(true);
    await v.page.keyboard.press('Enter');
    await form.getByText('Key 1', { exact: true }).waitFor();
    await button(form, 'Test').click();
    await form.getByText('Reached, 5000 models').waitFor();
    const head = button(v.page, /^Mistral/);
    await expect(head.innerText()).resolves.toMatch(/Key saved[\s\S]*Address set[\s\S]*Reached, 5000 models/);
    expect(await heldBy(v.page)).not.toContain(KEY);
    await expectClean(v);
  });

  walk('puts keys in order, by the key written once more and by no other', async () => {
    await using v = await visit();
    await post('groq/keys', { key: 'sk-first' });
    await post('groq/keys', { key: 'sk-second', priorita: 10 });
    const form = await formOf(v.page, 'groq');
    expect(await button(form, 'Use Key 1 earlier').isDisabled()).toBe(true);
    await button(form, 'Use Key 2 earlier').click();
    await form.getByLabel('Key 2, once more').fill('sk-another');
    await v.page.keyboard.press('Enter');
    await form.getByRole('alert').getByText('This is not Key 2').waitFor();
    await form.getByLabel('Key 2, once more').fill('sk-second');
    await v.page.keyboard.press('Enter');
    await form.getByLabel('Key 2, once more').waitFor({ state: 'detached' });
    const names = (await rowOf('groq')).pool.map(({ nome }: { nome: string }) => nome);
    expect(names).toEqual(['Chiave 2', 'Chiave 1']);
    await button(form, 'Remove Key 2').click();
    await form.getByText('Key 2', { exact: true }).waitFor({ state: 'detached' });
    expect(await heldBy(v.page)).not.toMatch(/sk-(first|second|another)/);
    await expectClean(v);
  });

  walk('says before an address is changed that the key is asked for again, and asks', async () => {
    await using v = await visit();
    await post('cerebras/keys', { key: 'sk-bound' });
    const form = await formOf(v.page, 'cerebras');
    await button(form, 'Address and limits').click();
    await form.getByLabel('Address', { exact: true }).fill('https://gateway.example/v1');
    await form.getByText('A key is bound to the address it was given for').waitFor();
    await v.page.keyboard.press('Enter');
    await form.getByText('The address changed').waitFor();
    await button(form, 'Use Key 1 at this address').click();
    await form.getByLabel('Key 1, once more').fill('sk-bound');
    await v.page.keyboard.press('Enter');
    await form.getByText('Available').waitFor();
    expect(await rowOf('cerebras')).toMatchObject({ keyConfigured: true, endpoint: 'https://gateway.example/v1' });
    await expectClean(v);
  });

  walk('takes resource, region and project in the place of an address', async () => {
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

describe('the aggregator', () => {
  walk('leaves providers out and lets them in again', async () => {
    await using v = await visit();
    const form = await formOf(v.page, 'aggregator');
    await button(form, /^Excluded providers/).click();
    await form.getByLabel('Short name of the provider').fill('Slow-Host');
    await v.page.keyboard.press('Enter');
    await form.getByText('slow-host', { exact: true }).waitFor();
    const builtIn = form.getByRole('switch', { name: 'nebius' });
    await builtIn.click();
    await form.locator('input[role=switch]:not(:checked)').waitFor();
    await expectClean(v);
    await button(form, 'Let slow-host serve again').click();
    await form.getByText('None of your own.').waitFor();
    const { esclusi, esclusiDiSerie } = await rowOf('aggregator');
    expect(esclusi).toEqual([]);
    expect(esclusiDiSerie).toContainEqual({ modello: 'moonshotai/kimi-k2-0905', slug: 'nebius', attivo: false });
  });

  walk('is signed in to by coming back, and by a code', async () => {
    await using v = await visit();
    await post('aggregator/runtime', { endpoint });
    const form = await formOf(v.page, 'aggregator');
    await button(form, 'Sign in with the browser').click();
    await form.getByText('Signed in', { exact: true }).waitFor();
    expect(await rowOf('aggregator')).toMatchObject({ origineChiave: 'accesso', pool: [{ origine: 'accesso' }] });
    const popup = v.page.context().waitForEvent('page');
    await button(form, 'With a code').click();
    const code = await (await popup).locator('p').innerText();
    await form.getByLabel('Code', { exact: true }).fill(code);
    await expectClean(v);
    await v.page.keyboard.press('Enter');
    await button(form, 'Sign in again').waitFor();
    expect((await rowOf('aggregator')).pool).toHaveLength(1);
    expect(await heldBy(v.page)).not.toContain('sk-or-');
  });
});

describe('the other settings', () => {
  walk('choose where agents search, with a key that is nowhere afterwards', async () => {
    await using v = await visit();
    await v.page.goto(new URL('/settings/search', server.url).href);
    await v.page.getByRole('radio', { name: /Tavily/ }).click();
    await v.page.getByText('This source needs a key. Until then DuckDuckGo stays in use.').waitFor();
    await expectClean(v);
    await v.page.getByLabel('Key', { exact: true }).fill(KEY);
    await v.page.keyboard.press('Enter');
    await button(v.page, 'Remove').waitFor();
    await v.page.getByText('stays in use').waitFor({ state: 'detached' });
    const { source, readiness } = (await server.call('GET', '/search-source')).data;
    expect({ source, readiness }).toEqual({ source: 'tavily', readiness: 'pronta' });
    expect(await heldBy(v.page)).not.toContain(KEY);
    await expectClean(v);
    await v.page.getByRole('radio', { name: /^Custom/ }).click();
    await v.page.getByLabel('Address', { exact: true }).fill('https://search.example/?q={query}');
    await v.page.keyboard.press('Enter');
    await v.page.getByLabel('Key, if it wants one').waitFor();
    await v.page.getByRole('radio', { name: /^Off/ }).click();
    await v.page.getByLabel(/^Key/).waitFor({ state: 'detached' });
  });

  walk('name an external agent and forget it', async () => {
    await using v = await visit();
    await v.page.goto(new URL('/settings/agent', server.url).href);
    await v.page.getByLabel('Program').fill('/usr/bin/true');
    await v.page.getByLabel('Arguments, one a line').fill('--acp\nwith spaces');
    await button(v.page, 'Save').click();
    await v.page.getByText('Saved: choose').waitFor();
    await expectClean(v);
    const { agente } = (await server.call('GET', '/providers/esterno/runtime')).data;
    expect(agente).toMatchObject({ command: '/usr/bin/true', args: ['--acp', 'with spaces'] });
    await button(v.page, 'Remove').click();
    await button(v.page, 'Remove').waitFor({ state: 'detached' });
  });
});

describe('the choice of a model', () => {
  const picker = (page: Page): Locator => page.getByRole('dialog');
  const open = async (page: Page): Promise<Locator> => {
    await page.goto(server.url);
    await page.getByRole('textbox', { name: 'Assignment' }).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+M');
    await picker(page).getByRole('option').first().waitFor();
    return picker(page);
  };
  const prepare = async (): Promise<void> => {
    await post('aggregator/runtime', { endpoint });
    await post('aggregator/keys', { key: 'sk-or-models' });
  };

  walk('walks five thousand by keys, of which few are drawn, and says what is not declared', async () => {
    await prepare();
    await using v = await visit();
    const dialog = await open(v.page);
    await v.page.keyboard.type('model-49');
    await dialog.getByText('Model 4998', { exact: true }).waitFor({ state: 'detached' });
    expect(await dialog.getByRole('option').count()).toBeLessThan(40);
    for (let step = 0; step < 5; step += 1) await v.page.keyboard.press('PageDown');
    const active = dialog.locator('[aria-selected=true]');
    expect(await active.isVisible()).toBe(true);
    const search = dialog.getByRole('combobox');
    expect(await search.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
    await search.fill('vendor/model-4001');
    await dialog.getByText('price not declared').first().waitFor();
    await search.fill('vendor/model-4004');
    await dialog.getByText('$3.00 in · $15.00 out').first().waitFor();
    await expectClean(v);
    await v.page.keyboard.press('Enter');
    await button(v.page, /vendor\/model-4004$/).waitFor();
  });

  walk('narrows to abilities, and tells how old the lists are', async () => {
    await prepare();
    await using v = await visit();
    const dialog = await open(v.page);
    await button(dialog, 'Reasoning').click();
    await dialog.getByText('1,250 models').waitFor();
    await button(dialog, /Refresh the catalog/).click();
    await dialog.getByText(/Lists read/).waitFor();
    await expectClean(v);
    await v.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  walk('says why a model cannot be used and leads to what mends it', async () => {
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

describe('the first steps', () => {
  walk('go on where they were left, name what is ready, and ask no second time', async () => {
    await using fresh = await testServer({ windowFolder: WINDOW_FOLDER });
    await fresh.call('POST', '/providers/ollama/runtime/reset');
    await using v = await visitAt({ browser: browser as Browser, server: fresh });
    const { page } = v;
    await page.getByRole('heading', { name: 'Where will the agent work?' }).waitFor();
    await button(page, 'Next').click();
    await page.getByRole('radio', { name: /A provider, with its key/ }).click();
    await page.getByLabel('Provider', { exact: true }).selectOption('groq');
    await page.getByLabel('Key', { exact: true }).fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByText('Ready to use: Groq').waitFor();
    await expectClean(v);
    await page.reload();
    await page.getByRole('heading', { name: 'Which model will do the work?' }).waitFor();
    await button(page, 'Next').click();
    await page.getByRole('radio', { name: /On request/ }).click();
    await button(page, 'Next').click();
    await page.getByText('On request').waitFor();
    await expectClean(v);
    await fresh.call('POST', '/providers/groq/key/remove');
    await button(page, 'Begin the first session').click();
    await page.getByRole('textbox', { name: 'Assignment' }).waitFor();
    await page.reload();
    await page.getByRole('textbox', { name: 'Assignment' }).waitFor();
    expect(await heldBy(page)).not.toContain(KEY);
  });

  walk('can be skipped at once', async () => {
    await using fresh = await testServer({ windowFolder: WINDOW_FOLDER });
    await fresh.call('POST', '/providers/ollama/runtime/reset');
    await using v = await visitAt({ browser: browser as Browser, server: fresh });
    await button(v.page, 'Skip for now').click();
    await v.page.getByRole('textbox', { name: 'Assignment' }).waitFor();
  });
});

describe('a turn that a provider ended', () => {
  const failed = async (page: Page, model: string): Promise<void> => {
    const id = await server.startSession({ modello: model });
    await server.settled(id);
    await page.goto(new URL(`/sessions/${id}`, server.url).href);
  };

  walk('for want of a key leads to the form where it is given', async () => {
    await using v = await visit();
    await failed(v.page, 'xai:grok-4');
    await v.page.getByText('The provider of this model has no key').waitFor();
    await expectClean(v);
    await v.page.getByRole('link', { name: 'Provider settings' }).click();
    await v.page.waitForURL(/provider=xai/);
    await v.page.locator('.provider-form').getByLabel('Key', { exact: true }).waitFor();
  });

  walk('by refusing the key shows there that it was set aside, and another model can be chosen', async () => {
    await using v = await visit();
    await post('together/runtime', { endpoint });
    await post('together/keys', { key: 'sk-refused' });
    await failed(v.page, 'together:some/model');
    await v.page.getByText('The provider refused the key.').waitFor();
    await button(v.page, 'Choose another model').click();
    await v.page.getByRole('dialog').getByRole('combobox').waitFor();
    await v.page.keyboard.press('Escape');
    await v.page.getByRole('link', { name: 'Provider settings' }).click();
    const form = v.page.locator('.provider-form');
    await form.getByText('The provider refused it.').waitFor();
    await form.getByText('Set aside until').waitFor();
    await expectClean(v);
  });
});
