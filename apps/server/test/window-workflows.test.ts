import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { faults, launchBrowser, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';
import { proposed, sampleDraft } from './workflow-fixture.ts';

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

async function enter(sessionId: string, path = '/workflows'): Promise<Visit> {
  const place = await visit({ browser: browser as Browser, server, path: `/sessions/${sessionId}${path}` });
  return place;
}
const see = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

walk('opens a proposal from its conversation, shows list and graph, revises and approves it', async () => {
  const { sessionId } = await proposed(server);
  await using place = await enter(sessionId, '');
  const { page, complaints } = place;
  await page.getByRole('link', { name: 'Open proposal' }).click();
  await page.getByRole('heading', { name: 'Compare two ways' }).waitFor();
  await see(page, 'Know which is better');
  await see(page, 'The steps are read-only: no file changes, no commands.');
  await page.getByRole('region', { name: 'Budgets' }).getByText('144').waitFor();
  await page.getByRole('button', { name: /Read the first.*Read the first way\./ }).waitFor();
  expect(await faults(page)).toEqual([]);

  await page.getByRole('button', { name: /^Planned Judge/ }).click();
  const drawer = page.getByRole('complementary', { name: 'Step verdict' });
  await drawer.getByText('Say which is better.').waitFor();
  await drawer.getByText('session model').waitFor();
  await drawer.getByRole('button', { name: 'second' }).click();
  await page.getByRole('complementary', { name: 'Step second' }).getByText('Read the second way.').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await press(page, 'Graph');
  const graph = page.getByRole('region', { name: 'Workflow graph' });
  await graph.getByRole('button', { name: 'Read the second Planned' }).waitFor();
  await graph.locator('.react-flow__edge').nth(1).waitFor({ state: 'attached' });
  await press(page, 'Collapse all phases');
  const judge = graph.getByRole('button', { name: 'Show the steps of Judge' });
  await judge.waitFor();
  await graph.locator('.react-flow__edge[data-id^="link"]').waitFor({ state: 'attached' });
  expect(await faults(page)).toEqual([]);
  await judge.focus();
  await page.keyboard.press('Enter');
  const step = graph.getByRole('button', { name: 'Judge Planned' });
  await step.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Step verdict' }).waitFor();
  await press(page, 'Close step details');

  await press(page, 'Edit budgets');
  await page.getByLabel('Model requests').fill('a few');
  await press(page, 'Create new version');
  await page.getByText('Enter whole numbers from 1').waitFor();
  await page.getByLabel('Model requests').fill('2');
  await press(page, 'Create new version');
  await page.getByRole('alert').filter({ hasText: 'workflow' }).first().waitFor();
  await page.getByLabel('Model requests').fill('60');
  await page.getByLabel('Known cost (USD)').fill('1.5');
  expect(await faults(page)).toEqual([]);
  await press(page, 'Create new version');
  await see(page, 'was 144');
  await see(page, 'was no limit');
  expect(new URL(page.url()).searchParams.get('version')).toBe('2');

  expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
  await press(page, 'Approve');
  await page.getByText('Approved. It runs only after you start it.').waitFor();
  expect(await page.getByRole('button', { name: 'Start' }).isEnabled()).toBe(true);
  await page.getByRole('combobox', { name: 'Version' }).selectOption('Version 1');
  await page.getByText('A newer version exists').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await press(page, 'Open latest version');
  await press(page, 'All workflows');
  await page.getByRole('link', { name: /Compare two ways.*Approved.*Version 2/s }).waitFor();
  expect(complaints).toEqual([]);
});

/** Answers for the steps of the sample, which a test can change; held ones wait until `go`. */
function stepAnswers() {
  const answers = {
    first: 'The first costs **3**.',
    second: '## Costs\n\nThe second costs 5.',
    verdict: 'The first is better.',
  };
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  server.model.script(async ({ lastText }) => {
    if (lastText.includes('Read the first way')) {
      await gate;
      return { text: answers.first };
    }
    if (lastText.includes('Read the second way')) return { text: answers.second };
    if (!lastText.includes('Say which is better')) return { text: 'Well.' };
    return answers.verdict === ''
      ? { fault: { kind: 'status', status: 400, message: 'No.' } }
      : { text: answers.verdict };
  });
  return { answers, go };
}

walk('shows the end of a step that came while the steps were loading', async () => {
  const made = await proposed(server);
  let go: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    go = resolve;
  });
  server.model.script(async ({ lastText }) => {
    if (lastText.includes('Read the first way')) return { fault: { kind: 'hang' } };
    await isAsked;
    return { text: 'The second costs 5.' };
  });
  await using place = await enter(made.sessionId, `/workflows?workflow=${made.workflowId}&version=1`);
  const { page } = place;
  await press(page, 'Approve');
  await page.getByText('Approved. It runs only after you start it.').waitFor();
  // The answer with both steps is held until the second has ended, so it is outdated when it arrives.
  await page.route(/\/workflows\/[^/]+\/groups\//, async (route) => {
    const read = async () => {
      const response = await route.fetch();
      const rows: { nodeId: string; state: string }[] = (await response.json()).data.items;
      return { response, state: rows.find(({ nodeId }) => nodeId === 'second')?.state };
    };
    const held = await read();
    go();
    if (held.state !== undefined && held.state !== 'succeeded') {
      await until(async () => (await read()).state === 'succeeded');
      // The event has arrived by then.
      await page.waitForTimeout(500);
    }
    await route.fulfill({ response: held.response });
  });
  await press(page, 'Start');
  await page.getByRole('button', { name: /^Done Read the second/ }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

walk('starts, follows, pauses and resumes a run, retries after a failure, and shows results', async () => {
  const made = await proposed(server);
  const { answers, go } = stepAnswers();
  answers.verdict = '';
  await using place = await enter(made.sessionId, `/workflows?workflow=${made.workflowId}&version=1`);
  const { page, complaints } = place;
  await press(page, 'Approve');
  await press(page, 'Start');
  await page.getByRole('button', { name: /^Done Read the second/ }).waitFor();
  await page.getByRole('button', { name: /^Running Read the first/ }).waitFor();
  await page.getByRole('button', { name: /^Waiting for other steps Judge/ }).waitFor();
  expect(await faults(page)).toEqual([]);

  await page.getByRole('button', { name: /^Done Read the second/ }).click();
  const second = page.getByRole('complementary', { name: 'Step second' });
  await second.getByRole('heading', { name: 'Costs' }).waitFor();
  await second.getByRole('link', { name: 'Conversation' }).waitFor();
  const saved = page.waitForEvent('download');
  await second.getByRole('link', { name: 'Download' }).click();
  await saved;
  expect(await faults(page)).toEqual([]);

  await press(page, 'Pause');
  await page.getByText('Pauses after the current steps.').waitFor();
  go();
  await page.getByText('Resume at any time.').waitFor();
  await press(page, 'Resume');
  await page.getByText('Check what failed or ran out of budget').waitFor();
  await page.getByRole('button', { name: /^Failed Judge/ }).waitFor();
  await press(page, 'Graph');
  await page.getByRole('region', { name: 'Workflow graph' }).getByRole('button', { name: 'Judge Failed' }).waitFor();
  expect(await faults(page)).toEqual([]);

  answers.verdict = 'The first is better.';
  await press(page, 'Retry');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('One step is retried: Judge. 2 finished steps are kept.').waitFor();
  const over = page.waitForResponse((response) => response.url().includes('/events?') && response.status() === 204);
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Results are in the steps and were sent to the agent.').waitFor();
  await page.getByRole('region', { name: 'Workflow graph' }).getByRole('button', { name: 'Judge Done' }).waitFor();

  await press(page, 'History');
  const history = page.getByRole('list', { name: 'History' });
  await history.getByText('Paused').waitFor();
  await history.getByText('Run').last().waitFor();
  await page.getByRole('meter', { name: 'Model requests' }).waitFor();
  // Its stream has ended, and the browser was told not to reconnect.
  await over;
  expect(await page.getByText('Connection to the run lost').count()).toBe(0);
  expect(await faults(page)).toEqual([]);
  await page.getByRole('link', { name: 'The plan of this run' }).click();
  await page.getByText('Started.').waitFor();
  await press(page, 'All workflows');
  await page.getByRole('link', { name: /Compare two ways.*Done.*3 of 3 steps/s }).waitFor();
  await page.getByRole('link', { name: 'Conversation', exact: true }).click();
  await page.getByText('Workflow “Compare two ways”: Needs attention.').waitFor();
  await page.getByText('Workflow “Compare two ways”: Done.').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Open run' }).last().click();
  await page.getByText('Results are in the steps and were sent to the agent.').waitFor();
  expect(complaints).toEqual([]);
});

walk('cancels a run after confirmation and stops its running steps', async () => {
  const made = await proposed(server);
  stepAnswers();
  await using place = await enter(made.sessionId, `/workflows?workflow=${made.workflowId}&version=1`);
  const { page, complaints } = place;
  await press(page, 'Approve');
  await press(page, 'Start');
  await page.getByRole('button', { name: /^Running Read the first/ }).waitFor();
  await press(page, 'Cancel run');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
  await page.getByText('Finished steps are kept.').waitFor();
  await page.getByRole('button', { name: /^Cancelled Read the first/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

walk('a run and its page continue after a server restart', async () => {
  await using first = await testServer({ windowFolder: WINDOW_FOLDER });
  const made = await proposed(first);
  first.model.script(({ lastText }) =>
    lastText.includes('Read the second way') ? { text: 'The second costs 5.' } : { fault: { kind: 'hang' } },
  );
  await using place = await visit({ browser: browser as Browser, server: first });
  const { page, complaints } = place;
  const address = `/sessions/${made.sessionId}/workflows?workflow=${made.workflowId}&version=1`;
  await page.goto(new URL(address, first.url).href);
  await press(page, 'Approve');
  await press(page, 'Start');
  await page.getByRole('button', { name: /^Done Read the second/ }).waitFor();
  await first.stop();
  await page.getByText('Connection to the run lost').waitFor();
  await using second = await testServer({
    dataDir: first.dataDir,
    windowFolder: WINDOW_FOLDER,
    settings: { port: first.port, isPortExact: true },
    script: () => ({ text: 'The first is better.' }),
  });
  await page.getByText('Results are in the steps and were sent to the agent.').waitFor();
  await page.getByRole('button', { name: /^Done Judge tiny/ }).waitFor();
  await page.getByText('Connection to the run lost').waitFor({ state: 'detached' });
  // Completed steps were not run again.
  expect(second.model.requests.filter(({ lastText }) => lastText.includes('Read the second way.'))).toEqual([]);
  expect(complaints).toEqual([]);
});

walk('a large plan is collapsed and loads a phase and a page at a time', async () => {
  const phases = Array.from({ length: 4 }, (_, at) => ({ id: `p${at}`, label: `Part ${at}` }));
  const steps = Array.from({ length: 240 }, (_, at) => ({
    id: `s${at}`,
    phase: `p${Math.floor(at / 60)}`,
    label: `Piece ${at}`,
    instructions: `Do piece ${at}.`,
    ...(at > 0 && { dependsOn: [`s${Math.floor((at - 1) / 3)}`] }),
  }));
  const { sessionId, workflowId } = await proposed(server, sampleDraft({ title: 'Large', phases, steps }));
  await using place = await enter(sessionId, `/workflows?workflow=${workflowId}&version=1`);
  const { page, complaints } = place;
  await page.getByRole('button', { name: /^Part 0/ }).waitFor();
  expect(await page.getByRole('button', { name: /^Planned Piece/ }).count()).toBe(0);
  await page.getByRole('button', { name: /^Part 0/ }).click();
  await page.getByRole('button', { name: /^Planned Piece 49 / }).waitFor();
  await press(page, 'Show more steps');
  await page.getByRole('button', { name: /^Planned Piece 59 / }).waitFor();
  await press(page, 'Graph');
  const graph = page.getByRole('region', { name: 'Workflow graph' });
  await graph.getByRole('button', { name: 'Show the steps of Part 3' }).waitFor();
  await graph.getByRole('button', { name: 'Show the steps of Part 0' }).click();
  await graph.getByRole('button', { name: 'Piece 59 Planned' }).waitFor();
  await press(page, 'Expand all phases');
  await graph.getByRole('button', { name: 'Collapse Part 3' }).waitFor();
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

walk('a session without workflows explains how to get one and links to the palette', async () => {
  server.model.script(() => ({ text: 'Hello.' }));
  const sessionId = await server.startSession();
  await server.settled(sessionId);
  await using place = await enter(sessionId, '');
  const { page, complaints } = place;
  await page.getByText('Hello.').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Workflows');
  await page.getByRole('option', { name: 'Workflows' }).waitFor();
  await page.keyboard.press('Enter');
  await see(page, 'No workflows yet');
  expect(await faults(page)).toEqual([]);
  await page.goto(new URL(`/sessions/${sessionId}/workflows?workflow=nothing&version=1`, server.url).href);
  await page.getByRole('alert').waitFor();
  await press(page, 'All workflows');
  await see(page, 'No workflows yet');
  expect(complaints).toEqual([]);
});
