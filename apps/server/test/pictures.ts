import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

/**
 * Pictures of the window, compared with those in `pictures/`. They are taken at half size in one font, so that only a
 * change of layout, text or color counts: a pixel differs above 20 % of its color range, smoothed edges left out, and at
 * most 0.4 % of the pixels of a picture may differ. `npm run pictures` takes them anew.
 */
export const PICTURE_SCALE = 0.5;
const PIXEL_TOLERANCE = 0.2;
const MAX_DIFFERENT = 0.004;
const ATTEMPTS = 8;
const FOLDER = join(import.meta.dirname, 'pictures');
const isUpdate = process.env.FUCINA_UPDATE_PICTURES === '1';

export type Replacement = readonly [pattern: string, flags: string, text: string];

/** Texts that differ in each run. */
const CHANGING: readonly Replacement[] = [
  ['\\b\\d+(?:[.,]\\d+)? ?(?:ms|s|sec)\\b(?: (?:ago|fa))?', 'g', '1 s'],
  ['\\b\\d+ ?(?:m|min|h) (?:ago|fa)\\b', 'g', '1 s'],
  ['^(?:now|ora)$', '', '1 s'],
  ['\\b\\d{1,2}:\\d{2}(?::\\d{2})?(?: [AP]M)?\\b', 'g', '12:00'],
  ['\\b\\d{1,2} [A-Z][a-z]{2,8} 20\\d\\d\\b', 'g', '1 Jan 2026'],
  ['\\b[A-Z][a-z]{2,8} \\d{1,2}, 20\\d\\d\\b', 'g', 'Jan 1, 2026'],
  ['\\b[0-9a-f]{7,40}\\b', 'g', '1234567'],
  ['127\\.0\\.0\\.1:\\d+', 'g', '127.0.0.1:4173'],
];

/** Until nothing changed for a moment: parts of a page load after it. */
async function quiet(page: Page): Promise<void> {
  await page.evaluate(
    ({ quietMs, maxMs }) =>
      new Promise<void>((resolve) => {
        const end = () => {
          observer.disconnect();
          clearTimeout(last);
          clearTimeout(timer);
          resolve();
        };
        let timer = setTimeout(end, quietMs);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(end, quietMs);
        });
        const last = setTimeout(end, maxMs);
        observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      }),
    { quietMs: 250, maxMs: 4_000 },
  );
}

/** One font, no motion, and the same text in every run. */
async function settle(page: Page, replacements: readonly Replacement[]): Promise<void> {
  await page.evaluate(
    async (all) => {
      for (const [name, font] of [
        ['--font-words', '"DejaVu Sans"'],
        ['--font-code', '"DejaVu Sans Mono"'],
      ] as const) {
        document.documentElement.style.setProperty(name, font);
      }
      await document.fonts.ready;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = all.reduce(
          (left, [pattern, flags, next]) => left.replace(new RegExp(pattern, flags), next),
          node.nodeValue ?? '',
        );
        if (text !== node.nodeValue) node.nodeValue = text;
      }
    },
    [...replacements, ...CHANGING],
  );
}

export async function picture(page: Page, replacements: readonly Replacement[]): Promise<Buffer> {
  await quiet(page);
  await settle(page, replacements);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

/**
 * Undefined if a picture of the page is as recorded; otherwise what differs, and the file with the differing pixels in
 * red. A page that is still loading is looked at again.
 */
export async function comparePicture(
  page: Page,
  name: string,
  replacements: readonly Replacement[],
): Promise<string | undefined> {
  const file = join(FOLDER, `${name}.png`);
  if (isUpdate) {
    await page.waitForLoadState('networkidle');
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, await picture(page, replacements));
    return undefined;
  }
  if (!existsSync(file)) return `${name}: there is no picture; run npm run pictures`;
  const recorded = PNG.sync.read(readFileSync(file));
  for (let attempt = 1; ; attempt += 1) {
    const taken = await picture(page, replacements);
    const { share, difference } = differenceOf(recorded, PNG.sync.read(taken));
    if (share <= MAX_DIFFERENT) return undefined;
    if (attempt < ATTEMPTS) {
      await page.waitForLoadState('networkidle');
      continue;
    }
    const shown = join(process.env.FUCINA_SHOTS ?? tmpdir(), `${name}.difference.png`);
    writeFileSync(shown, PNG.sync.write(difference));
    writeFileSync(shown.replace('.difference', '.taken'), taken);
    return `${name}: ${(share * 100).toFixed(2)} % of the pixels differ, see ${shown}`;
  }
}

/** The share of differing pixels, from 0 to 1; all of them if the sizes differ. */
function differenceOf(recorded: PNG, taken: PNG): { share: number; difference: PNG } {
  const { width, height } = recorded;
  const difference = new PNG({ width, height });
  if (width !== taken.width || height !== taken.height) return { share: 1, difference };
  const count = pixelmatch(recorded.data, taken.data, difference.data, width, height, { threshold: PIXEL_TOLERANCE });
  return { share: count / (width * height), difference };
}
