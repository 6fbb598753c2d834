import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '@fucina/shared';

/** One section of a help page. */
export interface HelpSection {
  /** Title of the page. */
  title: string;
  /** Its heading; the page's title for text before the first heading. */
  heading: string;
  /** Paragraphs and list entries without their Markdown, in order. */
  passages: readonly string[];
  /** `<page>.md#anchor`, without the anchor for text before the first heading. */
  path: string;
}

const MAX_PAGE_BYTES = 256 * 1024;

/** The sections of every page of a folder; none when the folder is missing. README is skipped: it is for authors. */
export async function readPages(folder: string): Promise<HelpSection[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.md') && name.toLowerCase() !== 'readme.md');
  const pages = await Promise.all(
    names.sort().map(async (name) => {
      const file = join(folder, name);
      if ((await stat(file)).size > MAX_PAGE_BYTES) return [];
      return sectionsOf(name, await readFile(file, 'utf8'));
    }),
  );
  return pages.flat();
}

export function sectionsOf(name: string, markdown: string): HelpSection[] {
  const [head = '', ...rest] = markdown.split(/^## /m);
  const [first = '', ...intro] = head.trim().split('\n');
  const title = plain(first.replace(/^#\s*/, '')) || name.replace(/\.md$/, '');
  const sections: HelpSection[] = [{ title, heading: title, passages: passagesOf(intro.join('\n')), path: name }];
  for (const part of rest) {
    const [line = '', ...body] = part.split('\n');
    const heading = plain(line);
    sections.push({ title, heading, passages: passagesOf(body.join('\n')), path: `${name}#${anchorOf(line)}` });
  }
  return sections.filter(({ passages }) => passages.length > 0);
}

function passagesOf(body: string): string[] {
  return body
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
    .map((passage) => plain(passage.replace(/^\s*(?:[-*]|\d+\.)\s+/, '').replace(/\s*\n\s*/g, ' ')))
    .filter(Boolean);
}

function plain(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
}

/** Anchors as Markdown hosts generate them. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-');
}
