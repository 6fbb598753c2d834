import type { Bytes } from '../http/answers.ts';

/**
 * The isolated page that renders documents of a folder: its own origin, no network, no storage. The window sends it one
 * document by `postMessage`; the renderer of its format is a script of this server. The message types are in
 * `apps/window/src/guest/guest.ts`.
 */
export function guestPage(nonce: string): Bytes {
  const html = PAGE.replaceAll('__NONCE__', nonce);
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data: blob:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
  const content = Buffer.from(html);
  return { content, sizeBytes: content.length, headers: { 'Content-Security-Policy': policy } };
}

const STYLE = `
html{color-scheme:light;background:#e9e7e4}
html.dark{background:#262422}
body{margin:0;padding:24px 16px;font:15px/1.55 system-ui,sans-serif;color:#1d1a17;overflow-wrap:anywhere}
.page{box-sizing:border-box;max-width:820px;margin:0 auto;padding:clamp(20px,7%,72px);background:#fff;box-shadow:0 1px 4px #0003}
.page>:first-child{margin-top:0}
.page h1{font-size:1.7em}.page h2{font-size:1.35em}.page h3{font-size:1.15em}.page :is(h1,h2,h3,h4){line-height:1.25}
.page img{max-width:100%;height:auto}
table{border-collapse:collapse;max-width:100%}
td,th{border:1px solid #c9c4bd;padding:4px 8px;text-align:left;vertical-align:top}
td p,th p{margin:0}
blockquote{margin:0;padding-left:1em;border-left:3px solid #c9c4bd}
.inner{color:#1a5fb4;text-decoration:underline;cursor:pointer}
.away{text-decoration:underline dotted}.address{color:#6b645c;font-size:.85em}
.slide{container-type:inline-size;position:relative;max-width:1100px;margin:0 auto 20px;background:#fff;color:#000;box-shadow:0 1px 4px #0003;overflow:hidden;line-height:1.2}
.slide .shape{position:absolute;box-sizing:border-box;display:flex;flex-direction:column}
.slide .unplaced{position:static}
.slide p,.slide h2{margin:0;font-weight:inherit;white-space:pre-wrap}
.slide .picture{object-fit:fill}
.slide .missing{border:1px dashed #999;color:#555;font-size:2cqw;align-items:center;justify-content:center}
.slide table{width:100%;height:100%;font-size:1.6cqw}
.slide .chart{overflow:auto;background:#fff;color:#222}
.slide .chart table{height:auto}
.slide .bullet{display:inline-block;min-width:1.2em}
`;

const SCRIPT = `
const nonce = document.currentScript.nonce;
const readers = { documento: '/lettore-ospite-documento.js', presentazione: '/lettore-ospite-presentazione.js' };
const tell = (message) => parent.postMessage(message, location.origin);
let isTaken = false;
addEventListener('message', async ({ source, data }) => {
  if (source !== parent || data?.type !== 'svc-lettore-documento' || isTaken) return;
  isTaken = true;
  try {
    if (!Object.hasOwn(readers, data.formato) || !(data.bytes instanceof ArrayBuffer)) throw { problem: 'formato' };
    document.documentElement.lang = data.lingua === 'en' ? 'en' : 'it';
    document.documentElement.className = data.aspetto === 'dark' ? 'dark' : '';
    await new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.nonce = nonce;
      script.src = readers[data.formato];
      script.onload = resolve;
      script.onerror = () => reject({ problem: 'lettore-assente' });
      document.head.append(script);
    });
    const sheet = document.getElementById('foglio');
    const parti = await globalThis.lettoreOspite(data, sheet);
    tell({ type: 'svc-lettore-ospite-pronto', fase: 'mostrato', parti });
  } catch (error) {
    document.getElementById('foglio').replaceChildren();
    tell({ type: 'svc-lettore-ospite-errore', motivo: error?.problem ?? 'danneggiato' });
  }
});
tell({ type: 'svc-lettore-ospite-pronto', fase: 'attesa' });
`;

const PAGE =
  '<!doctype html>\n<html lang="it"><head><meta charset="utf-8"><title>Fucina</title>' +
  '<meta name="viewport" content="width=device-width">' +
  `<style nonce="__NONCE__">${STYLE}</style></head>` +
  `<body><main id="foglio"></main><script nonce="__NONCE__">${SCRIPT}</script></body></html>\n`;
