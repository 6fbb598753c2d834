import { ACCENT, type Block, type Cell, type MadeDocument, NOTE_COLOURS, type Run } from './blocks.ts';
import { chartSvg, escapeXml } from './chart-svg.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}
h1,h2,h3,h4{line-height:1.25}pre,code{font-family:ui-monospace,monospace;font-size:.9em}pre{overflow:auto;padding:.8rem;background:#8881}
table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{border:1px solid #8886;padding:.35rem .6rem;text-align:left;vertical-align:top}
td.n{text-align:right}caption{font-weight:600;padding:.4rem}figure{margin:1rem 0}svg{max-width:100%;height:auto;background:#fff}
.note{border-left:4px solid;padding:.4rem .9rem;margin:1rem 0;background:#8881}.kpi{display:flex;flex-wrap:wrap;gap:1rem}
.kpi div{flex:1 1 9rem;padding:.8rem;border:1px solid #8886}.kpi b{display:block;font-size:1.6rem}.cover{padding:4rem 0;text-align:center}
.pb{break-after:page}footer{margin-top:3rem;color:#777;font-size:.85rem}@media print{body{margin:0}}`;

/** A self-contained file: no script and no external resources, also enforced by a policy. */
export function htmlPage(document: MadeDocument): string {
  const { title, theme, footer, blocks } = document;
  const accent =
    theme === 'report'
      ? `h1,h2,h3{color:#${ACCENT}}th{background:#${ACCENT};color:#fff}@media(prefers-color-scheme:dark){h1,h2,h3{color:#9cc3e6}}`
      : '';
  return `<!doctype html>
<html lang="">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${STYLE}${accent}</style>
</head>
<body>
${blocks.map(blockHtml).join('\n')}
${footer === null ? '' : `<footer>${escapeXml(footer)}</footer>\n`}</body>
</html>
`;
}

function blockHtml(block: Block): string {
  switch (block.type) {
    case 'cover': {
      const lines = [block.subtitle, ...block.lines].filter((line) => line !== null);
      return `<header class="cover"><h1>${escapeXml(block.title)}</h1>${lines.map((line) => `<p>${escapeXml(line)}</p>`).join('')}</header>`;
    }
    case 'heading': {
      const level = Math.min(6, block.level);
      return `<h${level}>${runsHtml(block.runs)}</h${level}>`;
    }
    case 'paragraph':
      return `<p>${runsHtml(block.runs)}</p>`;
    case 'note':
      return `<div class="note" style="border-color:#${NOTE_COLOURS[block.tone]}">${runsHtml(block.runs)}</div>`;
    case 'code':
      return `<pre><code>${escapeXml(block.text)}</code></pre>`;
    case 'list':
      return listHtml(block.items);
    case 'kpi':
      return `<div class="kpi">${block.items.map(({ label, value, note }) => `<div>${escapeXml(label)}<b>${escapeXml(value)}</b>${note === null ? '' : escapeXml(note)}</div>`).join('')}</div>`;
    case 'table':
      return `<table>${block.caption === null ? '' : `<caption>${escapeXml(block.caption)}</caption>`}${block.header ? `<thead>${rowHtml(block.header, 'th')}</thead>` : ''}<tbody>${block.rows.map((row) => rowHtml(row, 'td')).join('')}</tbody></table>`;
    case 'chart':
      return `<figure>${chartSvg(block)}${block.title === null ? '' : `<figcaption>${escapeXml(block.title)}</figcaption>`}</figure>`;
    case 'spacer':
      return `<div style="height:${block.points}pt"></div>`;
    case 'rule':
      return '<hr>';
    case 'page-break':
      return '<div class="pb"></div>';
  }
}

/** Nested lists: opens and closes levels as the items require. */
function listHtml(items: Extract<Block, { type: 'list' }>['items']): string {
  const open: string[] = [];
  let html = '';
  for (const { level, isOrdered, runs } of items) {
    const tag = isOrdered ? 'ol' : 'ul';
    while (open.length > level + 1) html += `</li></${open.pop()}>`;
    if (open.length === level + 1) html += '</li>';
    while (open.length < level + 1) {
      html += `<${tag}>${open.length < level ? '<li>' : ''}`;
      open.push(tag);
    }
    html += `<li>${runsHtml(runs)}`;
  }
  while (open.length > 0) html += `</li></${open.pop()}>`;
  return html;
}

function rowHtml(row: readonly Cell[], tag: 'th' | 'td'): string {
  const cells = row.map(
    ({ value, runs }) =>
      `<${tag}${tag === 'td' && typeof value === 'number' ? ' class="n"' : ''}>${runsHtml(runs)}</${tag}>`,
  );
  return `<tr>${cells.join('')}</tr>`;
}

function runsHtml(runs: readonly Run[]): string {
  return runs
    .map(({ text, bold, italic, strike, code, href }) => {
      const tags = [bold && 'strong', italic && 'em', strike && 's', code && 'code'].filter(Boolean) as string[];
      const inner = escapeXml(text).replaceAll('\n', '<br>');
      const html = tags.reduceRight((inside, tag) => `<${tag}>${inside}</${tag}>`, inner);
      return href === undefined ? html : `<a href="${escapeXml(href)}" rel="noopener noreferrer">${html}</a>`;
    })
    .join('');
}
