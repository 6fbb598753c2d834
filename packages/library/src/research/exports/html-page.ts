interface PageText {
  title: string;
  /** Markdown. */
  body: string;
  notice: string | null;
}

/** A self-contained page, light and dark: no script, no external resources; HTML in the text is escaped. */
export async function htmlPage({ title, body, notice }: PageText): Promise<string> {
  const { Marked } = await import('marked');
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escaped(text),
      image: ({ href, text }) => link(href, escaped(text || href)),
      link({ href, tokens }) {
        return link(href, this.parser.parseInline(tokens));
      },
    },
  });
  const words = marked.parse(body, { async: false });
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${notice === null ? '' : `<p class="notice">${escaped(notice)}</p>\n`}${words}</main>
</body>
</html>
`;
}

const SAFE = /^(https?:|mailto:)/i;

function link(href: string, words: string): string {
  return SAFE.test(href) ? `<a href="${escaped(href)}" rel="noreferrer">${words}</a>` : words;
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] as string);

const STYLE = `
:root { color-scheme: light dark; --line: #d8d4cf; --soft: #f4f1ed; --link: #9a3f0c; }
@media (prefers-color-scheme: dark) { :root { --line: #3a3632; --soft: #24211e; --link: #f08a4b; } }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.25; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; background: var(--soft); }
pre { padding: 0.75rem; overflow-x: auto; }
blockquote, .notice { margin: 1rem 0; padding: 0.25rem 1rem; border-left: 3px solid var(--line); background: var(--soft); }
table { border-collapse: collapse; }
td, th { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: left; }
@media print { main { max-width: none; padding: 0; } }
`;
