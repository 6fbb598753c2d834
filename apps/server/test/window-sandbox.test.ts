import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { OUTSIDE_TEMPORARY, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { answerByButton, faults, fitsWindow, launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const HOST = hostname().toLowerCase();
const command = (comando: string) => ({ name: 'shell', arguments: { comando, descrizione: 'A command' } });

/** Outside every project and every temporary folder. */
let hidden: string;
let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  hidden = await realpath(await mkdtemp(join(OUTSIDE_TEMPORARY, '.fucina-hidden-')));
  await writeFile(join(hidden, 'notes.txt'), 'the notes\n');
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    isApart: true,
    script: ({ lastRole, lastText }) => {
      if (lastRole !== 'user') return { text: 'Done.' };
      if (lastText.startsWith('REACH')) return { toolCalls: [command(`curl -s http://${hostname()}:9/`)] };
      if (lastText.startsWith('BLOCKED')) return { toolCalls: [command('curl -s -m 20 http://10.255.255.1:81/')] };
      if (lastText.startsWith('NOTES')) return { toolCalls: [command(`cat ${hidden}/notes.txt`)] };
      if (lastText.startsWith('CONTROL')) return { toolCalls: [command('echo x > .envrc')] };
      return { text: 'Hello.' };
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
  await rm(hidden, { recursive: true });
});

const open = (path: string, options?: Parameters<typeof visit>[1]) =>
  visit({ browser: browser as Browser, server, path }, options);
const rules = async (): Promise<string[]> =>
  (await server.call('GET', '/ext/sandbox/rules')).data.regole.map(({ regola }: { regola: string }) => regola);
const asked = async (id: string): Promise<unknown[]> =>
  (await server.events(id)).filter(({ type }) => type === 'ApprovalRequested');

walk('a rule is added, removed and brought back, and a wrong one is explained', async () => {
  await using place = await open('/settings/sandbox');
  const { page, complaints } = place;
  const panel = page.getByRole('region', { name: 'Rules' });
  await panel.getByText('No rules yet.').waitFor();
  const field = panel.getByRole('textbox', { name: 'Add a rule for all projects' });
  await field.fill('Read(/)');
  await field.press('Enter');
  await panel.getByText('Path too wide').waitFor();
  expect(await rules()).toEqual([]);
  await field.fill('Network(localhost:5432)');
  await field.press('Enter');
  await panel.getByText('Network(localhost:5432)', { exact: true }).waitFor();
  expect(await panel.getByText('Path too wide').count()).toBe(0);
  expect(await faults(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Remove Network(localhost:5432)' }).click();
  await panel.getByText('No rules yet.').waitFor();
  expect(await rules()).toEqual([]);
  await panel.getByRole('button', { name: 'Undo' }).click();
  await panel.getByText('Network(localhost:5432)', { exact: true }).waitFor();
  expect(await rules()).toEqual(['Network(localhost:5432)']);
  await panel.getByRole('button', { name: 'Remove Network(localhost:5432)' }).click();
  await panel.getByText('No rules yet.').waitFor();
  expect(complaints).toEqual([]);
});

walk('the network of all projects is chosen in the settings, that of a session beside its level', async () => {
  const id = await server.startSession();
  await server.settled(id);
  const modes = async () => (await server.call('GET', '/ext/sandbox', { query: { sessionId: id } })).data.sandbox.rete;
  await using place = await open('/settings/sandbox');
  const { page } = place;
  const becomes = (effective: string) =>
    until(async () => ((await modes()).effettiva === effective ? true : undefined));
  await page.getByRole('radio', { name: /^Off/ }).check();
  await becomes('spenta');
  await page.reload();
  expect(await page.getByRole('radio', { name: /^Off/ }).isChecked()).toBe(true);
  await page.getByRole('radio', { name: /^Listed hosts/ }).check();
  await becomes('elenco');
  await page.goto(new URL(`/sessions/${id}`, server.url).href);
  await page.getByRole('button', { name: 'Session settings' }).click();
  await page.getByRole('combobox', { name: 'Network' }).selectOption('Open');
  await becomes('aperta');
  expect(await modes()).toMatchObject({ ovunque: 'elenco', sessione: 'aperta' });
});

walk('denies a tool of the network for all projects, and allows it again', async () => {
  const denied = async () =>
    (await server.call('GET', '/ext/sandbox/tools')).data.tools.filter((one: { denied: boolean }) => one.denied);
  await using place = await open('/settings/sandbox');
  const { page } = place;
  await page.getByRole('checkbox', { name: 'Read web pages' }).uncheck();
  await until(async () => ((await denied()).length === 1 ? true : undefined));
  expect(await denied()).toEqual([{ tool: 'naviga', denied: true, deniedBy: ['everywhere'] }]);
  await page.reload();
  await page.getByRole('checkbox', { name: 'Read web pages' }).check();
  await until(async () => ((await denied()).length === 0 ? true : undefined));
});

walk('a project whose folder is gone shows why, and its rules can be removed', async () => {
  const dir = await tempDir();
  const path = await realpath(dir.path);
  await server.call('POST', '/ext/sandbox/rules', { body: { regola: 'Network(gone.example)', cartella: path } });
  await dir[Symbol.asyncDispose]();
  await using place = await open('/settings/sandbox');
  const { page } = place;
  await page.getByRole('combobox', { name: 'Project' }).selectOption(path);
  await page.getByRole('alert').first().waitFor();
  await page.getByRole('button', { name: 'Remove Network(gone.example)' }).click();
  await page.getByText('Removed Network(gone.example).').waitFor();
  expect(await rules()).not.toContain('Network(gone.example)');
});

walk('a blocked address is allowed for its project from the list of what was blocked', async () => {
  const id = await server.startSession({ consegna: 'BLOCKED', permessi: 'Workspace write' });
  await server.settled(id);
  await using place = await open('/settings/sandbox');
  const { page } = place;
  const row = page.getByRole('region', { name: 'Recently blocked' }).getByRole('listitem').first();
  await row.getByText('10.255.255.1:81', { exact: true }).waitFor();
  await row.getByText(/Private or local address/).waitFor();
  await shot(page, 'sandbox-blocked');
  await row.getByRole('button', { name: 'Allow for this project' }).click();
  await row.getByText('Allowed', { exact: true }).waitFor();
  expect(await rules()).toContain('Network(10.255.255.1:81)');
});

walk('a host allowed for the project on its card is not asked for again', async () => {
  const id = await server.startSession({ consegna: 'REACH it', permessi: 'Workspace write' });
  await using place = await open(`/sessions/${id}`);
  const { page } = place;
  await page.getByRole('region', { name: `curl wants to reach ${HOST}:9` }).waitFor();
  await shot(page, 'sandbox-card');
  await answerByButton(page, `curl wants to reach ${HOST}:9`, 'Allow for this project');
  await server.settled(id);
  expect(await rules()).toContain(`Network(${HOST})`);
  const again = await server.startSession({ consegna: 'REACH it', permessi: 'Workspace write' });
  await server.settled(again);
  expect([(await asked(id)).length, (await asked(again)).length]).toEqual([1, 0]);
});

walk('a control file allowed for the project on its card is written without asking from then on', async () => {
  const id = await server.startSession({ consegna: 'CONTROL', permessi: 'Workspace write' });
  await using place = await open(`/sessions/${id}`);
  await answerByButton(place.page, 'Write this file?', 'Allow for this project');
  await server.settled(id);
  expect(await rules()).toContain('Write(.envrc)');
  const again = await server.startSession({ consegna: 'CONTROL', permessi: 'Workspace write' });
  await server.settled(again);
  expect([(await asked(id)).length, (await asked(again)).length]).toEqual([1, 0]);
});

const results = async (id: string): Promise<string[]> =>
  (await server.events(id)).flatMap((event) => (event.type === 'ToolCallResult' ? [String(event.content)] : []));

walk(
  'a file that the sandbox hid is asked for on a card, and allowed for the session is read by its next command',
  async () => {
    const id = await server.startSession({ consegna: 'NOTES', permessi: 'Workspace write' });
    await using place = await open(`/sessions/${id}`);
    const { page, complaints } = place;
    const title = `A command wanted to read ${hidden}`;
    await page.getByRole('region', { name: title }).waitFor();
    await shot(page, 'sandbox-read-card');
    expect(await faults(page)).toEqual([]);
    await answerByButton(page, title, 'Allow for this session');
    await server.settled(id);
    expect((await results(id))[0]).toContain(`lets commands of this session read ${hidden}`);
    await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'NOTES again' } });
    await until(async () => ((await results(id)).length === 2 ? true : undefined));
    await server.settled(id);
    expect((await results(id))[1]).toContain('the notes');
    expect((await asked(id)).length).toBe(1);
    const other = await server.startSession({ consegna: 'NOTES', permessi: 'Workspace write' });
    await until(async () => ((await asked(other)).length === 1 ? true : undefined));
    await page.goto(new URL(`/sessions/${other}`, server.url).href);
    await answerByButton(page, title, 'Allow for this project');
    await server.settled(other);
    expect(await rules()).toContain(`Read(${hidden})`);
    expect(complaints).toEqual([]);
  },
);

