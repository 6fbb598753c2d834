import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { EVERYTHING } from './everything-server.ts';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
let sessionId: string;
beforeAll(async () => {
  server = await testServer({ windowFolder: WINDOW_FOLDER });
  browser = await launchBrowser();
  const definizione = { comando: 'node', argomenti: [EVERYTHING], ambiente: {}, intestazioni: {} };
  await server.call('POST', '/ext/mcp', { body: { nome: 'all', ambito: 'ovunque', definizione, calls: 'allow' } });
  sessionId = await server.startSession();
  await server.settled(sessionId);
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

const open = () => visit({ browser: browser as Browser, server, path: `/sessions/${sessionId}` });
async function clean({ page, complaints }: Visit): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

walk('a resource is found after an @, and its content goes to the model', async () => {
  await using place = await open();
  const { page } = place;
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.click();
  await page.keyboard.type('Read @al');
  await page.getByRole('option', { name: 'all: MCP' }).waitFor();
  await clean(place);
  await page.keyboard.press('Enter');
  await page.keyboard.type('demo://resource/dynamic/text/7');
  await page.getByRole('option', { name: '7 demo://resource/dynamic/text/{resourceId}' }).waitFor();
  await clean(place);
  await page.keyboard.press('Enter');
  expect(await box.inputValue()).toBe('Read @all:demo://resource/dynamic/text/7 ');
  server.model.script(() => ({ text: 'I read it.' }));
  await page.keyboard.press('Enter');
  await page.getByText('I read it.', { exact: true }).waitFor();
  expect(server.model.requests.at(-1)?.lastText).toContain('Resource 7: This is a plaintext resource');
});

walk('arguments of a prompt are completed one after the other', async () => {
  await using place = await open();
  const { page } = place;
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.click();
  await page.keyboard.type('/mcp__all__completable-prompt Sa');
  await page.getByRole('option', { name: 'Sales department' }).waitFor();
  await clean(place);
  await page.keyboard.press('Tab');
  await page.getByRole('option', { name: 'David name' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await box.inputValue()).toBe('/mcp__all__completable-prompt Sales Eve ');
  await box.fill('');
});

walk('a request of a server to the model is shown in full and allowed once', async () => {
  const call = { name: 'mcp__all__trigger-sampling-request', arguments: { prompt: 'What is a forge?' } };
  server.model.script(({ lastRole, lastText }) => {
    if (lastRole === 'user' && lastText.includes('What is a forge?')) return { text: 'A place of fire.' };
    return lastRole === 'tool' ? { text: 'It answered.' } : { toolCalls: [call] };
  });
  await using place = await open();
  const { page } = place;
  await server.call('POST', `/sessions/${sessionId}/resume`, { body: { messaggio: 'Let the server ask.' } });
  const card = page.getByRole('region', { name: 'MCP server all asks to use the model' });
  await card.getByText('What is a forge?').waitFor();
  await card.getByText('with at most 100 tokens').waitFor();
  await clean(place);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('The model answered a request of server all.').waitFor();
  await page.getByText('It answered.', { exact: true }).waitFor();
  await clean(place);
});
