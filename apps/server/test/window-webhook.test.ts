import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { clean } from './window-git-fixture.ts';
import { launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
let id: string;
beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({ isApart: true, windowFolder: WINDOW_FOLDER, script: () => ({ text: 'Looked.' }) });
  const body = {
    nome: 'Triage',
    istruzioni: 'Look at the failed build.',
    cartella: server.project.path,
    modello: 'ollama:tiny',
    pianificazione: { tipo: 'manuale' },
  };
  id = (await server.call('POST', '/automations', { body })).data.id;
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
const open = (options: Parameters<typeof visit>[1] = {}) =>
  visit({ browser: browser as Browser, server, path: `/automations/${id}` }, options);
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
/** What the command prints. */
const called = (command: string): string =>
  execFileSync('sh', ['-c', command.replace('--json', '--silent --json')], { encoding: 'utf8' });
const runs = async () => (await server.call('GET', `/automations/${id}/runs`)).data.items as unknown[];

for (const [locale, sentence] of [
  ['en-GB', 'Runs when you start it, when a watched file changes, or when its webhook is called.'],
  ['it-IT', 'Parte quando la avvii tu, quando cambia un file osservato o quando viene chiamato il webhook.'],
] as const) {
  walk(`an automation without a schedule says what starts it, in ${locale}`, async () => {
    await using v = await open({ locale });
    await v.page.getByText(sentence, { exact: true }).waitFor();
  });
}

walk('the command of a new webhook starts the automation, until the webhook is removed', async () => {
  await using v = await open();
  const { page } = v;
  const section = page.getByRole('region', { name: 'Webhook' });
  await section.getByRole('button', { name: 'Create secret' }).click();
  await section.getByText('Copy it now').waitFor();
  const command = await section.locator('pre').innerText();
  expect(JSON.parse(called(command))).toMatchObject({ ok: true, data: { runId: expect.any(String) } });
  await until(async () => ((await runs()).length === 1 ? true : undefined));
  await clean(v);
  await shot(page, 'webhook-light-1440');
  await page.reload();
  await section.getByText('Last called').waitFor();
  expect(await section.locator('pre').count()).toBe(0);
  await section.getByRole('button', { name: 'Remove' }).click();
  await dialog(page, 'Remove the webhook?').getByRole('button', { name: 'Remove' }).click();
  await section.getByRole('button', { name: 'Create secret' }).waitFor();
  expect(called(command)).toContain('AUTH_REQUIRED');
});

walk('replacing or removing the secret of a webhook asks first, also with the keyboard', async () => {
  await using v = await open();
  const { page } = v;
  const section = page.getByRole('region', { name: 'Webhook' });
  const commandShown = () => section.locator('pre').innerText();
  await section.getByRole('button', { name: 'Create secret' }).press('Enter');
  await section.getByText('Copy it now').waitFor();
  const first = await commandShown();

  const question = dialog(page, 'Replace the webhook’s secret?');
  await section.getByRole('button', { name: 'Replace secret' }).press('Enter');
  await question.getByText('Programs that use the current secret').waitFor();
  await clean(v);
  await shot(page, 'webhook-replace-light-1440');
  // The focus is on Cancel: a second Enter changes nothing.
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await section.getByRole('button', { name: 'Remove' }).press('Enter');
  await dialog(page, 'Remove the webhook?').waitFor();
  await clean(v);
  await shot(page, 'webhook-remove-light-1440');
  await page.keyboard.press('Escape');
  await dialog(page, 'Remove the webhook?').waitFor({ state: 'detached' });
  expect(await commandShown()).toBe(first);
  expect(JSON.parse(called(first))).toMatchObject({ ok: true });

  await section.getByRole('button', { name: 'Replace secret' }).press('Enter');
  await question.getByRole('button', { name: 'Replace secret' }).press('Enter');
  await question.waitFor({ state: 'detached' });
  const second = await commandShown();
  expect(second).not.toBe(first);
  expect(called(first)).toContain('AUTH_REQUIRED');
  expect(JSON.parse(called(second))).toMatchObject({ ok: true });

  await section.getByRole('button', { name: 'Remove' }).press('Enter');
  await dialog(page, 'Remove the webhook?').getByRole('button', { name: 'Remove' }).press('Enter');
  await section.getByRole('button', { name: 'Create secret' }).waitFor();
  expect(called(second)).toContain('AUTH_REQUIRED');
});

walk('a failure lines up with the section, or the question, that shows it', async () => {
  await using v = await open();
  const { page } = v;
  const section = page.getByRole('region', { name: 'Webhook' });
  const question = dialog(page, 'Replace the webhook’s secret?');
  const create = section.getByRole('button', { name: 'Create secret' });
  const lineUp = async (failed: Locator, text: Locator) => {
    await failed.waitFor();
    expect((await failed.boundingBox())?.x).toBe((await text.boundingBox())?.x);
  };
  const lose = () =>
    page.route('**/webhook', (route) => (route.request().method() === 'GET' ? route.fallback() : route.abort()));
  const find = () => page.unroute('**/webhook');
  await create.waitFor();
  await lose();
  await create.click();
  await lineUp(section.getByRole('alert'), create);
  await find();
  await create.click();
  await section.getByText('Copy it now').waitFor();

  await section.getByRole('button', { name: 'Replace secret' }).click();
  await question.waitFor();
  await lose();
  await question.getByRole('button', { name: 'Replace secret' }).click();
  await lineUp(question.getByRole('alert'), question.getByText('Programs that use'));
  await shot(page, 'webhook-failed-light-1440');
  await find();
  await question.getByRole('button', { name: 'Replace secret' }).click();
  await question.waitFor({ state: 'detached' });
  await section.getByRole('button', { name: 'Remove' }).click();
  await dialog(page, 'Remove the webhook?').getByRole('button', { name: 'Remove' }).click();
  await create.waitFor();
});

walk('patterns of watched files are saved, and refused when they name none', async () => {
  await using v = await open();
  const field = v.page.getByRole('region', { name: 'Watched files' });
  await field.getByRole('textbox').fill('# nothing');
  await field.getByRole('button', { name: 'Save' }).click();
  await field.getByText('Patterns not valid').waitFor();
  await field.getByRole('textbox').fill('docs/**');
  await field.getByRole('button', { name: 'Save' }).click();
  await until(async () => {
    const { file } = (await server.call('GET', `/ext/automations/${id}/files`)).data;
    return file.schemi === 'docs/**' ? true : undefined;
  });
  await clean(v);
});

walk('a webhook fits a phone in Italian, dark', async () => {
  await using v = await open({ locale: 'it-IT', colorScheme: 'dark', viewport: { width: 390, height: 844 } });
  const section = v.page.getByRole('region', { name: 'Webhook' });
  await section.getByRole('button', { name: 'Crea segreto' }).click();
  await section.getByText('Copialo ora').waitFor();
  await clean(v);
  await shot(v.page, 'webhook-it-dark-390');
  await section.getByRole('button', { name: 'Sostituisci segreto' }).click();
  await dialog(v.page, 'Sostituire il segreto del webhook?').waitFor();
  await clean(v);
  await shot(v.page, 'webhook-replace-it-dark-390');
  await v.page.keyboard.press('Escape');
  await section.getByRole('button', { name: 'Rimuovi' }).click();
  await dialog(v.page, 'Rimuovere il webhook?').waitFor();
  await clean(v);
  await shot(v.page, 'webhook-remove-it-dark-390');
  await v.page.keyboard.press('Escape');
});
