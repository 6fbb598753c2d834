import { lexer, type Token, type Tokens } from 'marked';
import { type Block, type Cell, cellOf, type ListItem, type Run, runsText } from './blocks.ts';

/** Markdown as blocks. HTML in it stays text, images become their description: nothing is fetched or executed. */
export function markdownBlocks(markdown: string): Block[] {
  return lexer(markdown, { gfm: true }).flatMap(blocksOf);
}

/** One line of text with Markdown's inline marks. */
export function inlineRuns(text: string): Run[] {
  const [first] = lexer(text.replaceAll(/\s*\n\s*/g, ' '), { gfm: true });
  // A line that starts like a list or a heading is plain text here.
  return first?.type === 'paragraph' ? runsOf(first.tokens ?? []) : [{ text }];
}

function blocksOf(token: Token): Block[] {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      return [{ type: 'heading', level: depth, runs: runsOf(tokens) }];
    }
    case 'paragraph':
    case 'text': {
      const { tokens, text } = token as Tokens.Paragraph;
      return [{ type: 'paragraph', runs: tokens ? runsOf(tokens) : [{ text }] }];
    }
    case 'code':
      return [{ type: 'code', text: (token as Tokens.Code).text }];
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.flatMap(blocksOf).map(quoted);
    case 'list':
      return [{ type: 'list', items: itemsOf(token as Tokens.List, 0) }];
    case 'table':
      return [tableOf(token as Tokens.Table)];
    case 'hr':
      return [{ type: 'rule' }];
    case 'html':
      return [{ type: 'paragraph', runs: [{ text: (token as Tokens.HTML).text.trim() }] }];
    default:
      return []; // white space and definitions
  }
}

function quoted(block: Block): Block {
  return block.type === 'paragraph' ? { type: 'note', tone: 'quote', runs: block.runs } : block;
}

function itemsOf({ items, ordered }: Tokens.List, level: number): ListItem[] {
  return items.flatMap((item) => {
    const own = item.tokens.filter(({ type }) => type !== 'list').flatMap(blocksOf);
    const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    const runs = own.flatMap((block, index): Run[] => [
      ...(index > 0 ? [{ text: ' ' }] : []),
      ...('runs' in block ? block.runs : 'text' in block ? [{ text: block.text, code: true }] : []),
    ]);
    const below = item.tokens.filter(({ type }) => type === 'list') as Tokens.List[];
    return [
      { runs: box === '' ? runs : [{ text: box }, ...runs], level, isOrdered: ordered },
      ...below.flatMap((list) => itemsOf(list, level + 1)),
    ];
  });
}

function tableOf({ header, rows }: Tokens.Table): Block {
  const cells = (row: readonly Tokens.TableCell[]): Cell[] =>
    row.map(({ tokens }) => {
      const runs = runsOf(tokens);
      return cellOf(numberIn(runsText(runs)), runs);
    });
  return { type: 'table', caption: null, header: cells(header), rows: rows.map(cells) };
}

/** A number if the text is nothing else, so that a sheet can calculate with it. */
function numberIn(text: string): string | number {
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/.test(text.trim()) ? Number(text) : text;
}

type Look = Omit<Run, 'text'>;

function runsOf(tokens: readonly Token[], look: Look = {}): Run[] {
  return tokens.flatMap((token): Run[] => {
    const inside = 'tokens' in token ? (token.tokens as Token[] | undefined) : undefined;
    switch (token.type) {
      case 'strong':
        return runsOf(inside ?? [], { ...look, bold: true });
      case 'em':
        return runsOf(inside ?? [], { ...look, italic: true });
      case 'del':
        return runsOf(inside ?? [], { ...look, strike: true });
      case 'codespan':
        return [{ ...look, text: (token as Tokens.Codespan).text, code: true }];
      case 'link': {
        const { href } = token as Tokens.Link;
        return runsOf(inside ?? [], isSafeLink(href) ? { ...look, href } : look);
      }
      case 'image':
        return [{ ...look, text: `[${(token as Tokens.Image).text || 'picture'}]` }];
      case 'br':
        return [{ ...look, text: '\n' }];
      default:
        if (inside) return runsOf(inside, look);
        return [{ ...look, text: 'text' in token ? plain(String(token.text)) : token.raw }];
    }
  });
}

/** The lexer does not decode entities. */
function plain(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' };
  return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => named[name] ?? whole);
}

function isSafeLink(href: string): boolean {
  return /^(https?:\/\/|mailto:)[^\s"<>\\^`{|}]+$/i.test(href);
}
