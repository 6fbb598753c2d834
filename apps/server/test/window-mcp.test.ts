import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { guardedMcpServer } from '@fucina/testkit';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { EVERYTHING } from './everything-server.ts';
import { type TestServer, testServer, until } from './harness.ts';
import { faults, launchBrowser, openView, shot, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await testServer({ windowFolder: WINDOW_FOLDER });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});
const listed = async () => (await server.call('GET', '/ext/mcp')).data.server;
afterEach(async () => {
  for (const { nome, ambito, cartella } of await listed()) {
    await server.call('DELETE', `/ext/mcp/${nome}`, { query: { ambito, ...(cartella && { cartella }) } });
  }
});

const open = (path: string, options?: Parameters<typeof visit>[1]) =>
  visit({ browser: browser as Browser, server, path }, options);
const region = (page: Page) => page.getByRole('region', { name: 'MCP servers' });
const rowOf = (page: Page, name: string) => region(page).getByRole('listitem', { name });
async function clean({ page, complaints }: Visit): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}
async function put(path: string, text: string): Promise<void> {
  const file = join(server.project.path, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
async function inSession(): Promise<Visit> {
  server.model.script(() => ({ text: 'Hello.' }));
  const sessionId = await server.startSession();
  await server.settled(sessionId);
  return open(`/sessions/${sessionId}/extensions`);
}
const pick = async (page: Page, name: string, entry: string): Promise<void> => {
  await rowOf(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
};

walk('a server is added in the form, connected, and its tools are turned off and on', async () => {
  await using place = await open('/settings/mcp');
  const { page } = place;
  await page.getByText('No MCP servers yet.').waitFor();
  await shot(page, 'mcp-empty');
  await clean(place);
  await page.getByRole('button', { name: 'Add server' }).click();
  const form = page.getByRole('form', { name: 'New MCP server' });
  await form.getByRole('button', { name: 'Add server' }).click();
  await form.getByText('at most 64 characters').waitFor();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('everything');
  await form.getByRole('textbox', { name: 'Command' }).fill('node');
  await form.getByRole('textbox', { name: 'Arguments, one per line' }).fill(EVERYTHING);
  await form.getByRole('button', { name: 'Add variable' }).click();
  await form.getByRole('textbox', { name: 'Name of field 1' }).fill('SERVICE_TOKEN');
  expect(await form.getByRole('checkbox', { name: 'Secret' }).isChecked()).toBe(true);
  await form.getByLabel('Value of SERVICE_TOKEN').fill('typed-canary');
  await shot(page, 'mcp-form');
  await clean(place);
  await form.getByRole('button', { name: 'Add server' }).click();
  const row = rowOf(page, 'everything');
  await row.getByRole('status').getByText('Connected').waitFor();
  await row.getByRole('button', { name: /^\d+ tools$/ }).click();
  // Shown a moment after the click.
  await row.getByRole('checkbox', { name: 'echo' }).click();
  await row.getByRole('checkbox', { name: 'echo', checked: false }).waitFor();
  // It may be shown before it is saved.
  await until(async () => ((await listed())[0].strumentiSpenti.length > 0 ? true : undefined));
  expect((await listed())[0]).toMatchObject({ strumentiSpenti: ['echo'], segreti: [{ salvato: true }] });
  await shot(page, 'mcp-connected');
  await clean(place);
  await row.getByRole('button', { name: 'Turn all on' }).click();
  await row.getByRole('button', { name: 'Turn all off' }).waitFor();
  await row.getByRole('switch', { name: 'Use everything' }).press('Space');
  await row.getByText('Off', { exact: true }).waitFor();
  expect(await page.content()).not.toContain('canary');
});

walk('a failed server says why, shows its log, and is repaired, restarted and removed', async () => {
  await using place = await inSession();
  const { page } = place;
  await page.getByRole('button', { name: 'Add server' }).click();
  const form = page.getByRole('form', { name: 'New MCP server' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('broken');
  await form.getByRole('textbox', { name: 'Command' }).fill(`node -e "console.error('no database');process.exit(7)"`);
  await form.getByRole('button', { name: 'Add server' }).click();
  const row = rowOf(page, 'broken');
  await row.getByText('exit code 7: no database').waitFor();
  await pick(page, 'broken', 'Log');
  await row.getByRole('region', { name: 'Log of broken' }).getByText('no database').first().waitFor();
  await shot(page, 'mcp-failed');
  await clean(place);
  await pick(page, 'broken', 'Edit');
  const edit = page.getByRole('form', { name: 'Edit MCP server' });
  await edit.getByRole('textbox', { name: 'Arguments, one per line' }).fill(EVERYTHING);
  await edit.getByRole('button', { name: 'Save' }).click();
  await row.getByRole('status').getByText('Connected').waitFor();
  await pick(page, 'broken', 'Restart');
  await row.getByRole('status').getByText('Connected').waitFor();
  await pick(page, 'broken', 'Remove');
  const question = page.getByRole('dialog', { name: 'Remove “broken”?' });
  await question.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No MCP servers yet.').waitFor();
});

const CONFIG = {
  mcpServers: {
    everything: { command: 'node', args: [EVERYTHING], env: { A_TOKEN: 'import-canary', MODE: 'fast' } },
    other: { command: 'node', args: ['other.mjs'] },
    bad: { url: 'http://example.com/mcp' },
  },
};

walk('chosen servers of a project’s file are imported after a preview, and none of it runs before', async () => {
  await put('.mcp.json', JSON.stringify(CONFIG));
  await using place = await inSession();
  const { page } = place;
  await page.getByRole('button', { name: 'Import…' }).click();
  const file = page.getByRole('region', { name: join(server.project.path, '.mcp.json') });
  await file.getByText('To the key store: A_TOKEN').waitFor();
  await file.getByText('MODE=fast').waitFor();
  await file.getByText('This file comes with the project.').waitFor();
  expect(await file.getByRole('checkbox', { name: 'bad' }).isDisabled()).toBe(true);
  expect(await page.content()).not.toContain('canary');
  await file.getByRole('checkbox', { name: 'everything' }).check();
  await shot(page, 'mcp-import');
  await clean(place);
  // Changed after it was shown: nothing is imported.
  await put('.mcp.json', JSON.stringify(CONFIG).replace('"fast"', '"slow"'));
  await file.getByRole('button', { name: 'Import 1 server' }).click();
  await page.getByText('Configuration changed', { exact: true }).waitFor();
  expect(await listed()).toEqual([]);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Import…' }).click();
  await file.getByText('MODE=slow').waitFor();
  await file.getByRole('checkbox', { name: 'everything' }).check();
  await file.getByRole('button', { name: 'Import 1 server' }).click();
  const row = rowOf(page, 'everything');
  await row.getByText('Not running').waitFor();
  expect(await listed()).toMatchObject([{ nome: 'everything', ambito: 'progetto', strumenti: null }]);
  await pick(page, 'everything', 'Connect');
  await row.getByRole('status').getByText('Connected').waitFor();
});

walk('a pasted configuration is previewed and imported for all projects', async () => {
  await using place = await open('/settings/mcp', { viewport: { width: 390, height: 844 } });
  const { page } = place;
  await page.getByRole('button', { name: 'Import…' }).click();
  const field = page.getByRole('textbox', { name: 'Paste a configuration (JSON or TOML)' });
  await field.fill('{"mcpServers": ');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Text not readable').waitFor();
  await field.fill('[mcp_servers.docs]\nurl = "https://docs.example/mcp"\nbearer_token_env_var = "DOCS_TOKEN"');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('checkbox', { name: 'docs' }).check();
  await shot(page, 'mcp-paste-narrow');
  await clean(place);
  await page.getByRole('button', { name: 'Import 1 server' }).click();
  await rowOf(page, 'docs').getByText('This environment variable is not set: DOCS_TOKEN').waitFor();
  await shot(page, 'mcp-list-narrow');
  await clean(place);
});

walk('a server of the project needs a review that shows its variables', async () => {
  await put(
    '.svc/mcp.json',
    JSON.stringify({ mcpServers: { mine: { command: 'node', args: [EVERYTHING], env: { A: 'b' } } } }),
  );
  await using place = await inSession();
  const { page } = place;
  const row = rowOf(page, 'mine');
  await row.getByText('Not trusted: disabled').waitFor();
  await row.getByRole('button', { name: 'Review and trust mine' }).click();
  const question = page.getByRole('dialog', { name: 'Trust the server “mine”?' });
  await question.getByText('A=b').waitFor();
  await question.getByText('Without an answer, the first call asks.').waitFor();
  await question.getByRole('radio', { name: 'Run without asking' }).check();
  await shot(page, 'mcp-trust');
  await clean(place);
  await question.getByRole('button', { name: 'Trust' }).click();
  await row.getByText('Trusted', { exact: true }).waitFor();
  const { data } = await server.call('GET', '/ext/mcp', { query: { cartella: await realpath(server.project.path) } });
  expect(data.server).toMatchObject([{ nome: 'mine', calls: { answer: 'allow', allowedTools: [] } }]);
  await put('.svc/mcp.json', '{"mcpServers":{}}');
});

walk(
  'the first call of a server asks how its calls are answered, and its row shows and changes the answer',
  async () => {
    const definizione = { comando: 'node', argomenti: [EVERYTHING], ambiente: {}, intestazioni: {} };
    await server.call('POST', '/ext/mcp', { body: { nome: 'all', ambito: 'ovunque', definizione } });
    await using place = await inSession();
    const { page } = place;
    const sessionId = /sessions\/([^/]+)/.exec(page.url())?.[1] ?? '';
    const names = ['toggle-simulated-logging', 'toggle-subscriber-updates'];
    const call = async (name: string): Promise<void> => {
      server.model.script(({ lastRole }) =>
        lastRole === 'tool'
          ? { text: `Called ${name}.` }
          : { toolCalls: [{ name: `mcp__all__${name}`, arguments: {} }] },
      );
      await server.call('POST', `/sessions/${sessionId}/resume`, { body: { messaggio: 'Go on.' } });
    };
    await page.getByRole('link', { name: 'Conversation' }).click();
    await call(names[0] ?? '');
    await page.getByRole('button', { name: 'Always allow all tools of all' }).waitFor();
    await page.getByText('This is the first call of this server.').waitFor();
    expect(await page.getByText('chiede').count()).toBe(0);
    await shot(page, 'mcp-first-call');
    await clean(place);
    await page.getByRole('button', { name: 'Always allow this tool' }).click();
    await page.getByText(`Called ${names[0]}.`, { exact: true }).waitFor();
    await call(names[1] ?? '');
    await page.getByRole('button', { name: 'Always allow this tool' }).waitFor();
    expect(await page.getByRole('button', { name: 'Always allow all tools of all' }).count()).toBe(0);
    await clean(place);
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText(`Called ${names[1]}.`, { exact: true }).waitFor();
    expect((await listed())[0].calls).toEqual({ answer: 'by-tool', allowedTools: [names[0]] });

    await openView(page, 'Extensions');
    const row = rowOf(page, 'all');
    await row.getByRole('button', { name: /tools$/ }).click();
    await row.getByText(`Run without asking: ${names[0]}`).waitFor();
    expect(await row.getByRole('radio', { name: 'Ask for each tool until allowed' }).isChecked()).toBe(true);
    await clean(place);
    await row.getByRole('radio', { name: 'Ask at every call' }).click();
    await until(async () => ((await listed())[0].calls.answer === 'ask' ? true : undefined));
    await row.getByRole('radio', { name: 'Ask at every call', checked: true }).waitFor();
  },
);

walk('when the server is away the form keeps what was typed and says so', async () => {
  await using place = await open('/settings/mcp');
  const { page } = place;
  await page.getByRole('button', { name: 'Add server' }).click();
  const form = page.getByRole('form', { name: 'New MCP server' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('typed');
  await form.getByRole('radio', { name: 'Address (HTTP)' }).check();
  await form.getByRole('textbox', { name: 'URL' }).fill('https://a.example/mcp');
  await page.route('**/api/v1/ext/mcp', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await form.getByRole('button', { name: 'Add server' }).click();
  await form.getByRole('alert').waitFor();
  expect(await form.getByRole('textbox', { name: 'URL' }).inputValue()).toBe('https://a.example/mcp');
  await page.unroute('**/api/v1/ext/mcp');
  await form.getByRole('textbox', { name: 'URL' }).fill('http://a.example/mcp');
  await form.getByRole('button', { name: 'Add server' }).click();
  await form.getByText('Invalid MCP server').waitFor();
  expect(await listed()).toEqual([]);
});

walk('a server that wants a sign-in is signed in to in the browser, and out again', async () => {
  await using remote = await guardedMcpServer();
  const definizione = { url: remote.url, argomenti: [], ambiente: {}, intestazioni: {} };
  await server.call('POST', '/ext/mcp', { body: { nome: 'guarded', ambito: 'ovunque', definizione } });
  await using place = await open('/settings/mcp');
  const { page } = place;
  const row = rowOf(page, 'guarded');
  await pick(page, 'guarded', 'Connect');
  await row.getByRole('status').getByText('Sign-in needed').waitFor();
  await shot(page, 'mcp-sign-in');
  await clean(place);
  await page.route('**/sign-in', (route) => route.abort());
  await row.getByRole('button', { name: 'Sign in to guarded' }).click();
  await row.getByRole('alert').waitFor();
  await page.unroute('**/sign-in');
  place.complaints.length = 0;
  await row.getByRole('button', { name: 'Sign in to guarded' }).click();
  const link = row.getByRole('link', { name: /^Continue at 127\.0\.0\.1/ });
  await link.waitFor();
  await shot(page, 'mcp-sign-in-open');
  await clean(place);
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await opened.getByRole('heading', { name: 'Signed in' }).waitFor();
  await opened.close();
  await row.getByRole('status').getByText('Connected').waitFor();
  await row.getByText('Signed in', { exact: true }).waitFor();
  await shot(page, 'mcp-signed-in');
  await clean(place);
  await pick(page, 'guarded', 'Sign out');
  await row.getByText('Signed in', { exact: true }).waitFor({ state: 'detached' });
  await pick(page, 'guarded', 'Edit');
  const form = page.getByRole('form', { name: 'Edit MCP server' });
  await form.getByRole('button', { name: 'Set a client ID (OAuth)' }).click();
  await form.getByRole('textbox', { name: 'Client ID' }).fill('mine');
  await form.getByLabel('Client secret (optional)').fill('typed-canary');
  await shot(page, 'mcp-client-id');
  await clean(place);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  expect((await listed()).find(({ nome }: { nome: string }) => nome === 'guarded')).toMatchObject({
    definizione: { client: { id: 'mine', segreto: '${secret:CLIENT_SECRET}' } },
  });
});

walk('the prompts of a server are slash commands of the composer', async () => {
  const definizione = { comando: 'node', argomenti: [EVERYTHING], ambiente: {}, intestazioni: {} };
  await server.call('POST', '/ext/mcp', { body: { nome: 'all', ambito: 'ovunque', definizione } });
  await server.call('POST', '/ext/mcp/all/start', { body: { ambito: 'ovunque' } });
  await using place = await inSession();
  const { page } = place;
  await page.getByRole('link', { name: 'Conversation' }).click();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('/mcp__all__args');
  await page
    .getByRole('listbox')
    .getByRole('option', { name: /mcp__all__args-prompt <city> \[state\]/ })
    .waitFor();
  await shot(page, 'mcp-prompt');
  await clean(place);
  await field.press('Tab');
  expect(await field.inputValue()).toBe('/mcp__all__args-prompt ');
  let told = '';
  server.model.script(({ body }) => {
    told = JSON.stringify(body.messages);
    return { text: 'Sunny.' };
  });
  await field.fill('/mcp__all__args-prompt Torino');
  await field.press('Enter');
  await page.getByText('Sunny.', { exact: true }).waitFor();
  expect(told).toContain("What's weather in Torino?");
  // A refused prompt says why, and nothing goes to the model.
  await field.fill('/mcp__all__args-prompt');
  await field.press('Enter');
  await page.getByText('city: missing.').first().waitFor();
  await clean(place);
  await server.call('DELETE', '/ext/mcp/all', { query: { ambito: 'ovunque' } });
});
