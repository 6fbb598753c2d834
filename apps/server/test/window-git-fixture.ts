import { expect } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TestServer } from './harness.ts';
import { faults, type Visit, visit } from './window-visit.ts';

export interface GitPage extends Visit {
  open(view: string): Promise<void>;
  /** The files under a heading. */
  group(name: string): Locator;
  press(button: string | RegExp): Promise<void>;
  /** Waits until released. */
  notice(text: string | RegExp): Promise<void>;
}

interface Seat {
  browser: Browser | undefined;
  server: TestServer;
}

/** Opens the Git view of a session. */
export async function lookAt({ browser, server }: Seat, sessionId: string): Promise<GitPage> {
  if (!browser) throw new Error('no browser');
  const seen = await visit({ browser, server, path: `/sessions/${sessionId}/git` });
  const { page } = seen;
  const nav = page.getByRole('navigation', { name: 'Repository views' });
  return {
    ...seen,
    open: (view) => nav.getByRole('button', { name: view }).click(),
    group: (name) => page.getByRole('region', { name, exact: true }),
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    notice: (text) => page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: text }).waitFor(),
  };
}

/** No violations of axe-core or the content policy. */
export async function clean({ page, complaints }: Visit): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

export async function commit(page: Page, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Commit message' }).fill(message);
  // The list of changes may still be loading.
  const button = page.getByRole('region', { name: 'Commit' }).getByRole('button', { name: /^Commit / });
  await button.and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('status').filter({ hasText: 'Committed as' }).waitFor();
}
