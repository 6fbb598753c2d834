import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, shot, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) =>
      lastRole === 'user' && lastText.startsWith('LOOK')
        ? { toolCalls: [{ name: 'cerca', arguments: { testo: 'pageOf', percorso: 'src' } }] }
        : lastText.startsWith('FAIL')
          ? { fault: { kind: 'status', status: 400, message: 'Model tiny-2 takes no tools.' } }
          : lastText.startsWith('NO MODEL')
            ? { fault: { kind: 'status', status: 404, message: 'Unknown model tiny-2.' } }
            : { text: 'Done.' },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

async function enter(consegna: string, view = '', options?: Parameters<typeof visit>[1]): Promise<Visit> {
  const id = await server.startSession({ consegna });
  await server.settled(id);
  const place = await visit({ browser: browser as Browser, server, path: `/sessions/${id}${view}` }, options);
  await place.page.locator('.status').waitFor();
  return place;
}

walk('a tool call shows its arguments with labels of the window', async () => {
  await using place = await enter('LOOK', '', { colorScheme: 'dark' });
  const { page } = place;
  await page.locator('.tool-head').click();
  const given = page.locator('.arguments');
  await given.waitFor();
  await shot(page, 'arguments');
  expect((await given.innerText()).split(/\s*\n\s*/)).toEqual(['Text', 'pageOf', 'Path', 'src']);
  expect(await faults(page)).toEqual([]);
});

walk('command hints use the language of the window', async () => {
  await using place = await enter('hello');
  await place.page.getByRole('textbox', { name: 'Message' }).fill('/di');
  await place.page.getByText('/diff [turn | session]').waitFor();
  await using italian = await enter('ciao', '', { locale: 'it-IT' });
  await italian.page.getByRole('textbox', { name: 'Messaggio' }).fill('/di');
  await italian.page.getByText('/diff [turno | sessione]').waitFor();
});

walk('a failed turn shows the error and the provider’s message below', async () => {
  await using place = await enter('FAIL');
  const { page } = place;
  const end = page.locator('.turn-end[data-outcome="failed"]');
  await end.locator('.turn-why').waitFor();
  await end.getByText('Model tiny-2 takes no tools.').waitFor();
  await shot(page, 'failed');
  expect(await faults(page)).toEqual([]);
});

walk('a model that the provider does not offer is reported above the provider’s message', async () => {
  await using place = await enter('NO MODEL');
  const end = place.page.locator('.turn-end[data-outcome="failed"]');
  await end.locator('.turn-why').getByText('The provider does not offer this model.').waitFor();
  await end.locator('.turn-said').getByText('Unknown model tiny-2.').waitFor();
  expect(await faults(place.page)).toEqual([]);
});

walk('the external agent is shown by name', async () => {
  await server.call('POST', '/providers/ollama/runtime', { body: { endpoint: server.model.url, timeoutSeconds: 30 } });
  const id = await server.startSession({ consegna: 'hello' });
  await server.settled(id);
  await server.call('POST', `/sessions/${id}/settings`, { body: { modello: 'esterno:agente' } });
  await using place = await visit({ browser: browser as Browser, server, path: `/sessions/${id}` });
  await place.page.getByRole('button', { name: 'External agent' }).waitFor();
  expect(await place.page.getByText('esterno:agente').count()).toBe(0);
});
