import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page, Route } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import {
  delayFrames,
  faults,
  launchBrowser,
  shot,
  type Visit,
  visit as visitAt,
  WINDOW_FOLDER,
  walk,
} from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastText }) =>
      lastText.startsWith('SLOW')
        ? { text: { count: 400 }, deltaDelayMs: 50 }
        : { text: `Heard: ${lastText.slice(0, 40)}` },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

interface Place extends Visit {
  id: string;
}

async function visit(consegna = 'Say hello', options: Parameters<typeof visitAt>[1] = {}): Promise<Place> {
  const id = await server.startSession({ consegna });
  await server.settled(id);
  const path = `/sessions/${id}`;
  return { ...(await visitAt({ browser: browser as Browser, server, path }, options)), id };
}

const field = (page: Page) => page.getByRole('textbox', { name: /^(Message|Messaggio)$/ });
const option = (page: Page, name: RegExp) => page.getByRole('listbox').getByRole('option', { name });
const lastAsked = (beginning: string) =>
  until(async () => server.model.requests.findLast(({ lastText }) => lastText.startsWith(beginning))?.lastText);

async function paste(page: Page, text: string): Promise<void> {
  await field(page).focus();
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

walk('arrow keys go through the sent messages and return to the draft', async () => {
  await using v = await visit('First message');
  const { page } = v;
  await field(page).fill('Second message');
  await field(page).press('Enter');
  await page.getByText('Heard: Second message', { exact: true }).waitFor();
  await field(page).fill('A draft');
  await field(page).press('Home');
  await field(page).press('ArrowUp');
  expect(await field(page).inputValue()).toBe('Second message');
  await field(page).press('ArrowUp');
  expect(await field(page).inputValue()).toBe('First message');
  await field(page).press('ArrowUp');
  expect(await field(page).inputValue()).toBe('First message');
  await field(page).press('ArrowDown');
  expect(await field(page).inputValue()).toBe('Second message');
  await field(page).press('ArrowDown');
  expect(await field(page).inputValue()).toBe('A draft');
  // An edited message is a draft: Up moves the cursor in it.
  await field(page).fill('One\nTwo');
  await field(page).press('End');
  await field(page).press('ArrowUp');
  expect(await field(page).inputValue()).toBe('One\nTwo');
  expect(v.complaints).toEqual([]);
});

walk('arrow keys that are faster than the drawing go through the sent messages', async () => {
  await using v = await visit('First message');
  const { page } = v;
  await field(page).fill('Second message');
  await field(page).press('Enter');
  await page.getByText('Heard: Second message', { exact: true }).waitFor();
  await field(page).focus();
  await delayFrames(page, 60_000);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await field(page).inputValue()).toBe('First message');
  expect(v.complaints).toEqual([]);
});

walk('a long pasted text becomes an attachment, or is inserted as text', async () => {
  await using v = await visit();
  const { page } = v;
  const long = `LOG begins\n${'line of a log\n'.repeat(500)}`;
  await paste(page, long);
  const attachments = page.getByRole('list', { name: 'Attachments' });
  await attachments.getByText('pasted-text.txt').waitFor();
  expect(await field(page).inputValue()).toBe('');
  expect(await faults(page)).toEqual([]);
  await shot(page, 'composer-pasted-1440');
  await page.getByLabel('Uploading').first().waitFor({ state: 'detached' });
  await field(page).fill('READ the log');
  await field(page).press('Enter');
  expect(await lastAsked('READ')).toMatch(/pasted-text\.txt/);
  await paste(page, long);
  await attachments.getByRole('button', { name: 'Insert as text' }).click();
  await attachments.waitFor({ state: 'detached' });
  expect(await field(page).inputValue()).toContain('LOG begins');
  expect(v.complaints).toEqual([]);
});

