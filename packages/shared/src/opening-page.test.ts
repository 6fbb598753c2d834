import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writeOpeningPage } from './opening-page.ts';

test('the page that opens the window contains its address and only its owner can read it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fucina-opening-'));
  try {
    const file = await writeOpeningPage(folder, 'http://127.0.0.1:4820/?token=a"b&c');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('url=http://127.0.0.1:4820/?token=a&quot;b&amp;c"');
  } finally {
    await rm(folder, { recursive: true });
  }
});
