import type { Reply } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import {
  answerByButton,
  answerByKey,
  faults,
  launchBrowser,
  type Visit,
  visit as visitAt,
  WINDOW_FOLDER,
  walk,
} from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

const QUESTIONS = [
  {
    id: 'store',
    question: 'Where should pages be kept?',
    why: 'It decides the cache.',
    options: [{ label: 'A file' }, { label: 'SQLite', recommended: true, preview: 'CREATE TABLE page (id)' }],
  },
  {
    id: 'targets',
    question: 'Which systems?',
    why: 'Paths differ.',
    multiSelect: true,
    options: [{ label: 'Linux' }, { label: 'macOS' }],
  },
];

/** The model's behavior for a message that begins with one of these words. */
const ACTS: Record<string, Reply> = {
  ASK: { toolCalls: [{ name: 'ask_user', arguments: { questions: QUESTIONS } }] },
  PLAN: { toolCalls: [{ name: 'present_plan', arguments: { plan: '# Fix it\n\n1. One step' } }] },
  WRITE: { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'made.txt', contenuto: 'made\n' } }] },
  CREATE: { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'taken-back.txt', contenuto: 'new\n' } }] },
  RUN: {
    toolCalls: [{ name: 'shell', arguments: { comando: 'echo ready; tail -f /dev/null', descrizione: 'Waits' } }],
  },
  AGENT: { toolCalls: [{ name: 'delega_sottotask', arguments: { task: 'WRITE for the parent' } }] },
  BUSY: { fault: { kind: 'status', status: 503, retryAfter: 30 } },
  SHOW: { toolCalls: [{ name: 'artifact_create', arguments: { titolo: 'A chart', html: '<h1>Chart</h1>' } }] },
  TODO: {
    toolCalls: [
      {
        name: 'todo_write',
        arguments: {
          items: [
            { content: 'Read it', status: 'completed' },
            { content: 'Fix it', status: 'in_progress' },
          ],
        },
      },
    ],
  },
};

const IMPROVED = JSON.stringify({ prompt: 'Fix the pager and add a test.', summary: 'Says what.', principles: [] });

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText, model }) =>
      (model === 'deepseek-chat' && { fault: { kind: 'status', status: 429, retryAfter: 3_600 } }) ||
      (lastText.includes('improve me') && { text: IMPROVED }) ||
      (lastRole === 'user' && ACTS[/^\w+/.exec(lastText)?.[0] ?? '']) || { text: `Heard: ${lastText.slice(0, 80)}` },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

interface Shown extends Visit {
  id: string;
  box: Locator;
}

/** Opens a session that began with this message. */
async function shown(consegna: string, fields: Record<string, unknown> = {}): Promise<Shown> {
  const id = await server.startSession({ consegna, linguaInterfaccia: 'en', ...fields });
  const visit = await visitAt({ browser: browser as Browser, server, path: `/sessions/${id}` });
  const box = visit.page.getByRole('textbox', { name: 'Message' });
  await box.waitFor();
  return { ...visit, id, box };
}

async function clean({ page, complaints }: Visit): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

const eventsOf = async (id: string, type: string): Promise<any[]> =>
  (await server.events(id)).filter((event) => event.type === type);

