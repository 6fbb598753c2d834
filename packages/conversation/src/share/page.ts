import { Marked, type Tokens } from 'marked';
import type { Share, ShareBlock, ShareLabels, SharePart } from './share.ts';

const STYLE = `
:root{color-scheme:light dark}
body{margin:0 auto;max-width:46rem;padding:2rem 1rem;font:16px/1.6 system-ui,sans-serif;color:#1d1a17;background:#fdf9f6;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25}
h2{margin:2rem 0 .5rem;font-size:.85rem;color:#6b645c}
.user{white-space:pre-wrap;padding:.75rem 1rem;border-radius:.5rem;background:#efe9e4}
.call{margin:.75rem 0;font-size:.9rem}
.failed{color:#b3261e}
.note{color:#6b645c;font-style:italic}
details{margin:.25rem 0}
summary{cursor:pointer;color:#6b645c}
pre{overflow:auto;padding:.75rem 1rem;border-radius:.5rem;background:#f3eeea;font:13px/1.5 ui-monospace,monospace}
code{font-family:ui-monospace,monospace;font-size:.9em}
table{border-collapse:collapse}
td,th{border:1px solid #d8d0c8;padding:.25rem .5rem;text-align:left}
blockquote{margin:0;padding-left:1rem;border-left:3px solid #d8d0c8}
@media (prefers-color-scheme:dark){body{color:#eae7e5;background:#191512}.user{background:#2a2522}pre{background:#120f0d}h2,summary,.note{color:#a79f97}.failed{color:#ff8a80}td,th,blockquote{border-color:#443d38}}
`;

/** No script, no network: whatever the conversation contains, the page only shows it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const marked = new Marked({
  gfm: true,
  renderer: {
    // Shown as its source.
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    // Not loaded: the address is enough.
    image: ({ href, text }: Tokens.Image) => escaped(text === '' ? href : `${text} (${href})`),
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      return /^(?:https?|mailto):/i.test(href)
        ? `<a href="${escaped(href)}" rel="noopener noreferrer">${text}</a>`
        : `${text} (${escaped(href)})`;
    },
  },
});

/** The document as one HTML file that needs nothing else. `language` is a language tag. */
export function sharePage({ title, blocks }: Share, labels: ShareLabels, language: string): string {
  const name = escaped(title);
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${name}</h1>
${blocks.map((block) => blockHtml(block, labels)).join('\n')}
</body>
</html>
`;
}

function blockHtml(block: ShareBlock, labels: ShareLabels): string {
  switch (block.kind) {
    case 'user':
      return `<h2>${escaped(labels('share.user'))}</h2>\n<div class="user">${escaped(block.text)}</div>`;
    case 'answer':
      return `<h2>${escaped(labels('share.agent'))}</h2>\n${rendered(block.text)}`;
    case 'reasoning':
      return `<details><summary>${escaped(labels('share.reasoning'))}</summary>${rendered(block.text)}</details>`;
    case 'note':
      return `<p class="note">${escaped(block.text)}</p>`;
    case 'call': {
      const subject = block.subject === '' ? '' : ` <code>${escaped(block.subject)}</code>`;
      const mark = block.isFailed ? ` <span class="failed">${escaped(labels('share.failed'))}</span>` : '';
      const head = `<strong>${escaped(block.title)}</strong>${subject}${mark}`;
      return `<div class="call">${head}${block.parts.map(partHtml).join('')}</div>`;
    }
  }
}

const rendered = (text: string): string => marked.parse(text, { async: false });

const partHtml = ({ title, text }: SharePart): string =>
  `<details><summary>${escaped(title)}</summary><pre><code>${escaped(text)}</code></pre></details>`;

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
