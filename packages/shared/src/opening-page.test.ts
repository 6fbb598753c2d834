import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type OpeningAddresses, writeOpeningPage } from './opening-page.ts';

async function page(addresses: OpeningAddresses): Promise<{ html: string; mode: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'fucina-opening-'));
  try {
    const file = await writeOpeningPage(folder, addresses);
    return { html: await readFile(file, 'utf8'), mode: (await stat(file)).mode & 0o777 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the page that opens the window contains its address and only its owner can read it', async () => {
  const { html, mode } = await page({ plain: 'http://127.0.0.1:4820/?token=a"b&c' });
  expect(mode).toBe(0o600);
  expect(html).toContain('url=http://127.0.0.1:4820/#token=a%22b&amp;c"');
  expect(html).not.toContain('<script');
});

test('the name of the instance is tried without the token, and a browser without scripts opens the plain address', async () => {
  const named = 'http://fucina-1.localhost:4820/?token=<b>&c';
  const { html } = await page({ plain: 'http://127.0.0.1:4820/?token=x', named });
  expect(html).toContain('<noscript><meta http-equiv="refresh" content="0;url=http://127.0.0.1:4820/#token=x">');
  expect(html).toContain('image.src="http://fucina-1.localhost:4820/icon-192.png"');
  expect(html).toContain('go("http://fucina-1.localhost:4820/#token=%3Cb%3E&c")');
});