describe('approval cards', () => {
  walk('shows the diff and approves writes to that file', async () => {
    await using v = await shown('WRITE it', { permessi: 'On request' });
    const card = v.page.getByRole('region', { name: 'Write this file?' });
    await card.getByText('made.txt').waitFor();
    await clean(v);
    await answerByKey(v.page, 'Write this file?', '4');
    await v.page.getByText(/^Heard:/).waitFor();
    expect(await eventsOf(v.id, 'ApprovalResolved')).toMatchObject([{ approvato: true, ambito: 'percorso' }]);
  });

  walk('denies with one key', async () => {
    await using v = await shown('WRITE it', { permessi: 'On request' });
    await answerByKey(v.page, 'Write this file?', '0');
    await v.page.getByText('Denied by you').first().waitFor();
    expect(await eventsOf(v.id, 'ApprovalResolved')).toMatchObject([{ approvato: false }]);
  });

  walk('selects the recommended answer, accepts several and skips one', async () => {
    await using v = await shown('ASK me');
    const card = v.page.getByRole('region', { name: 'The agent has 2 questions' });
    await card.waitFor();
    expect(await card.getByRole('radio', { name: /SQLite/ }).isChecked()).toBe(true);
    await card.getByText('CREATE TABLE').waitFor();
    expect(await card.getByRole('button', { name: 'Answer', exact: true }).isDisabled()).toBe(true);
    await card.getByRole('checkbox', { name: 'Linux' }).check();
    await card.getByRole('textbox', { name: 'Other answer' }).nth(1).fill('BeOS');
    await clean(v);
    await answerByButton(v.page, 'The agent has 2 questions', 'Answer');
    await v.page.getByText('Linux · BeOS').waitFor();
    expect(await eventsOf(v.id, 'UserQuestionResolved')).toMatchObject([
      { status: 'answered', answers: { store: 'SQLite', targets: ['Linux', 'BeOS'] } },
    ]);
  });

  walk('returns a plan with a comment and then approves it by keyboard', async () => {
    await using v = await shown('PLAN it', { modalitaOperativa: 'piano' });
    const plan = v.page.getByRole('region', { name: 'Review the plan' });
    await plan.getByRole('heading', { name: 'Fix it' }).waitFor();
    await plan.getByRole('textbox').fill('Two steps, please');
    expect(await plan.getByRole('button', { name: 'Approve, ask before edits' }).isDisabled()).toBe(true);
    await clean(v);
    await answerByButton(v.page, 'Review the plan', 'Keep planning');
    await v.page.getByText('Kept planning').waitFor();
    await v.box.fill('PLAN again');
    await v.page.keyboard.press('Enter');
    await answerByKey(v.page, 'Review the plan', '2');
    await v.page.getByText('Approved, auto-accepts edits').waitFor();
    const row = await server.settled(v.id);
    expect([row.modalitaOperativa, row.permessi]).toEqual(['normale', 'Workspace write']);
  });

  walk('shows a sub-agent’s request in the parent session', async () => {
    await using v = await shown('AGENT go', { permessi: 'On request' });
    const card = v.page.getByRole('region', { name: 'Write this file?' });
    await card.getByRole('link', { name: /From: WRITE for the parent/ }).waitFor();
    await clean(v);
    await answerByKey(v.page, 'Write this file?', '1');
    await v.page
      .getByText(/^Heard:/)
      .first()
      .waitFor();
    expect((await server.settled(v.id)).motivoChiusura).toBe('fine-lavoro');
  });
});

/** Pastes files into the page. */
function paste(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    const files = new DataTransfer();
    if (blob) files.items.add(new File([blob], 'screen.png', { type: 'image/png' }));
    files.items.add(new File(['a,b\n'], 'data.csv', { type: 'text/csv' }));
    document
      .querySelector('.composer textarea')
      ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true }));
  });
}

