import type { Share, ShareBlock, ShareLabels, SharePart } from './share.ts';

/** The document as Markdown; calls are folded where the reader shows HTML. */
export function shareMarkdown({ title, blocks }: Share, labels: ShareLabels): string {
  return `${[`# ${oneLine(title)}`, ...blocks.map((block) => blockText(block, labels))].join('\n\n')}\n`;
}

function blockText(block: ShareBlock, labels: ShareLabels): string {
  switch (block.kind) {
    case 'user':
      return `## ${labels('share.user')}\n\n${block.text}`;
    case 'answer':
      return `## ${labels('share.agent')}\n\n${block.text}`;
    case 'reasoning':
      return folded(labels('share.reasoning'), quoted(block.text));
    case 'note':
      return `*${oneLine(block.text)}*`;
    case 'call': {
      const mark = block.isFailed ? ` — ${labels('share.failed')}` : '';
      const subject = block.subject === '' ? '' : ` ${code(block.subject)}`;
      return [`**${block.title}**${subject}${mark}`, ...block.parts.map(partText)].join('\n\n');
    }
  }
}

const partText = ({ title, text, language }: SharePart): string => folded(title, fenced(text, language));

const folded = (title: string, text: string): string =>
  `<details>\n<summary>${escaped(title)}</summary>\n\n${text}\n\n</details>`;

/** With a fence longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return longest === 0 ? `${mark}${text}${mark}` : `${mark} ${text} ${mark}`;
}

const quoted = (text: string): string => text.replaceAll(/^/gm, '> ');
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
