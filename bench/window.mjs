// What a browser must load before the conversation shows, and how long until it does, in a real Chromium.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../scripts/lib.mjs';
import { follow, median, nowMs, round, startBench, TOKEN } from './lib.mjs';

const CHROMIUM = process.env.FUCINA_BROWSER ?? '/usr/bin/chromium';
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Two hidden pages for popups of the address bar: each new profile spends a second of CPU on them while it is measured.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
];
const RUNS = 7;
/** The page preloads the palette's code when it is at rest. */
const AT_REST_MS = 2_500;

/** Milliseconds from the shortcut until the palette's field has the focus. */
const openPalette = (page) =>
  page.evaluate(async () => {
    const at = performance.now();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
    while (!document.activeElement?.matches('[role=combobox]')) await new Promise((done) => setTimeout(done, 1));
    return performance.now() - at;
  });

export async function run() {
  if (!existsSync(CHROMIUM)) return [];
  const { chromium } = createRequire(join(root, 'apps/server/package.json'))('playwright-core');
  const bench = await startBench('hello');
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  try {
    const id = await bench.start('Say hello');
    await follow(bench.port, id, (data) => data.startsWith('{"type":"RunFinished"'));
    const loads = [];
    const palettes = [];
    let scripts = new Set();
    for (let index = 0; index < RUNS; index += 1) {
      const context = await browser.newContext();
      await context.addCookies([{ name: 'svc_token', value: TOKEN, url: `http://127.0.0.1:${bench.port}` }]);
      const page = await context.newPage();
      const seen = new Set();
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.endsWith('.js')) seen.add(pathname);
      });
      const at = nowMs();
      await page.goto(`http://127.0.0.1:${bench.port}/sessions/${id}`, { waitUntil: 'commit' });
      await page.getByText('Hello.', { exact: true }).first().waitFor();
      loads.push(nowMs() - at);
      scripts = new Set(seen);
      await page.waitForTimeout(AT_REST_MS);
      palettes.push(await openPalette(page));
      await context.close();
    }
    const bytes = [...scripts].reduce(
      (sum, path) => sum + gzipSync(readFileSync(join(root, 'apps/window/dist', path))).length,
      0,
    );
    return [
      {
        figure: 'script before the conversation shows, kB gzip',
        value: round(bytes / 1_000, 0),
        bar: '≤ 200',
        method: `${scripts.size} files, as Chromium asked for them`,
      },
      {
        figure: 'conversation visible, ms',
        value: round(median(loads), 0),
        bar: '≤ 400',
        method: `median of ${RUNS}, new profile each, navigation to text`,
      },
      {
        figure: 'command palette opens the first time, ms',
        value: round(median(palettes), 0),
        bar: '≤ 100',
        method: `median of ${RUNS}, new profile each, shortcut to focused field`,
      },
    ];
  } finally {
    await browser.close();
    await bench.close();
  }
}