describe('the composer', () => {
  walk('queues, unqueues and steers during a turn, and stops with Esc', async () => {
    await using v = await shown('RUN it');
    const { page, box } = v;
    await page.getByText('ready').first().waitFor();
    for (const text of ['first', 'second']) {
      await box.fill(text);
      await page.keyboard.press('Enter');
    }
    const queue = page.getByRole('region', { name: 'Queued messages' });
    await queue.getByText('second').waitFor();
    await clean(v);
    await queue.getByRole('button', { name: 'Remove “first” from the queue' }).click();
    await queue.getByText('first').waitFor({ state: 'detached' });
    await box.fill('another way');
    await page.keyboard.press('Control+Enter');
    await page.getByText('another way').waitFor();
    await page.getByText('Steering message: read at the next safe point').waitFor();
    await box.focus();
    await page.keyboard.press('Escape');
    await queue.getByText('Queue paused').waitFor();
    await queue.getByRole('button', { name: 'Send “second” now' }).click();
    await page.getByText('Heard: second', { exact: true }).waitFor();
    await queue.waitFor({ state: 'detached' });
  });

  walk('runs a user’s shell command, shows its output and exit code, and stops one', async () => {
    await using v = await shown('hello');
    const { page, box } = v;
    await box.fill('!echo printed; exit 3');
    await page.keyboard.press('Enter');
    const command = page.getByRole('region', { name: 'Your command' });
    await command.getByText('printed', { exact: true }).waitFor();
    await command.getByText('exit 3', { exact: true }).waitFor();
    await clean(v);
    await box.fill('!tail -f /dev/null');
    await page.keyboard.press('Enter');
    await command.getByRole('button', { name: 'Stop tail -f /dev/null' }).click();
    await command.getByText('stopped').waitFor();
    await command.getByLabel('Stopped', { exact: true }).waitFor();
    expect(await command.getByLabel('Failed', { exact: true }).count()).toBe(1);
  });

  walk('sends pasted images and files with the message', async () => {
    await using v = await shown('hello');
    const { page, box } = v;
    await server.settled(v.id);
    await paste(page);
    const attached = page.getByRole('list', { name: 'Attachments' });
    await attached.getByText('allegati/data.csv').waitFor();
    await attached.getByRole('img').or(attached.locator('img')).first().waitFor();
    await page.getByLabel('Uploading').first().waitFor({ state: 'detached' });
    await clean(v);
    await box.fill('Look at these');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'screen.png' }).waitFor();
    await page.getByText('Attached files: allegati/data.csv').first().waitFor();
    const starts = await eventsOf(v.id, 'RunStarted');
    expect(starts.at(-1).input.immagini).toMatchObject([{ nome: 'screen.png' }]);
  });

  walk('lists and completes slash commands', async () => {
    await using v = await shown('hello');
    await server.settled(v.id);
    await v.box.fill('/sta');
    const list = v.page.getByRole('listbox', { name: 'Commands' });
    await list.getByRole('option', { name: /status/ }).waitFor();
    await clean(v);
    await v.page.keyboard.press('Tab');
    expect(await v.box.inputValue()).toBe('/status');
    await v.page.keyboard.press('Enter');
    await v.page.getByText('Permissions: Workspace write').waitFor();
  });

  walk('improves the draft and restores it', async () => {
    await using v = await shown('hello');
    await server.settled(v.id);
    await v.box.fill('improve me');
    await v.page.getByRole('button', { name: 'Improve the prompt with the model' }).click();
    await v.page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    expect(await v.box.inputValue()).toBe('Fix the pager and add a test.');
    await clean(v);
    await v.page.getByRole('button', { name: 'Undo', exact: true }).click();
    expect(await v.box.inputValue()).toBe('improve me');
    expect(await eventsOf(v.id, 'RunStarted')).toHaveLength(1);
  });

  walk('switches plan mode on between turns', async () => {
    await using v = await shown('hello');
    await server.settled(v.id);
    await v.page.getByRole('switch', { name: 'Plan', exact: true }).click();
    await until(async () => ((await server.settled(v.id)).modalitaOperativa === 'piano' ? true : undefined));
  });
});