walk('/sandbox opens the settings of the sandbox', async () => {
  const id = await server.startSession();
  await server.settled(id);
  await using place = await open(`/sessions/${id}`);
  const { page } = place;
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('/sand');
  await page.getByRole('option', { name: /Sandbox: state and rules/ }).waitFor();
  await box.fill('/sandbox');
  await box.press('Enter');
  await page.getByRole('region', { name: 'Rules' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings/sandbox');
});

walk.each([
  [{ colorScheme: 'light', locale: 'en-US' }, 1440, 'Run self-test', 'The sandbox works as expected.'],
  [{ colorScheme: 'dark', locale: 'it-IT' }, 390, 'Esegui autotest', 'La sandbox funziona come previsto.'],
] as const)('the self-test shows every attempt with its result, %j, %i px wide', async (look, width, run, done) => {
  await using place = await open('/settings/sandbox', { ...look, viewport: { width, height: 1_500 } });
  const { page, complaints } = place;
  await page.getByRole('button', { name: run }).click();
  await page.getByText(done).waitFor();
  await shot(page, `sandbox-${look.colorScheme}-${width}`);
  expect(await faults(page)).toEqual([]);
  await fitsWindow(page);
  expect(complaints).toEqual([]);
});

walk('a server without a token is warned of in the settings', async () => {
  await using own = await testServer({ windowFolder: WINDOW_FOLDER, settings: { token: undefined } });
  await using place = await visit({ browser: browser as Browser, server: own, path: '/settings/sandbox' });
  await place.page.getByRole('region', { name: 'This server has no access token' }).waitFor();
  await shot(place.page, 'sandbox-no-token');
  expect(await faults(place.page)).toEqual([]);
});
