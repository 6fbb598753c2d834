import { textStart } from '@fucina/shared';
import type { Page } from 'playwright-core';

/** Characters of a page that the model gets at once. */
const PART_CHARS = 3_600;

/** The elements of the page by role and name, each with a reference (`e12`) that is valid until the next snapshot. */
export async function snapshotOf(page: Page, part = 1): Promise<string> {
  const tree = await page.ariaSnapshot({ mode: 'ai', timeout: 10_000 });
  return `${await headOf(page)}\n${partOf(tree, part)}`;
}

export async function textOf(page: Page, part = 1): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 10_000 });
  return `${await headOf(page)}\n${partOf(text.replace(/\n{3,}/g, '\n\n'), part)}`;
}

async function headOf(page: Page): Promise<string> {
  return `# ${textStart(await page.title(), 200)}\n${textStart(page.url(), 500)}`;
}

/** Cut at line ends where possible. */
function partOf(text: string, part: number): string {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.length - from <= PART_CHARS ? text.length : text.lastIndexOf('\n', from + PART_CHARS) + 1;
    const to = end > from ? end : from + PART_CHARS;
    parts.push(text.slice(from, to));
    from = to;
  }
  if (parts.length <= 1) return part === 1 ? text : 'There is no such part.';
  const shown = parts[part - 1];
  if (shown === undefined) return `There is no such part: there are ${parts.length}.`;
  return `${shown}\n[part ${part} of ${parts.length}]`;
}
