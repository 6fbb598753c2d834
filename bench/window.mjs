// What a browser must load before the conversation shows, how long until it does, and until the command palette opens, in
// a real Chromium. FUCINA_BENCH_BEFORE names another built checkout: its window is visited by turns with this one's.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../scripts/lib.mjs';
import { follow, median, round, startBench, TOKEN } from './lib.mjs';

const CHROMIUM = process.env.FUCINA_BROWSER ?? '/usr/bin/chromium';
const BEFORE = process.env.FUCINA_BENCH_BEFORE;
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
const RUNS = 15;
/** The page preloads the palette's code half a second after it was drawn. */
const AT_REST_MS = 2_000;
/** A page is asked whether it shows its text when it probably does. */
const SHOWN_MS = 1_000;
const MOST_MS = 10_000;

/** The wall clock of this machine, with fractions: the same in Node and in a page. */
const clock = () => performance.timeOrigin + performance.now();

/**
 * Runs in a page before its own scripts: notes when the frame with the text began. The page does it itself, because the
 * browser's driver loads its own code into a page while it waits for something in it.
 */
function watchForText() {
  const watch = new MutationObserver(look);
  watch.observe(document, { childList: true, subtree: true });
  document.addEventListener('DOMContentLoaded', look);
  function look() {
    const place = document.querySelector('.timeline article, pre');
    if (!place?.textContent || globalThis.shownAt !== undefined) return;
    globalThis.shownAt = 0;
    watch.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => {
        globalThis.shownAt = performance.timeOrigin + performance.now();
      }),
    );
  }
}

/** Runs in a page: milliseconds from the shortcut until the frame in which the palette's field has the focus. */
async function openPalette() {
  const at = performance.now();
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
  const isOpen = () => document.activeElement?.matches('[role=combobox]') && document.querySelector('[role=option]');
  while (!isOpen()) await new Promise((done) => setTimeout(done, 1));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - at;
}

/** Milliseconds from the navigation until the text is on screen. */
async function show(page, address) {
  const at = clock();
  await page.goto(address, { waitUntil: 'commit' });
  for (let waited = 0; waited < MOST_MS; waited += SHOWN_MS) {
    await page.waitForTimeout(SHOWN_MS);
    const shownAt = await page.evaluate(() => globalThis.shownAt);
    if (shownAt) return shownAt - at;
  }
  throw new Error(`${address} did not show its text within ${MOST_MS} ms`);
}

async function newPage(browser, address) {
  const context = await browser.newContext();
  await context.addCookies([{ name: 'svc_token', value: TOKEN, url: new URL(address).origin }]);
  const page = await context.newPage();
  await page.addInitScript(watchForText);
  return page;
}

/** The scripts that had arrived when the text was shown. */
const scriptsOf = (page) =>
  page.evaluate(() => {
    const shown = globalThis.shownAt - performance.timeOrigin;
    const paths = performance.getEntriesByType('resource').filter(({ responseEnd }) => responseEnd <= shown);
    return paths.map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js'));
  });

/** One visit in a new profile, a second one in the same; then the palette, twice. */
async function visit(browser, { address, figures }) {
  const page = await newPage(browser, address);
  figures.first.push(await show(page, address));
  figures.scripts = await scriptsOf(page);
  figures.again.push(await show(page, address));
  await page.waitForTimeout(AT_REST_MS - SHOWN_MS);
  figures.palette.push(await page.evaluate(openPalette));
  await page.keyboard.press('Escape');
  await page.waitForTimeout(500);
  figures.paletteAgain.push(await page.evaluate(openPalette));
  await page.context().close();
}

/** The same browser and server without the window: a page that is nothing but its text. */
async function visitBare(browser, address) {
  const page = await newPage(browser, address);
  const time = await show(page, new URL('/api/v1/sessions', address).href);
  await page.context().close();
  return time;
}

/** A server with one finished session, and the address of its page. */
async function startSite(from) {
  const bench = await startBench('hello', {}, from);
  const id = await bench.start('Say hello');
  await follow(bench.port, id, (data) => data.startsWith('{"type":"RunFinished"'));
  const figures = { first: [], again: [], palette: [], paletteAgain: [], scripts: [] };
  return { bench, figures, address: `http://127.0.0.1:${bench.port}/sessions/${id}` };
}

export async function run() {
  if (!existsSync(CHROMIUM)) return [];
  const { chromium } = createRequire(join(root, 'apps/server/package.json'))('playwright-core');
  const sites = [];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  try {
    for (const from of [root, ...(BEFORE ? [BEFORE] : [])]) sites.push(await startSite(from));
    const bare = [];
    for (let index = 0; index < RUNS; index += 1) {
      for (const site of index % 2 ? sites.toReversed() : sites) await visit(browser, site);
      bare.push(await visitBare(browser, sites[0].address));
    }
    return rows(sites, bare);
  } finally {
    await browser.close();
    for (const { bench } of sites) await bench.close();
  }
}

function rows([{ figures }, before], bare) {
  const { scripts } = figures;
  const size = (path) => gzipSync(readFileSync(join(root, 'apps/window/dist', path))).length;
  const bytes = scripts.reduce((sum, path) => sum + size(path), 0);
  const method = `median of ${RUNS}, new profile each`;
  const row = (figure, name, { bar = '–', how }) => {
    const least = round(Math.min(...figures[name]), 0);
    const former = before ? `; by turns with the former build, which took ${described(before.figures[name])}` : '';
    return { figure, value: round(median(figures[name]), 0), bar, method: `${how}; least ${least}${former}` };
  };
  return [
    {
      figure: 'script before the conversation shows, kB gzip',
      value: round(bytes / 1_000, 0),
      bar: '≤ 200',
      method: `${scripts.length} files, as Chromium asked for them`,
    },
    row('conversation visible, ms', 'first', { bar: '≤ 300', how: `${method}, navigation to the frame with the text` }),
    row('the same a second time in that profile, ms', 'again', { how: `${RUNS} visits, code from the cache` }),
    {
      figure: 'the same of a page that is nothing but its text, ms',
      value: round(median(bare), 0),
      bar: '–',
      method: `${method}: the list of sessions as JSON; least ${round(Math.min(...bare), 0)}`,
    },
    row('command palette opens the first time, ms', 'palette', {
      bar: '≤ 100',
      how: `${method}, shortcut to the frame with focused field and entries, page at rest`,
    }),
    row('the same a second time, ms', 'paletteAgain', { how: 'the same pages' }),
  ];
}

/** The median, and the least. */
const described = (times) => `${round(median(times), 0)}, least ${round(Math.min(...times), 0)}`;
