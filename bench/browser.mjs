// The live browser through the gateway: how long a first page takes, pictures a second, from a click to the picture that
// shows it; and the reader of pages on a page of the largest size it takes.

import { existsSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { median, nowMs, quantile, round, startBench, TOKEN } from './lib.mjs';

const CLICKS = 100;
const WATCH_MS = 10_000;
const READS = 9;
const WORDS = 'Iron is heated, struck and cooled in oil; what it becomes depends on the hand that holds it. ';

export async function run() {
  const browser = process.env.FUCINA_BROWSER ?? '/usr/bin/chromium';
  const rows = [...(await readerRows())];
  if (!existsSync(browser)) return rows;
  const site = await startSite();
  const bench = await startBench('hello', { FUCINA_BROWSER: browser });
  try {
    const id = await bench.start();
    const act = (name, body) => bench.api('POST', `/browser/vivo/${name}?sessione=${id}`, body);
    const at = nowMs();
    await act('apri', { url: `${site.url}/click` });
    const firstMs = nowMs() - at;
    const screen = watch(bench.port, id);
    await screen.next();
    const clicks = await clickTimes(act, screen);
    await act('apri', { url: `${site.url}/moving` });
    const { perSecond, bytes, age } = await pictures(screen);
    await act('chiudi');
    screen.end();
    return [
      ...rows,
      {
        figure: 'live browser: first page, from nothing, ms',
        value: Math.round(firstMs),
        bar: '≤ 20000',
        method: 'one opening: driver loaded, browser started, local page shown',
      },
      {
        figure: 'live browser: pictures a second',
        value: round(perSecond),
        bar: '15',
        method: `a page that changes all the time, 1280 × 800, for ${WATCH_MS / 1_000} s; ${Math.round(bytes / 1_024)} kB each on the wire`,
      },
      {
        figure: 'live browser: age of a picture when it arrives, ms p50',
        value: round(median(age)),
        bar: '–',
        method: 'the same run: from the moment the browser drew it, by the wall clock of this machine',
      },
      {
        figure: 'live browser: click to picture, ms p50',
        value: round(median(clicks)),
        bar: '≤ 150',
        method: `${CLICKS} clicks through the interface that change the whole page`,
      },
      {
        figure: 'live browser: click to picture, ms p95',
        value: round(quantile(clicks, 0.95)),
        bar: '–',
        method: 'the same run',
      },
    ];
  } finally {
    await bench.close();
    site.close();
  }
}

async function clickTimes(act, screen) {
  const times = [];
  for (let count = 0; count < CLICKS; count += 1) {
    await screen.quiet();
    const at = nowMs();
    const changed = screen.next();
    await act('gesto', { tipo: 'clic', x: 640, y: 400 });
    await changed;
    times.push(nowMs() - at);
  }
  return times;
}

async function pictures(screen) {
  const from = nowMs();
  const age = [];
  let count = 0;
  let bytes = 0;
  while (nowMs() - from < WATCH_MS) {
    const { text, frame } = await screen.next();
    count += 1;
    bytes += text.length;
    age.push(Date.now() - frame.metadati.timestamp * 1_000);
  }
  return { perSecond: count / ((nowMs() - from) / 1_000), bytes: bytes / count, age };
}

/** The pictures as they come: `next` is the next one, `quiet` settles when none came for a while. */
function watch(port, id) {
  let waiting = [];
  let lastAt = nowMs();
  const sent = request({
    port,
    host: '127.0.0.1',
    path: `/api/v1/browser/vivo/schermo?sessione=${id}`,
    headers: { cookie: `svc_token=${TOKEN}` },
  });
  sent.on('response', (response) => {
    let buffer = '';
    response.setEncoding('utf8');
    response.on('data', (chunk) => {
      buffer += chunk;
      for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
        const at = buffer.indexOf('data: ');
        const text = at >= 0 && at < end ? buffer.slice(at + 6, end) : undefined;
        buffer = buffer.slice(end + 2);
        if (text === undefined) continue;
        lastAt = nowMs();
        const woken = waiting;
        waiting = [];
        for (const wake of woken) wake({ text, frame: JSON.parse(text) });
      }
    });
  });
  sent.on('error', () => undefined); // ended below
  sent.end();
  return {
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async quiet() {
      while (nowMs() - lastAt < 150) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    end: () => sent.destroy(),
  };
}

async function readerRows() {
  const { createPageReader } = await import('../packages/browser/dist/index.js');
  const { createOutboundHttp, systemAmbient } = await import('../packages/shared/dist/index.js');
  const http = createOutboundHttp({ ambient: systemAmbient('silent'), isAllowedAddress: () => true });
  const site = await startSite();
  const reader = createPageReader({ http, readDocument: async () => undefined });
  const times = [];
  let chars = 0;
  try {
    for (let count = 0; count < READS; count += 1) {
      const at = nowMs();
      chars = (await reader.read(`${site.url}/large`)).text.length;
      times.push(nowMs() - at);
    }
  } finally {
    await http[Symbol.asyncDispose]();
    site.close();
  }
  return [
    {
      figure: 'page reader: a page of 5 MB, ms p50',
      value: Math.round(median(times)),
      bar: '≤ 8000',
      method: `${READS} readings of an article of 5 MB of HTML, ${round(chars / 1e6)} million characters of text`,
    },
  ];
}

async function startSite() {
  const paragraph = `<p>${WORDS.repeat(20)}</p>`;
  const article = paragraph.repeat(Math.floor((5 * 1024 * 1024 - 2_000) / paragraph.length));
  const pages = {
    '/click': `<body style="margin:0;height:100vh"><script>let n = 0; onclick = () => { document.body.style.background = ++n % 2 ? '#247' : '#742' }</script>`,
    '/moving': `<body style="font:80px sans-serif"><p id="n"></p><script>let n = 0; const step = () => { document.getElementById('n').textContent = ++n; requestAnimationFrame(step) }; step()</script>`,
    '/large': `<!doctype html><html><head><title>Forge</title></head><body><article><h1>Forge</h1>${article}</article></body></html>`,
  };
  const server = createServer((asked, response) => {
    const page = pages[asked.url];
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