walk('a pasted text that cannot be uploaded says so and is not lost', async () => {
  await using v = await visit();
  const { page } = v;
  await page.route('**/chat-files', (route) => route.abort());
  await paste(page, 'x'.repeat(6_000));
  await page.getByRole('alert').first().waitFor();
  await page.getByRole('button', { name: 'Insert as text' }).click();
  expect((await field(page).inputValue()).trim()).toBe('x'.repeat(6_000));
});

walk('after @ come symbols of a file, notes and sessions, whose text is attached, and addresses', async () => {
  await server.call('POST', '/me/notes', { body: { titolo: 'Release steps', contenuto: 'Tag it, then publish.' } });
  const other = await server.startSession({ consegna: 'Compare two parsers' });
  await server.settled(other);
  await server.call('POST', `/sessions/${other}/rename`, { body: { nome: 'Parser comparison' } });
  await using v = await visit();
  const { page } = v;
  await field(page).pressSequentially('MENTION @src/pages.js#page');
  await option(page, /^pageOf/).click();
  expect(await field(page).inputValue()).toMatch(/^MENTION pageOf \(src\/pages\.js:\d+\) $/);
  await field(page).fill('');
  await field(page).pressSequentially('MENTION @#pageo');
  await option(page, /^pageOf/).click();
  expect(await field(page).inputValue()).toMatch(/^MENTION pageOf \(src\/pages\.js:\d+\) $/);
  await field(page).pressSequentially('@relea');
  await option(page, /^Release steps/).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'composer-mention-1440');
  await field(page).press('Enter');
  await field(page).pressSequentially('@parser');
  await option(page, /^Parser comparison/).click();
  await field(page).pressSequentially('@https://example.org/a');
  await option(page, /^https:\/\/example\.org\/a/).click();
  const attachments = page.getByRole('list', { name: 'Attachments' });
  await attachments.getByText(/Release steps\.md/).waitFor();
  await attachments.getByText(/Parser comparison\.md/).waitFor();
  await page.getByLabel('Uploading').first().waitFor({ state: 'detached' });
  await field(page).press('Enter');
  const sent = await lastAsked('MENTION');
  expect(sent).toContain('“Release steps” “Parser comparison” https://example.org/a');
  const [path] = /\S*Parser comparison\.md/.exec(sent) ?? [];
  const { data } = await server.call('GET', `/sessions/${v.id}/tree/file?percorso=${encodeURIComponent(path ?? '')}`);
  expect(data.contenuto).toContain('## User\n\nCompare two parsers');
  expect(data.contenuto).toContain('## Agent\n\nHeard: Compare two parsers');
  expect(v.complaints).toEqual([]);
});

