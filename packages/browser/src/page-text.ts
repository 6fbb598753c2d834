import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';

export interface PageText {
  title: string;
  /** Markdown without images. */
  text: string;
  /** The page's own publication date as an ISO day, if it is a valid date. */
  publishedAt: string | null;
}

/** The readable text of a page: its article if it has one, else all of its text. */
export function pageText(html: string): PageText {
  const { document } = parseHTML(/<body[\s>]/i.test(html) ? html : bodied(html));
  const publishedAt = dayOf(
    document.querySelector('meta[property="article:published_time"], meta[name="date"]')?.getAttribute('content') ??
      document.querySelector('time[datetime]')?.getAttribute('datetime'),
  );
  const title = (document.querySelector('title')?.textContent ?? '').trim();
  for (const silent of document.querySelectorAll('script, style, noscript, template, svg, iframe')) silent.remove();
  const body = document.body?.innerHTML ?? '';
  const article = new Readability(document, { maxElemsToParse: 100_000 }).parse();
  const words = asMarkdown(article?.content ?? body);
  return { title: (article?.title || title).slice(0, 300), text: words, publishedAt };
}

function asMarkdown(html: string): string {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  service.addRule('silent', { filter: ['img', 'script', 'style', 'iframe'], replacement: () => '' });
  return service
    .turndown(parseHTML(bodied(html)).document.body)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const bodied = (html: string): string => `<!doctype html><html><body>${html}</body></html>`;

function dayOf(text: string | null | undefined): string | null {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text?.trim() ?? '')?.[0];
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null;
}
