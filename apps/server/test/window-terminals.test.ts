import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { faults, launchBrowser, openView, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

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

async function settledSession(on = server): Promise<string> {
  const id = await on.startSession();
  await on.settled(id);
  return id;
}

/** Replaces a stopped server: the same data, the same address. */
async function startedAgain({ dataDir, port }: TestServer): Promise<TestServer> {
  const later = await testServer({ windowFolder: WINDOW_FOLDER, dataDir, settings: { port } });
  expect(later.port).toBe(port);
  return later;
}

async function enter(session?: string): Promise<Visit & { session: string }> {
  const id = session ?? (await settledSession());
  const place = await visit({ browser: browser as Browser, server, path: `/sessions/${id}` });
  await openView(place.page, 'Terminal');
  await place.page.getByRole('tab', { name: 'Terminal 1' }).waitFor();
  await isListening(place.page);
  return { ...place, session: id };
}

const screenText = (page: Page): Promise<string> => page.locator('.xterm-rows').innerText();
/** Keys go to the shell, which has responded. */
async function isListening(page: Page): Promise<void> {
  await page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' });
  await sees(page, /[#$%>]/);
}
const PATIENCE_MS = 60_000;
/** Fails with the current content of the screen. */
async function sees(page: Page, part: string | RegExp): Promise<string> {
  const last = Date.now() + PATIENCE_MS;
  return until(async () => {
    const text = (await screenText(page)).replaceAll('\u00a0', ' ');
    if (typeof part === 'string' ? text.includes(part) : part.test(text)) return text;
    if (Date.now() > last) throw new Error(`The terminal never showed ${part}:\n${text}`);
    return undefined;
  });
}
async function run(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

walk('runs a shell in the folder with colors, the right size and full-screen programs', async () => {
  await using place = await enter();
  const { page, complaints } = place;
  await run(page, "cd . && echo in $(basename $PWD) on''e");
  await sees(page, /in .* one/);
  await run(page, "printf '\\033[38;2;200;40;10mtr''ue\\033[0m \\033[31mr''ed\\033[0m\\n'");
  await sees(page, 'true');
  const colour = (text: string) =>
    page
      .locator('.xterm-rows span', { hasText: new RegExp(`^${text}$`) })
      .last()
      .evaluate((element) => getComputedStyle(element).color);
  const plain = await page.locator('.xterm-rows').evaluate((element) => getComputedStyle(element).color);
  expect(await colour('red')).not.toBe(plain);
  expect(await colour('true')).not.toBe(plain);
  await run(page, 'stty size');
  const [, rows, cols] = /^(\d+) (\d+)\s*$/m.exec(await sees(page, /^\d+ \d+\s*$/m)) ?? [];
  expect(Number(rows)).toBeGreaterThan(20);
  expect(Number(cols)).toBeGreaterThan(60);
  expect(await faults(page)).toEqual([]);

  await writeFile(join(server.project.path, 'forge.txt'), 'first line\nsecond line\n');
  const hasVim = await page.evaluate(() => true).then(() => isInstalled('vim'));
  await run(page, hasVim ? 'vim -u NONE -N forge.txt' : 'less forge.txt');
  await sees(page, 'second line');
  if (hasVim) {
    await page.keyboard.type('ix');
    await sees(page, 'xfirst line');
    await page.keyboard.press('Escape');
    await page.keyboard.type(':wq\n');
    // An editor that ends discards what was typed in the meantime.
    await sees(page, /-N forge\.txt\s+\S*[#$%>]/);
    await run(page, "head -c 3 forge.txt; echo sa''ved");
    await sees(page, /xfisaved/);
  } else await page.keyboard.type('q');
  expect(complaints).toEqual([]);
});

async function isInstalled(program: string): Promise<boolean> {
  const { spawnSync } = await import('node:child_process');
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

walk('opens independent tabs, closes one by key and never traps the keyboard', async () => {
  await using place = await enter();
  const { page, complaints } = place;
  await run(page, "NAME=fi''rst; echo $NAME");
  await sees(page, 'first');
  await page.keyboard.press('Control+Shift+Backquote');
  await page.getByRole('tab', { name: 'Terminal 2', selected: true }).waitFor();
  await sees(page, /[#$]/);
  await run(page, 'echo "[$NAME]"');
  await sees(page, '[]');
  await page.getByRole('tab', { name: 'Terminal 1' }).click();
  // Earlier output is shown again, and the shell is the same.
  await sees(page, 'first');
  await page.locator('.xterm-helper-textarea').focus();
  await run(page, 'echo "[$NAME]"');
  await sees(page, '[first]');
  await page.keyboard.press('Control+Backquote');
  await page.waitForURL(/sessions\/[\w-]+$/);
  // The address changes first: these tabs are of the view that is left.
  await page.getByRole('tab', { name: 'Terminal 1' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Backquote');
  await isListening(page);
  await page.getByRole('tab', { name: 'Terminal 1' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'Terminal 2', selected: true }).waitFor();
  await page.keyboard.press('Delete');
  await page.getByRole('tab', { name: 'Terminal 2' }).waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Terminal 1' }).press('Delete');
  await page.getByText('No open terminals').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'New terminal' }).last().click();
  await sees(page, /[#$]/);
  expect(complaints).toEqual([]);
});

walk('finds, copies and pastes text, blocks clipboard escapes and confirms links', async () => {
  await using place = await enter();
  const { page, complaints } = place;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('echo pas${EMPTY}ted'));
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.press('Control+Shift+KeyV');
  await page.keyboard.press('Enter');
  await sees(page, 'pasted');
  await run(
    page,
    "printf '\\033]52;c;aGFja2Vk\\a\\033]1337;Copy=:aGFja2Vk\\a\\033]8;;http://evil.example\\awo''rds\\033]8;;\\a\\n'",
  );
  await sees(page, 'words');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('echo pas${EMPTY}ted');

  await run(page, "for n in 1 2 3; do echo need''le $n; done");
  await sees(page, 'needle 3');
  await page.keyboard.press('Control+KeyF');
  await page.getByRole('textbox', { name: 'Find' }).fill('needle');
  await page.getByText('3 of 3').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('2 of 3').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // The match is selected and can be copied.
  await page.keyboard.press('Control+Shift+KeyC');
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === 'needle' || undefined);

  await run(page, "clear; echo see http://exam''ple.com/a ; echo file:///etc/passwd");
  await sees(page, 'http://example.com/a');
  // The screen element covers its lines.
  const line = page.locator('.xterm-rows > div', { hasText: 'see http://example.com/a' }).last();
  const { x, y } = (await line.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 60, y + 8);
  await page.mouse.move(x + 64, y + 8);
  await page.mouse.click(x + 64, y + 8);
  const dialog = page.getByRole('dialog', { name: 'Open this link?' });
  await dialog.getByText('http://example.com/a').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

walk('shows the exit code of a shell, restarts it, and follows the theme', async () => {
  await using place = await enter();
  const { page, complaints } = place;
  await run(page, 'exit 3');
  await page.getByText('The shell exited with code 3.').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Restart' }).click();
  await run(page, "echo ag''ain");
  await sees(page, 'again');
  const fixture = () =>
    page.locator('.xterm-scrollable-element').evaluate((element) => getComputedStyle(element).backgroundColor);
  const before = await fixture();
  await page.emulateMedia({ colorScheme: before === (await fixture()) ? 'dark' : 'light' });
  await until(async () => ((await fixture()) === before ? undefined : true));
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

walk('stays responsive during endless output and stops it with one key', async () => {
  await using place = await enter();
  const { page, complaints } = place;
  await sees(page, /[#$]/);
  await run(page, 'yes flood');
  await sees(page, 'flood');
  const longest = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let last = performance.now();
        let most = 0;
        const end = last + 3_000;
        const tick = (): void => {
          const now = performance.now();
          most = Math.max(most, now - last);
          last = now;
          if (now < end) requestAnimationFrame(tick);
          else resolve(most);
        };
        requestAnimationFrame(tick);
      }),
  );
  expect(longest).toBeLessThan(500);
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.press('Control+KeyC');
  await run(page, "clear; echo ca''lm");
  await sees(page, 'calm');
  expect(complaints).toEqual([]);
});

walk('reports shells ended by a server restart and continues', async () => {
  await using own = await testServer({ windowFolder: WINDOW_FOLDER });
  const id = await settledSession(own);
  await using place = await visit({ browser: browser as Browser, server: own, path: `/sessions/${id}/terminal` });
  const { page } = place;
  await sees(page, /[#$]/);
  await run(page, "echo bef''ore");
  await sees(page, 'before');
  await own.stop();
  await page.getByText('The server is not responding.').first().waitFor();
  await using _later = await startedAgain(own);
  await page.getByText('The server was restarted. This is a new shell.').waitFor();
  await page.locator('.xterm-helper-textarea').focus();
  await run(page, "echo af''ter");
  expect(await sees(page, 'after')).not.toContain('before');
});

walk('keeps the tab when a restarted server lists terminals before the shell reconnects', async () => {
  await using own = await testServer({ windowFolder: WINDOW_FOLDER });
  const id = await settledSession(own);
  await using place = await visit({ browser: browser as Browser, server: own });
  const { page } = place;
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL) {
        super(Reflect.get(window, 'isHeldBack') ? new URL('/nowhere', url) : url);
      }
    };
  });
  await page.goto(new URL(`/sessions/${id}/terminal`, own.url).href);
  await sees(page, /[#$]/);
  await page.evaluate(() => Reflect.set(window, 'isHeldBack', true));
  await own.stop();
  await page.getByText('The server is not responding.').first().waitFor();
  await using _later = await startedAgain(own);
  const lists: string[] = [];
  page.on('response', async (response) => {
    if (response.ok() && response.url().endsWith('/terminals')) lists.push(await response.text());
  });
  await until(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    return lists[0];
  });
  expect(JSON.parse(lists[0] ?? '')).toMatchObject({ data: { items: [] } });
  await page.evaluate(() => Reflect.set(window, 'isHeldBack', false));
  await page.getByText('The server was restarted. This is a new shell.').waitFor();
  await page.getByRole('tab', { name: 'Terminal 1' }).waitFor();
});
