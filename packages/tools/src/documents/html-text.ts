const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * Converts the well-formed HTML of mammoth to Markdown-like text: headings, lists, tables by rows. One pass over its
 * tags, for any input.
 */
export function htmlText(html: string): string {
  const out: string[] = [];
  const lists: { isOrdered: boolean; count: number }[] = [];
  let cells: string[] | undefined;
  let line = '';
  let prefix = '';

  const flush = (): void => {
    if (line.trim() !== '') out.push(prefix + line.trim());
    line = '';
    prefix = '';
  };
  const openItem = (): void => {
    flush();
    const list = lists.at(-1);
    if (list) list.count += 1;
    prefix = `${'  '.repeat(Math.max(0, lists.length - 1))}${list?.isOrdered ? `${list.count}.` : '-'} `;
  };
  const closeRow = (): void => {
    if (cells && cells.length > 0) out.push(`| ${cells.join(' | ')} |`);
    cells = undefined;
  };
  const closeCell = (): void => {
    cells?.push(line.trim().replaceAll(/\s*\n\s*/g, ' '));
    line = '';
  };
  const onTag = (name: string, isClosing: boolean): void => {
    if (name === 'tr') return isClosing ? closeRow() : (flush(), void (cells = []));
    if (name === 'td' || name === 'th') return isClosing ? closeCell() : void (line = '');
    if (cells) {
      if (name === 'p' || name === 'br') line += ' ';
      return;
    }
    if (name === 'li') return isClosing ? flush() : openItem();
    if (name === 'ul' || name === 'ol') {
      flush();
      if (isClosing) lists.pop();
      else lists.push({ isOrdered: name === 'ol', count: 0 });
    } else if (/^h[1-6]$/.test(name)) {
      flush();
      if (!isClosing) prefix = `${'#'.repeat(Number(name[1]))} `;
    } else if (name === 'p' || name === 'br' || name === 'table') flush();
  };

  for (const [, close, name, text] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>|([^<]+|<)/gi)) {
    if (name !== undefined) onTag(name.toLowerCase(), close === '/');
    else if (text !== undefined) line += plain(text);
  }
  flush();
  return out.join('\n');
}

function plain(text: string): string {
  return text.replaceAll(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
