import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type ResearchFixture, researchFixture } from './research-fixture.ts';
import { faults, launchBrowser, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let fixture: ResearchFixture;
let browser: Browser | undefined;
beforeAll(async () => {
  fixture = await researchFixture({ windowFolder: WINDOW_FOLDER });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await fixture[Symbol.asyncDispose]();
});

async function enter(path = ''): Promise<Visit> {
  const place = await visit({
    browser: browser as Browser,
    server: fixture.server,
    path: `/sessions/${fixture.session}/research${path}`,
  });
  return place;
}
const see = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

walk('follows a research run, pauses it, opens its sources, checks them again and deletes the report', async () => {
  await using place = await enter();
  const { page, complaints } = place;
  await see(page, 'No research yet');
  expect(await faults(page)).toEqual([]);

  const gate = fixture.hold('write');
  await page.getByLabel('Question').fill('How is steel quenched?');
  await press(page, 'Start');
  // It opens automatically once it has started, and updates by itself.
  await page.getByRole('heading', { name: 'How is steel quenched?' }).waitFor();
  await see(page, 'What is it cooled in?');
  await see(page, 'running');
  expect(await faults(page)).toEqual([]);
  await press(page, 'Pause');
  await page.getByText('Pauses after the current step.').waitFor();
  gate.go();
  await see(page, 'Paused');
  await press(page, 'Resume');
  await see(page, 'Done');
  await page.getByText('3 claims: 2 supported, one partly supported').first().waitFor();

  await press(page, 'Report');
  expect(await page.getByText('svc-research-record').count()).toBe(0);
  await page.getByRole('link', { name: '[2]' }).click();
  expect(new URL(page.url()).hash).toBe('#source-2');
  await page.locator('#source-2:target').waitFor();
  expect(await faults(page)).toEqual([]);
  await press(page, 'Claims');
  await page.getByText('The cited passage was not found in the source.').waitFor();
  await page.getByLabel('Verdict').selectOption('Partly supported');
  await see(page, 'thin blades crack in it');
  expect(await page.getByText('cools slowly and does not crack').count()).toBe(0);
  expect(await faults(page)).toEqual([]);

  fixture.pages['/water'] = 'Nothing of it is left.';
  await press(page, 'Recheck sources');
  await page.getByText('One no longer contains the cited passage').waitFor();

  await press(page, 'Export');
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Bibliography (BibTeX)' }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.bib$/);
  await press(page, 'Export');
  const printed = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'PDF, brief' }).click();
  expect((await printed).suggestedFilename()).toMatch(/\.pdf$/);

  await page.getByRole('link', { name: 'Report in the library' }).click();
  await page.getByRole('heading', { name: 'How steel is quenched.md' }).waitFor();
  await page.goBack();
  await press(page, 'Delete this research');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await see(page, 'No research yet');
  expect(complaints).toEqual([]);
});

walk('explains a run without a report and repeats it, and resumes a stopped one', async () => {
  const { write } = fixture.answers;
  fixture.answers.write = () => 'Sorry, no.';
  const id = await fixture.start('No report?');
  await fixture.ended(id);
  fixture.answers.write = write;
  await using place = await enter(`?run=${id}`);
  const { page, complaints } = place;
  await see(page, 'No report');
  await page.getByText('passes verification').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Ask again' }).click();
  expect(await page.getByLabel('Question').inputValue()).toBe('No report?');

  const gate = fixture.hold('check');
  await page.getByLabel('Depth').selectOption('Quick');
  await press(page, 'Start');
  await see(page, 'running');
  await press(page, 'Stop now');
  await see(page, 'Paused');
  gate.go();
  await press(page, 'Resume');
  await see(page, 'Done');
  await page.getByRole('button', { name: 'All research reports' }).click();
  await page
    .getByRole('link', { name: /No report\?/ })
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
});
