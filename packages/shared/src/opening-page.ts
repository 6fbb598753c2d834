import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.ts';

export interface OpeningAddresses {
  /** Works in every browser. */
  plain: string;
  /** Better, in a browser that resolves its host name to this computer. */
  named?: string | undefined;
}

/** An image of the window: only its server answers with one. Tried without the key. */
const PROBE = '/icon-192.png';
const PROBE_MS = 3_000;

/**
 * A page, readable only by the user, that redirects to an address with a key: the browser gets the path of the page as
 * argument, because every user of the computer can see the arguments of a program. Returns its path.
 */
export async function writeOpeningPage(folder: string, addresses: OpeningAddresses): Promise<string> {
  const file = join(folder, 'open.html');
  const plain = withFragment(addresses.plain);
  const named = addresses.named && withFragment(addresses.named);
  const refresh = `<meta http-equiv="refresh" content="0;url=${escaped(plain)}">`;
  const way = named === undefined ? refresh : `<noscript>${refresh}</noscript>${script(plain, named)}`;
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Fucina</title>${way}`;
  await writeFileAtomically(file, page, { exactMode: 0o600 });
  return file;
}

/** The key as a fragment, which is not sent: the window signs in with it, since a server refuses another site's key. */
function withFragment(address: string): string {
  const url = new URL(address);
  url.hash = url.search.slice(1);
  url.search = '';
  return url.href;
}

/** Not `fetch`: the error page of a proxy would count as an answer, and the key would go to the proxy. */
function script(plain: string, named: string): string {
  const probe = new URL(PROBE, named).href;
  return (
    `<script>let go=(to)=>{go=()=>{};location.replace(to)};const image=new Image();` +
    `image.onload=()=>go(${literal(named)});image.onerror=()=>go(${literal(plain)});` +
    `setTimeout(()=>go(${literal(plain)}),${PROBE_MS});image.src=${literal(probe)}</script>`
  );
}

function literal(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
