import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Frame, Page } from 'playwright-core';
import { covers } from './covers.ts';
import { type TestServer, testServer, until } from './harness.ts';
import { faults, launchBrowser, visit, WINDOW_FOLDER, walk } from './window-visit.ts';
import { zipOf } from './zip-file.ts';

let server: TestServer;
let browser: Browser | undefined;
/** A server that must not receive any request. */
const asked: string[] = [];
const outside = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});
let elsewhere: string;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const report = {
  blocks: [
    { type: 'h', text: 'Bilancio di prova' },
    { type: 'p', text: 'Un paragrafo con accenti: perché, città, €.' },
    {
      type: 'table',
      header: ['Area', 'Valore'],
      rows: [
        ['Nord', 10],
        ['Sud', 7],
      ],
    },
  ],
};
const slides = [
  { title: 'Prima diapositiva', bullets: ['Uno', 'Due', 'Tre'] },
  { title: 'Seconda diapositiva', bullets: ['Testo libero'] },
];

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  browser = await launchBrowser();
  server = await testServer({ windowFolder: WINDOW_FOLDER });
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
  outside.close();
});

covers('pages.guest', 'serves a page that loads only its own scripts, with a fresh nonce', async () => {
  const first = await server.call('GET', '/lettore/ospite');
  const policy = first.headers.get('content-security-policy') ?? '';
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(policy).toMatch(
    /^sandbox allow-scripts; default-src 'none'; script-src 'nonce-[\w+/=]{24}'; style-src 'nonce-/,
  );
  expect(policy).toMatch(/img-src data: blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'$/);
  expect(first.text).toContain('/lettore-ospite-documento.js');
  expect(first.text).toContain('/lettore-ospite-presentazione.js');
  const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
  expect(first.text.split(`nonce="${nonce}"`)).toHaveLength(3);
  expect((await server.call('GET', '/lettore/ospite')).headers.get('content-security-policy')).not.toBe(policy);
});

covers('ext.pages.diagrams', 'serves a page without network that runs only the drawing script', async () => {
  const first = await server.call('GET', '/ext/pages/diagrams');
  const policy = first.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'nonce-[\w+/=]{24}'; /);
  expect(policy).toMatch(/style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; /);
  const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
  expect(first.text).toContain(`<script nonce="${nonce}" src="/diagrammi.js">`);
  expect((await server.call('GET', '/ext/pages/diagrams')).headers.get('content-security-policy')).not.toBe(policy);
});

