import { symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Frame, Page } from 'playwright-core';
import { until } from './harness.ts';
import { type FilesFixture, filesFixture, type Look } from './window-files-fixture.ts';
import { delayFrames, faults, walk } from './window-visit.ts';

let fixture: FilesFixture;
/** A server that must not receive any request. */
const asked: string[] = [];
const outside = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>`;

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  let crc = 0xffffffff;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return Buffer.concat([size, body, sum]);
}

/** A grey image. */
function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc((width + 1) * height, 120));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  const elsewhere = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const made = await filesFixture({
    'src/long.ts': Array.from({ length: 300 }, (_, at) => `export const line${at + 1} = ${at};`).join('\n'),
    'README.md': `# Read me\n\nSee [the code](src/long.ts#L7) and ![net](${elsewhere}/md.png).\n\n<img src="${elsewhere}/raw.png">\n`,
    'table.csv': 'name;amount\n"a; b";12\nc;7\n',
    'page.html':
      `<!doctype html><link rel="stylesheet" href="page.css"><h1>A page</h1><img src="${elsewhere}/page.png">` +
      '<script>let told = "boxed"; try { told = parent.document.title } catch {} document.body.append(told)</script>',
    'page.css': 'h1 { color: rgb(1, 2, 3) }',
    'drawing.svg':
      `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><image href="${elsewhere}/svg.png"/>` +
      `<script>fetch("${elsewhere}/svg-script")</script><rect width="60" height="30"/></svg>`,
    'latin.txt': '',
    'empty.txt': '',
    'doc.pdf': PDF,
    'fake.docx': 'PK this is no document',
  });
  if (!made) return;
  fixture = made;
  const at = (path: string) => join(fixture.folder.path, path);
  await writeFile(at('latin.txt'), Buffer.from('perché', 'latin1'));
  await writeFile(at('picture.png'), png(640, 400));
  await writeFile(at('broken.png'), Buffer.from('no picture'));
  await symlink('/etc/hosts', at('out.txt'));
  await writeFile(at('data.bin'), Buffer.from([1, 0, 2, 0, 3]));
  const line = (number: number) => `line ${String(number).padStart(7, '0')} of a log`;
  await writeFile(at('large.log'), Array.from({ length: 200_000 }, (_, number) => line(number)).join('\n'));
  await writeFile(at('huge.log'), Array.from({ length: 20_000 }, (_, number) => line(number)).join('\n'));
  await truncate(at('huge.log'), 524_288_000);
  await writeFile(at('huge.bin'), Buffer.alloc(10));
  await truncate(at('huge.bin'), 524_288_000);
});
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
  outside.close();
});

async function clean({ page, complaints }: Look): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

const frameAt = (page: Page, part: string): Frame | undefined =>
  page.frames().find((frame) => frame.url().includes(part));