describe('the conversation', () => {
  walk('isolates an HTML page of the agent and keeps the to-do list visible', async () => {
    await using v = await shown('SHOW me');
    const holder = v.page.frameLocator('iframe[title="A chart"]');
    await holder.frameLocator('iframe').getByRole('heading', { name: 'Chart' }).waitFor();
    expect(await holder.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts');
    await v.box.fill('TODO now');
    await v.page.keyboard.press('Enter');
    const todo = v.page.getByRole('region', { name: 'To-do list' });
    await todo.getByText('1 of 2').waitFor();
    await todo.getByRole('button').click();
    await todo.getByText('Read it').waitFor();
    await clean(v);
  });

  walk('moves a command to the background and stops it', async () => {
    await using v = await shown('RUN it');
    await v.page.getByRole('button', { name: 'Run in the background' }).first().click();
    await v.page.getByText('in the background').first().waitFor();
    await v.page.getByText(/^Heard:/).waitFor();
    await clean(v);
    await v.page.getByRole('button', { name: 'Stop this command' }).click();
    await v.page.getByText('ran in the background').waitFor();
  });

  walk('leaves a marker for a removed message, and forks', async () => {
    await using v = await shown('hello');
    await server.settled(v.id);
    await v.page.getByText('Heard: hello', { exact: true }).hover();
    await v.page.getByRole('button', { name: 'Remove message' }).nth(1).click();
    await v.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await v.page.getByText('Message removed').waitFor();
    await v.page.getByRole('button', { name: 'Branch conversation from here' }).click();
    await v.page.waitForURL((url) => !url.pathname.includes(v.id));
    await v.page.getByText('Message removed').waitFor();
  });

  walk('reverts a turn with its files and redoes it', async () => {
    await using v = await shown('CREATE it');
    const { page } = v;
    await server.settled(v.id);
    await page.getByRole('button', { name: 'Undo this turn' }).click();
    await page.getByRole('menuitem', { name: 'Revert files and forget turn' }).waitFor();
    await clean(v);
    await page.getByRole('menuitem', { name: 'Revert files and forget turn' }).click();
    await page.getByText('Files reverted, turn forgotten').waitFor();
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByText('Files reverted, turn forgotten').waitFor({ state: 'detached' });
    const undoEvents = (await eventsOf(v.id, 'CUSTOM')).filter(({ name }) => name === 'svc.annullamento');
    expect(undoEvents.map(({ value }) => `${value.tipo} ${value.fase}`)).toEqual([
      'undo inizio',
      'undo fine',
      'redo inizio',
      'redo fine',
    ]);
  });

  walk('shows a countdown while a provider fails, which Try now ends', async () => {
    await using v = await shown('hello');
    await server.settled(v.id);
    await v.box.fill('BUSY now');
    await v.page.keyboard.press('Enter');
    await v.page.getByText(/^The provider or the connection failed. Try 2 of 4/).waitFor();
    await clean(v);
    await v.page.getByRole('button', { name: 'Try now' }).click();
    await v.page.getByText(/^The provider or the connection failed. Try 3 of 4/).waitFor();
    await v.page.getByRole('button', { name: 'Stop' }).click();
    await v.page.getByText('Stopped by you').first().waitFor();
  });

  walk('names the fallback model that took over and the reason', async () => {
    for (const provider of ['deepseek', 'kimi']) {
      await server.call('POST', `/providers/${provider}/runtime`, { body: { endpoint: `${server.model.url}/v1` } });
      await server.call('POST', `/providers/${provider}/key`, { body: { key: `key-of-${provider}-0` } });
    }
    await using v = await shown('SWITCH', {
      modello: 'deepseek:deepseek-chat',
      fallbackProviders: [{ provider: 'kimi', model: 'kimi-k2.5' }],
    });
    await v.page.getByText('Switched from deepseek:deepseek-chat to kimi:kimi-k2.5.').waitFor();
    await v.page.getByText('The provider is rate limiting requests.').waitFor();
    await v.page.getByText('Heard: SWITCH', { exact: true }).waitFor();
    await clean(v);
  });

  walk('shows the usage of a turn and an unknown price', async () => {
    await using v = await shown('hello');
    await v.page.getByText('Price unknown').first().waitFor();
    await v.page.getByRole('heading', { name: 'Context' }).waitFor();
    await v.page.getByText('System prompt').waitFor();
    await clean(v);
  });
});