test('refuses parameters, other sites and callers without the cookie', async () => {
  expect((await server.call('GET', '/lettore/ospite', { query: { a: '1' } })).code).toBe('QUERY_INVALID');
  expect((await server.call('GET', '/lettore/ospite', { isAnonymous: true })).code).toBe('AUTH_REQUIRED');
  const foreign = await server.call('GET', '/lettore/ospite', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(foreign.code).toBe('ORIGIN_FORBIDDEN');
  expect((await server.call('POST', '/lettore/ospite')).status).toBe(405);
});

/** A document created by the agent's own tool. */
async function made(call: Record<string, unknown>, name: string): Promise<Buffer> {
  let step = 0;
  server.model.script(() =>
    step++ === 0 ? { toolCalls: [{ name: 'document_create', arguments: call }] } : { text: 'Done.' },
  );
  await server.settled(await server.startSession({ permessi: 'Workspace write' }));
  return readFile(join(server.project.path, name));
}

interface GuestMessage {
  fase?: string;
  motivo?: string;
  parti?: number;
}

/** Frames the guest page as the window does, sends it the bytes, and waits for its result. */
async function shown(
  page: Page,
  { bytes, formato }: { bytes: Buffer; formato: string },
): Promise<{ sent: GuestMessage; frame: Frame }> {
  const sent = await page.evaluate(
    async ({ text, format }) => {
      const data = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.title = 'guest';
      frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;z-index:9999;border:0';
      const verdict = new Promise<GuestMessage>((resolve) => {
        addEventListener('message', ({ source, data: message }) => {
          if (source !== frame.contentWindow) return;
          if (message.fase !== 'attesa') return resolve(message);
          frame.contentWindow?.postMessage(
            { type: 'svc-lettore-documento', formato: format, bytes: data, lingua: 'it', aspetto: 'light' },
            '*',
          );
        });
      });
      frame.src = '/api/v1/lettore/ospite';
      document.body.append(frame);
      return verdict;
    },
    { text: bytes.toString('base64'), format: formato },
  );
  const frame = page.frames().find((candidate) => candidate.url().endsWith('/lettore/ospite'));
  return { sent, frame: frame as Frame };
}

const textOf = (frame: Frame): Promise<string> => frame.locator('main').innerText();

describe('in Chromium', () => {
  walk('shows a Word document of the agent', async () => {
    const bytes = await made({ format: 'docx', title: 'Bilancio', report }, 'Bilancio.docx');
    await using v = await visit({ browser: browser as Browser, server });
    const { sent, frame } = await shown(v.page, { bytes, formato: 'documento' });
    expect(sent).toMatchObject({ fase: 'mostrato', parti: 1 });
    const text = await textOf(frame);
    expect(text).toContain('Bilancio di prova');
    expect(text).toContain('perché, città, €');
    expect(await frame.locator('td', { hasText: 'Nord' }).count()).toBe(1);
    expect(await faults(v.page)).toEqual([]);
    expect(v.complaints).toEqual([]);
  });

  walk('shows a presentation of the agent slide by slide', async () => {
    const bytes = await made({ format: 'pptx', title: 'Lancio', slides }, 'Lancio.pptx');
    await using v = await visit({ browser: browser as Browser, server });
    const { sent, frame } = await shown(v.page, { bytes, formato: 'presentazione' });
    expect(sent).toMatchObject({ fase: 'mostrato' });
    expect(sent.parti).toBeGreaterThanOrEqual(2);
    const text = await textOf(frame);
    for (const part of ['Prima diapositiva', 'Uno', 'Tre', 'Seconda diapositiva', 'Testo libero'])
      expect(text).toContain(part);
    expect(await frame.locator('section.slide').count()).toBe(sent.parti);

    expect(v.complaints).toEqual([]);
  });

  walk('runs and loads nothing from a hostile Word document', async () => {
    const bytes = hostileDocument();
    await using v = await visit({ browser: browser as Browser, server });
    const requests: string[] = [];
    v.page.on('request', (request) => requests.push(request.url()));
    const { sent, frame } = await shown(v.page, { bytes, formato: 'documento' });
    expect(sent).toMatchObject({ fase: 'mostrato' });
    expect(await textOf(frame)).toContain('A link');
    expect(await textOf(frame)).toContain('javascript:alert(1)');
    // No link works, no external image is loaded, and nothing in the text became an element.
    expect(await frame.locator('[href], script[src*="evil"], iframe, object, form').count()).toBe(0);
    expect(
      await frame.locator('img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src.slice(0, 5))),
    ).toEqual(['data:']);
    await frame.locator('.away').first().click();
    expect(frame.url()).toMatch(/lettore\/ospite$/);
    expect(await frame.evaluate(() => (globalThis as any).ran)).toBeUndefined();
    await closed(requests);
  });

  walk('runs and loads nothing from a hostile presentation', async () => {
    await using v = await visit({ browser: browser as Browser, server });
    const requests: string[] = [];
    v.page.on('request', (request) => requests.push(request.url()));
    const { sent, frame } = await shown(v.page, { bytes: hostilePresentation(), formato: 'presentazione' });
    expect(sent).toMatchObject({ fase: 'mostrato', parti: 1 });
    expect(await textOf(frame)).toContain('<script>globalThis.ran=1</script>');
    expect(await frame.locator('[href], iframe, object').count()).toBe(0);
    expect(await frame.locator('img').count()).toBe(0);
    expect(await frame.evaluate(() => (globalThis as any).ran)).toBeUndefined();
    await closed(requests);
  });

  walk('has its own origin without cookie, storage or API access', async () => {
    await using v = await visit({ browser: browser as Browser, server });
    const { frame } = await shown(v.page, { bytes: hostileDocument(), formato: 'documento' });
    const reached = await frame.evaluate(async (away) => {
      const tries: Record<string, () => unknown> = {
        cookie: () => document.cookie,
        storage: () => localStorage.length,
        parent: () => parent.document.title,
        health: () => fetch('/api/v1/health'),
        away: () => fetch(away),
      };
      const got: string[] = [];
      for (const [name, act] of Object.entries(tries)) {
        const isReached = await (async () => act())().then(
          () => true,
          () => false,
        );
        if (isReached) got.push(name);
      }
      return got;
    }, elsewhere);
    expect(reached).toEqual([]);
  });

  walk.each([
    ['no zip at all', () => Buffer.from('plain text'), 'documento', 'formato'],
    ['a zip that is no document', () => zipOf({ 'a.txt': 'a' }), 'documento', 'formato'],
    ['a zip that is no presentation', () => zipOf({ 'a.txt': 'a' }), 'presentazione', 'formato'],
    ['a document cut in the middle', () => hostileDocument().subarray(0, 300), 'documento', 'formato'],
    ['a document whose text is damaged', () => zipOf({ 'word/document.xml': '<w:doc' }), 'documento', 'danneggiato'],
    ['definitions that would blow up', () => bomb(), 'presentazione', 'danneggiato'],
    ['what inflates beyond every measure', () => inflating(), 'documento', 'troppo-grande'],
    ['a format that is not known', () => Buffer.from('x'), 'foglio', 'formato'],
  ])('says why it cannot show %s', async (_name, bytes, formato, motivo) => {
    await using v = await visit({ browser: browser as Browser, server });
    const { sent, frame } = await shown(v.page, { bytes: bytes(), formato });
    expect(sent).toEqual({ type: 'svc-lettore-ospite-errore', motivo });
    expect(await textOf(frame)).toBe('');
  });
});

async function closed(requests: readonly string[]): Promise<void> {
  // One request that does reach the outside server: earlier ones would be recorded there, too.
  await until(async () => (await fetch(`${elsewhere}/mine`)).ok);
  expect(asked.splice(0)).toEqual(['/mine']);
  const foreign = requests.filter((url) => !url.startsWith(server.url) && !/^(?:data|blob):/.test(url));
  expect(foreign).toEqual([]);
}

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relations = (...rows: string[]): string => `<Relationships xmlns="${RELATIONS}">${rows.join('')}</Relationships>`;
const relation = (id: string, type: string, target: string, isAway = false): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${isAway ? ' TargetMode="External"' : ''}/>`;

function hostileDocument(): Buffer {
  const drawing = (id: string, how: string): string =>
    `<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="p" descr="&quot; onerror=&quot;globalThis.ran=1"/><a:graphic ${A}><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:${how}="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  const link = (id: string, text: string): string =>
    `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`;
  return zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'word/document.xml')),
    'word/_rels/document.xml.rels': relations(
      relation('away', 'hyperlink', `${elsewhere}/link`, true),
      relation('script', 'hyperlink', 'javascript:alert(1)', true),
      relation('remote', 'image', `${elsewhere}/image.png`, true),
      relation('local', 'image', 'media/a.png'),
    ),
    'word/media/a.png': Buffer.from(PNG, 'base64'),
    'word/document.xml': `<w:document ${W} ${R}><w:body>${link('away', 'A link')}${link('script', 'A script')}<w:p><w:r><w:t>&lt;script&gt;globalThis.ran=1&lt;/script&gt;&lt;img src=x onerror=globalThis.ran=1&gt;</w:t></w:r></w:p><w:p>${drawing('local', 'embed')}</w:p><w:p>${drawing('remote', 'link')}</w:p></w:body></w:document>`,
  });
}

