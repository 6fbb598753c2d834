import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { readStream, type TestServer, testServer, until } from './harness.ts';
import { faults, launchBrowser, shot, visit as visitAt, WINDOW_FOLDER, walk } from './window-visit.ts';

const lines = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`).join('');
const writes = (percorso: string, contenuto: string) => ({
  toolCalls: [{ name: 'scrivi', arguments: { percorso, contenuto } }],
});

const runs = (comando: string) => ({ name: 'shell', arguments: { comando } });
const reads = (percorso: string) => ({ name: 'leggi', arguments: { percorso } });

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) => {
      if (lastRole !== 'user') return { text: 'Done.' };
      if (lastText.startsWith('READ'))
        return { toolCalls: ['README.md', 'package.json', 'package.json', 'src/pages.js'].map(reads) };
      if (lastText.startsWith('AGENTS'))
        return { toolCalls: ['SLEEP', 'BREAK'].map((task) => ({ name: 'delega_sottotask', arguments: { task } })) };
      if (lastText.includes('BREAK')) return { fault: { kind: 'status', status: 400 } };
      if (lastText.includes('SLEEP')) return { toolCalls: ['echo on; sleep 60', 'echo after'].map(runs) };
      if (lastText.startsWith('QUEUE'))
        return { toolCalls: ['until [ -e go ]; do sleep 0.05; done', 'cat go'].map(runs) };
      if (lastText.startsWith('MEDIA')) return { toolCalls: [{ name: 'mcp__media__both', arguments: {} }] };
      if (lastText.startsWith('LONG')) return writes('long.txt', lines(30, 'line'));
      if (lastText.startsWith('FAIL')) return writes('../outside.txt', 'x');
      return writes('short.ts', `export const answer = ${'42 + '.repeat(60)}0;\n`);
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

async function visit(consegna: string, more: object = {}) {
  const id = await server.startSession({ consegna, linguaInterfaccia: 'en', ...more });
  await server.settled(id);
  return visitAt({ browser: browser as Browser, server, path: `/sessions/${id}` });
}

describe('an edit in the conversation', () => {
  walk('shows its first lines, wrapped, and all of them by keyboard', async () => {
    await using v = await visit('LONG');
    const { page } = v;
    const preview = page.getByRole('group', { name: 'long.txt' });
    await preview.getByText('line 12', { exact: true }).waitFor();
    expect(await preview.getByText('line 13', { exact: true }).count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    await preview.getByRole('button', { name: 'Show 18 more lines' }).press('Enter');
    const whole = page.getByRole('region', { name: 'long.txt' });
    await whole.getByText('line 30', { exact: true }).waitFor();
    const head = page.getByRole('button', { name: /Wrote.*long\.txt/ });
    expect(await head.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await preview.waitFor();
    expect(v.complaints).toEqual([]);
  });

  walk('shows a long line in colors, without scrolling sideways at 390 px either', async () => {
    await using v = await visit('SHORT');
    const { page } = v;
    const preview = page.getByRole('group', { name: 'short.ts' });
    await preview.getByText(/export/).waitFor();
    await preview.locator('span[style*="color"]').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faults(page)).toEqual([]);
    }
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await preview.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await shot(page, `edit-preview-${width}`);
    }
    expect(await preview.getByRole('button').count()).toBe(0);
  });

  walk('that failed shows nothing more than its line', async () => {
    await using v = await visit('FAIL');
    const { page } = v;
    await page.getByText('Done.', { exact: true }).waitFor();
    expect(await page.getByRole('group', { name: 'outside.txt' }).count()).toBe(0);
  });
});

describe('reads in the conversation', () => {
  walk('that follow one another are one row, which opens to each of them', async () => {
    await using v = await visit('READ');
    const { page } = v;
    const row = page.getByRole('button', { name: /Read 3 files/ });
    await row.getByText('README.md, package.json, src/pages.js').waitFor();
    await row.press('Enter');
    const calls = page.getByRole('button', { name: /^Read [^3]/ });
    await calls.nth(3).waitFor();
    expect(await faults(page)).toEqual([]);
    await calls.first().press('Enter');
    await page.getByText('# Pages').waitFor();
    await shot(page, 'reads');
    await row.press('Enter');
    expect(await calls.count()).toBe(0);
    expect(v.complaints).toEqual([]);
  });
});

describe('commands in the conversation', () => {
  walk('that run one at a time wait for those before them, without a running clock', async () => {
    const id = await server.startSession({ consegna: 'QUEUE', linguaInterfaccia: 'en', permessi: 'Full access' });
    await using v = await visitAt({ browser: browser as Browser, server, path: `/sessions/${id}` });
    const { page } = v;
    const first = page.locator('.timeline').getByRole('button', { name: /until .*go/ });
    const second = page.locator('.timeline').getByRole('button', { name: /cat go/ });
    // The clock of the one that runs.
    await first.getByText(/^\d+(\.\d)?s$/).waitFor();
    expect(await first.getByLabel('Running', { exact: true }).count()).toBe(1);
    expect(await second.locator('.tool-facts').textContent()).toBe('Waiting');
    expect(await second.getByLabel('Waiting', { exact: true }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Stop this command' }).count()).toBe(1);
    expect(await faults(page)).toEqual([]);
    await writeFile(join(server.project.path, 'go'), 'went\n');
    await second.getByLabel('Done', { exact: true }).waitFor();
    expect(await page.getByLabel('Waiting', { exact: true }).count()).toBe(0);
    await server.settled(id);
    expect(v.complaints).toEqual([]);
  });
});

describe('calls that did not finish', () => {
  walk('show in words whether they were stopped or failed, also those whose agent was', async () => {
    const id = await server.startSession({ consegna: 'AGENTS', linguaInterfaccia: 'en', permessi: 'Full access' });
    const agents = await until(async () => {
      const { data } = await server.call('GET', `/sessions/${id}/children`);
      const states = data.figli.map(({ task, motivoChiusura }: any) => `${task} ${motivoChiusura}`).sort();
      return states.join() === 'BREAK errore,SLEEP null' ? (data.figli as any[]) : undefined;
    });
    const sleeping = agents.find(({ task }) => task === 'SLEEP').sessionId;
    await readStream(server, sleeping, { isDone: ({ type }) => type === 'ToolCallOutput' });
    await server.call('POST', `/sessions/${id}/stop`);
    await server.settled(id);
    await server.settled(sleeping);
    await using v = await visitAt({ browser: browser as Browser, server, path: `/sessions/${id}` });
    const { page } = v;
    const call = (name: RegExp) => page.locator('.timeline').getByRole('button', { name });
    await call(/Start an agent.*SLEEP.*Stopped/).waitFor();
    await call(/BREAK.*Failed/).waitFor();
    const panel = page.getByRole('region', { name: 'Agents' });
    await panel.getByText('Stopped by you', { exact: true }).waitFor();
    await panel.getByText('Error', { exact: true }).waitFor();
    await panel.getByText('Timeline of all agents').click();
    const timeline = page.locator('.agent-timeline');
    await timeline.getByText('failed', { exact: true }).waitFor();
    expect(await timeline.getByText('stopped', { exact: true }).count()).toBe(2);
    expect(await faults(page)).toEqual([]);
    await page.goto(new URL(`/sessions/${sleeping}`, server.url).href);
    await call(/echo on.*Stopped/).waitFor();
    await call(/echo after.*Stopped/).waitFor();
    expect(await page.getByLabel('Failed', { exact: true }).count()).toBe(0);
    await page.getByRole('region', { name: 'Commands' }).getByText('stopped', { exact: true }).waitFor();
    expect(v.complaints).toEqual([]);
  });
});

describe('audio and PDF of an MCP tool', () => {
  walk('are a player and a download', async () => {
    const argomenti = [join(import.meta.dirname, 'media-mcp-server.mjs')];
    const definizione = { comando: 'node', argomenti, ambiente: {}, intestazioni: {} };
    await server.call('POST', '/ext/mcp', { body: { nome: 'media', ambito: 'ovunque', definizione } });
    await using v = await visit('MEDIA', { permessi: 'Full access' });
    const { page } = v;
    const player = page.locator('audio');
    await player.waitFor();
    const seconds = await player.evaluate(async (audio: HTMLAudioElement) => {
      const loaded = new Promise((resolve) => audio.addEventListener('loadedmetadata', resolve, { once: true }));
      audio.preload = 'metadata';
      audio.load();
      await loaded;
      return audio.duration;
    });
    expect(seconds).toBeCloseTo(0.1);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /june\.pdf/ }).click();
    expect((await download).suggestedFilename()).toBe('june.pdf');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await faults(page)).toEqual([]);
    }
    expect(v.complaints).toEqual([]);
  });
});