describe('a text preview', () => {
  walk('has syntax colors and line numbers and opens at the line of the address', async () => {
    await using v = await fixture.look('?file=src/long.ts&line=200');
    await v.page.getByText('export const line200 = 199;').waitFor();
    await v.page.locator('.text-line code span[style]').first().waitFor();
    expect(await v.page.locator('.text-line[data-target]').innerText()).toContain('200');
    expect(await v.page.locator('.text-line').count()).toBeLessThan(150);
    await clean(v);
  });

  walk('searches and goes to a line', async () => {
    await using v = await fixture.look('?file=src/long.ts');
    await v.page.getByRole('group', { name: 'src/long.ts' }).focus();
    await v.page.keyboard.press('Control+f');
    await v.page.getByRole('textbox', { name: 'Find' }).fill('LINE29');
    await v.page.getByText('1 of 11').waitFor();
    await v.page.keyboard.press('Enter');
    await v.page.getByText('2 of 11').waitFor();
    await v.page.locator('mark[data-current]').waitFor();
    await clean(v);
    await v.page.getByRole('textbox', { name: 'Go to line' }).fill('150');
    await v.page.keyboard.press('Enter');
    await v.page.locator('.text-line[data-target]').waitFor();
    expect(new URL(v.page.url()).searchParams.get('line')).toBe('150');
    await v.page.keyboard.press('Escape');
    await v.page.getByRole('search').waitFor({ state: 'detached' });
  });

  walk('keeps the letters that are typed before the opened search is drawn', async () => {
    await using v = await fixture.look('?file=src/long.ts');
    await v.page.getByRole('group', { name: 'src/long.ts' }).focus();
    await delayFrames(v.page, 500);
    await v.page.keyboard.press('Control+f');
    await v.page.keyboard.type('line');
    await v.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await v.page.keyboard.type('29');
    expect(await v.page.getByRole('textbox', { name: 'Find' }).inputValue()).toBe('line29');
    expect(v.complaints).toEqual([]);
  });

  walk('uses the encoding of the file, and can be empty', async () => {
    await using v = await fixture.look('?file=latin.txt');
    await v.page.getByText('perché').waitFor();
    await v.goto('?file=empty.txt');
    await v.page.getByText('0 bytes').waitFor();
    await clean(v);
  });

  walk('loads a large file in windows and searches all of it', async () => {
    await using v = await fixture.look('?file=large.log');
    await v.page.getByText('line 0000000 of a log').waitFor();
    await v.page.getByRole('button', { name: 'Next part' }).click();
    await v.page.getByText('line 0000000 of a log').waitFor({ state: 'detached' });
    await v.page.getByRole('button', { name: 'Previous part' }).click();
    await v.page.getByText('line 0000000 of a log').waitFor();
    await v.page.getByRole('button', { name: 'Find' }).click();
    await v.page.getByRole('textbox', { name: 'Find' }).fill('line 0199998');
    await v.page.keyboard.press('Enter');
    await v.page.getByText('line 0199998 of a log').waitFor();
    await clean(v);
    await v.page.getByRole('textbox', { name: 'Find' }).fill('no such words');
    await v.page.keyboard.press('Enter');
    await v.page.getByText('No matches up to the end of the file.').waitFor();
  });

  walk('loads a 500 MB file in parts of at most 256 KiB', async () => {
    await using v = await fixture.look();
    const carried: number[] = [];
    v.page.on('response', (response) => {
      if (response.url().includes('/file?')) carried.push(Number(response.headers()['content-length']));
    });
    await v.row('huge.log').click();
    await v.page.getByText('line 0000000 of a log').waitFor();
    await v.page.getByRole('slider', { name: 'Part of the file' }).press('End');
    await v.page.getByText('– 524.3 MB of 524.3 MB').waitFor();
    // The type is detected by its first bytes: binary data without a known type has no preview.
    await v.goto('?file=huge.bin');
    await v.page.getByText('No preview for this file type').waitFor();
    await v.page.getByText('524.3 MB').first().waitFor();
    expect(Math.max(...carried)).toBeLessThanOrEqual(262_144);
    await clean(v);
  });

  walk('downloads a file above the size limit in parts', async () => {
    await truncate(join(fixture.folder.path, 'huge.bin'), 90_000_000);
    await using v = await fixture.look();
    // A folder of the browser's own file system replaces the user's choice.
    await v.page.addInitScript(() => {
      Object.assign(globalThis, {
        showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
          (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
      });
    });
    await v.goto('?file=huge.bin');
    await v.page.getByRole('button', { name: 'Download' }).first().click();
    const saved = () =>
      v.page.evaluate(async () => {
        const handle = await (await navigator.storage.getDirectory()).getFileHandle('huge.bin', { create: true });
        return (await handle.getFile()).size;
      });
    expect(await until(async () => ((await saved()) > 0 ? saved() : undefined))).toBe(90_000_000);
    await clean(v);
  });
});

describe('other previews', () => {
  walk('renders Markdown and tables, or shows their source', async () => {
    await using v = await fixture.look('?file=README.md');
    await v.page.getByRole('heading', { name: 'Read me' }).waitFor();
    await v.page.getByRole('button', { name: 'Source' }).click();
    await v.page.getByText('# Read me').waitFor();
    await v.page.getByRole('button', { name: 'Preview' }).click();
    await v.page.getByRole('link', { name: 'the code' }).click();
    await v.page.locator('.text-line[data-target]', { hasText: 'line7' }).waitFor();
    await v.goto('?file=table.csv');
    await v.page.getByRole('columnheader', { name: 'amount' }).waitFor();
    await v.page.getByRole('cell', { name: 'a; b' }).waitFor();
    await clean(v);
  });

  walk('zooms images and fits them', async () => {
    await using v = await fixture.look('?file=picture.png');
    await v.page.getByText('640 × 400').waitFor();
    await v.page.getByRole('button', { name: 'Zoom in' }).click();
    await v.page.getByText('150%').waitFor();
    expect((await v.page.getByRole('img', { name: 'picture.png' }).boundingBox())?.width).toBe(960);
    await clean(v);
    await v.goto('?file=drawing.svg');
    await v.page.getByText('60 × 30').waitFor();
    await v.goto('?file=broken.png');
    await v.page.getByText('This image cannot be displayed').waitFor();
    await clean(v);
  });

  walk('shows an HTML page sandboxed with its assets', async () => {
    await using v = await fixture.look('?file=page.html');
    await v.page.getByText('Sandboxed: can only load files next to it.').waitFor();
    const frame = v.page.frameLocator('iframe').frameLocator('iframe');
    await frame.getByText('boxed').waitFor();
    expect(await frame.locator('h1').evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)');
    expect(await frame.locator('h1').evaluate(() => origin)).toBe('null');
  });

  walk('shows a PDF, a Word document and a presentation', async () => {
    await using v = await fixture.look('?file=doc.pdf', 'REPORT it.');
    await v.page.locator('iframe[title="doc.pdf"]').waitFor();
    await v.goto('?file=Report.docx');
    await v.page.frameLocator('iframe').getByText('Words of the report').waitFor();
    expect(frameAt(v.page, '/lettore/ospite')).toBeDefined();
    await clean(v);
    await v.goto('?file=Talk.pptx');
    await v.page.frameLocator('iframe').getByText('First slide').first().waitFor();
    await v.goto('?file=fake.docx');
    await v.page.getByText('This document cannot be displayed').waitFor();
    await clean(v);
  });

  walk('reports a file without preview and a missing file', async () => {
    await using v = await fixture.look('?file=data.bin');
    await v.page.getByText('No preview for this file type').waitFor();
    await v.page.getByText('5 bytes').first().waitFor();
    await clean(v);
    await v.goto('?file=nowhere.txt');
    await v.page.getByText('File not found').waitFor();
    await clean(v);
    await v.goto('?file=out.txt');
    await v.page.getByText('This link points outside the folder').waitFor();
    await v.goto('?file=src');
    await v.page.getByRole('button', { name: 'Open in tree' }).click();
    await v.row('long.ts').waitFor();
    await clean(v);
  });

  walk('loads nothing from other hosts', async () => {
    expect(asked).toEqual([]);
  });
});

describe('file tabs', () => {
  walk('reopen, switch and close, and follow the address', async () => {
    await using v = await fixture.look();
    for (const name of ['README.md', 'table.csv', 'latin.txt']) await v.row(name).click();
    const tab = (name: string) => v.page.getByRole('tab', { name });
    await tab('latin.txt')
      .and(v.page.getByRole('tab', { selected: true }))
      .waitFor();
    await tab('latin.txt').focus();
    await v.page.keyboard.press('ArrowLeft');
    await v.page.getByRole('columnheader', { name: 'amount' }).waitFor();
    await v.page.keyboard.press('Delete');
    await tab('table.csv').waitFor({ state: 'detached' });
    await v.page.getByText('perché').waitFor();
    await clean(v);
    await v.page.keyboard.press('Alt+Shift+KeyW');
    await v.page.getByRole('columnheader', { name: 'amount' }).waitFor();
    await v.page.goBack();
    await v.page.getByText('perché').waitFor();
    expect(await v.page.getByRole('tab').count()).toBe(3);
  });

  walk('are there for every file that was opened, also one right after the other', async () => {
    await using v = await fixture.look();
    const names = ['README.md', 'table.csv', 'latin.txt'];
    await v.row('table.csv').waitFor();
    await v.page.evaluate((all) => {
      const rows = [...document.querySelectorAll<HTMLElement>('[role="treeitem"]')];
      for (const name of all) rows.find((row) => row.querySelector('.tree-name')?.textContent === name)?.click();
    }, names);
    await v.page.getByRole('tab', { name: 'latin.txt', selected: true }).waitFor();
    expect(await v.page.getByRole('tab').allInnerTexts()).toEqual(names);
    await clean(v);
  });

  walk('follow renames and content changes of their file', async () => {
    await writeFile(join(fixture.folder.path, 'called-so.txt'), 'the same words');
    await using v = await fixture.look('?file=called-so.txt');
    await v.page.getByText('the same words').waitFor();
    await v.page.getByRole('button', { name: 'Actions for called-so.txt' }).click();
    await v.page.getByRole('menuitem', { name: 'Rename' }).click();
    await v.page.getByRole('textbox', { name: 'Rename' }).fill('called-otherwise.txt');
    await v.page.keyboard.press('Enter');
    await v.page.getByRole('tab', { name: 'called-otherwise.txt', selected: true }).waitFor();
    expect(new URL(v.page.url()).searchParams.get('file')).toBe('called-otherwise.txt');
    await v.page.getByText('the same words').waitFor();
    await clean(v);
    await writeFile(join(fixture.folder.path, 'called-otherwise.txt'), 'the SAME words');
    await v.page.getByText('the SAME words').waitFor();
  });
});