walk('prompts are saved from a message, inserted, and edited as notes', async () => {
  await using v = await visit();
  const { page } = v;
  const prompts = page.getByRole('button', { name: 'Prompts' });
  await field(page).fill('Review the last change.\nLook for races.');
  await prompts.click();
  await page.getByRole('menuitem', { name: 'Save message as prompt' }).click();
  await page.getByText('Prompt saved').waitFor({ state: 'attached' });
  await field(page).fill('First this.');
  await prompts.click();
  await page.getByRole('menuitem', { name: /^Review the last change\./ }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'composer-prompts-1440');
  await page.getByRole('menuitem', { name: /^Review the last change\./ }).click();
  await until(async () => ((await field(page).inputValue()).includes('races') ? true : undefined));
  expect(await field(page).inputValue()).toBe('First this.\n\nReview the last change.\nLook for races.');
  await page.route('**/api/v1/me/notes', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await prompts.click();
  await page.getByRole('menuitem', { name: 'Save message as prompt' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await prompts.click();
  await page.getByRole('menuitem', { name: 'Edit prompts in Notes' }).click();
  await page.getByText('Prompt: Review the last change.').first().waitFor();
  expect(v.complaints).toEqual([]);
});

walk('a prompt that is saved while the prompts are read is in the menu', async () => {
  await using v = await visit();
  const { page } = v;
  const prompts = page.getByRole('button', { name: 'Prompts' });
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const hold = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  };
  await page.route('**/api/v1/me/notes?*', hold, { times: 1 });
  await field(page).fill('Name the modules.');
  await prompts.click();
  const stored = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.ok());
  await page.getByRole('menuitem', { name: 'Save message as prompt' }).click();
  await stored;
  release?.();
  await page.getByText('Prompt saved').waitFor({ state: 'attached' });
  await prompts.click();
  await page.getByRole('menuitem', { name: /^Name the modules\./ }).waitFor();
  expect(v.complaints).toEqual([]);
});

walk('model and permissions are menus with their current value, and plan mode is a switch', async () => {
  await using v = await visit();
  const { page } = v;
  await page.getByRole('button', { name: 'Permissions: Workspace write' }).click();
  expect(await page.getByRole('menuitemradio', { name: /Workspace write/ }).getAttribute('aria-checked')).toBe('true');
  expect(await faults(page)).toEqual([]);
  await shot(page, 'composer-level-1440');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Permissions: Read only' }).waitFor();
  const plan = page.getByRole('switch', { name: 'Plan' });
  await plan.click();
  await page.getByRole('switch', { name: 'Plan', checked: true }).waitFor();
  expect(
    await page
      .locator('.status')
      .getByText(/Read only|ollama/)
      .count(),
  ).toBe(0);
  expect(v.complaints).toEqual([]);
});

walk('dictation asks once, adds what was said, and reports a refused microphone', async () => {
  await using v = await visit();
  const { page } = v;
  await page.addInitScript(() => {
    class Recognition {
      lang = '';
      onresult: ((event: unknown) => void) | undefined;
      onerror: ((event: unknown) => void) | undefined;
      onend: (() => void) | undefined;
      start() {
        (globalThis as unknown as { heard: unknown }).heard = this;
      }
      abort() {
        this.onend?.();
      }
    }
    Object.assign(globalThis, { SpeechRecognition: Recognition, webkitSpeechRecognition: Recognition });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Dictate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/may send the audio to its maker/).waitFor();
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Dictate' }).click();
  await page.getByRole('button', { name: 'Stop dictation' }).waitFor();
  await page.evaluate(() => {
    const { heard } = globalThis as unknown as { heard: { onresult(event: unknown): void } };
    heard.onresult({ resultIndex: 0, results: [Object.assign([{ transcript: ' fix the test ' }], { isFinal: true })] });
  });
  expect((await field(page).inputValue()).trim()).toBe('fix the test');
  await page.getByRole('button', { name: 'Stop dictation' }).click();
  await page.getByRole('button', { name: 'Dictate' }).click();
  await page.evaluate(() => {
    const { heard } = globalThis as unknown as { heard: { onerror(event: unknown): void; onend(): void } };
    heard.onerror({ error: 'not-allowed' });
    heard.onend();
  });
  await page
    .getByRole('alert')
    .getByText(/does not allow the microphone/)
    .waitFor();
  expect(v.complaints).toEqual([]);
});

walk('without speech recognition there is no dictation', async () => {
  await using v = await visit();
  const { page } = v;
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'SpeechRecognition');
    Reflect.deleteProperty(globalThis, 'webkitSpeechRecognition');
  });
  await page.reload();
  await page.getByRole('button', { name: 'Prompts' }).waitFor();
  expect(await page.getByRole('button', { name: 'Dictate' }).count()).toBe(0);
});

walk('the composer is narrow, dark and in Italian without a fault', async () => {
  await using v = await visit('Ciao', { locale: 'it-IT', colorScheme: 'dark', viewport: { width: 390, height: 844 } });
  const { page } = v;
  await page.getByRole('button', { name: 'Prompt', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Modifica i prompt nelle Note' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'composer-390-dark-it');
  expect(v.complaints).toEqual([]);
});