const P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';

function hostilePresentation(): Buffer {
  return zipOf({
    'ppt/presentation.xml': `<p:presentation ${P} ${R}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(relation('rId1', 'slide', 'slides/slide1.xml')),
    'ppt/slides/_rels/slide1.xml.rels': relations(
      relation('remote', 'image', `${elsewhere}/image.png`, true),
      relation('away', 'hyperlink', `${elsewhere}/link`, true),
      relation('up', 'image', '../../../../../api/v1/health'),
    ),
    'ppt/slides/slide1.xml': `<p:sld ${P} ${R} ${A}><p:cSld><p:spTree>
      <p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="4000000" cy="900000"/></a:xfrm><a:solidFill><a:srgbClr val="red;background:url(${elsewhere}/css)"/></a:solidFill></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:rPr><a:latin typeface="x;background:url(${elsewhere}/font)"/><a:hlinkClick r:id="away"/></a:rPr><a:t>&lt;script&gt;globalThis.ran=1&lt;/script&gt;</a:t></a:r></a:p></p:txBody></p:sp>
      <p:pic><p:nvPicPr><p:cNvPr id="2" name="p" descr="far"/></p:nvPicPr><p:blipFill><a:blip r:embed="remote"/></p:blipFill><p:spPr/></p:pic>
      <p:pic><p:nvPicPr><p:cNvPr id="3" name="p" descr="up"/></p:nvPicPr><p:blipFill><a:blip r:embed="up" r:link="remote"/></p:blipFill><p:spPr/></p:pic>
    </p:spTree></p:cSld></p:sld>`,
  });
}

function bomb(): Buffer {
  return zipOf({
    'ppt/presentation.xml': `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><p:presentation ${P}>&b;</p:presentation>`,
  });
}

/** A little more than a quarter of a gibibyte, compressed to half a megabyte. */
function inflating(): Buffer {
  const block = Buffer.alloc(64 * 1024 * 1024);
  return zipOf({ 'word/document.xml': '<a/>', a: block, b: block, c: block, d: block, e: Buffer.alloc(1024) });
}
