import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFileAtomically } from '@fucina/shared';
import type { Language } from '@fucina/shared/sentences';
import type { ServerState } from './server-supervisor.ts';
import { PAGE_WORDS } from './words.ts';

/** Writes the page that the window shows while there is no server; returns its address. */
export async function writeStartPage(folder: string, state: ServerState, language: Language): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'start.html');
  await writeFileAtomically(file, startPage(state, language));
  return pathToFileURL(file).href;
}

export function startPage(state: ServerState, language: Language): string {
  const say = PAGE_WORDS[language];
  const body =
    state.kind === 'down'
      ? `<h1>${say.failed}</h1><p>${state.isFinal ? say.fix : say.again}</p>${logOf(state.log, say.log)}`
      : `<p role="status">${say.starting}</p>`;
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Fucina</title>
<style>${STYLE}</style>
<main>${body}</main>
</html>
`;
}

function logOf(lines: readonly string[], title: string): string {
  if (lines.length === 0) return '';
  return `<h2 id="log">${title}</h2><pre tabindex="0" aria-labelledby="log">${escape(lines.join('\n'))}</pre>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const STYLE = `
  :root { background: #fdf9f6; color: #2b2320; font: 1rem/1.5 system-ui, sans-serif }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center }
  main { box-sizing: border-box; width: min(44rem, 100%); padding: 2rem }
  [role=status] { text-align: center; color: #6d5f58 }
  h1 { font-size: 1.375rem; margin: 0 0 .5rem }
  h2 { font-size: .875rem; margin: 1.5rem 0 .5rem }
  p { margin: 0 }
  pre { margin: 0; padding: 1rem; max-height: 50vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
    border: 1px solid #e4d8d0; border-radius: 8px; background: #fff; font: .8125rem/1.5 ui-monospace, monospace }
  @media (prefers-color-scheme: dark) {
    :root { background: #191512; color: #efe6e0 }
    [role=status] { color: #b5a69d }
    pre { background: #211c18; border-color: #3a312b }
  }
`;
