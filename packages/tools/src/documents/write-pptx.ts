import pptxgen from 'pptxgenjs';
import {
  ACCENT,
  ACCENTS,
  type Block,
  type Chart,
  type MadeDocument,
  type Run,
  runsText,
  type Table,
} from './blocks.ts';

/** The package's types describe its CommonJS form; the import is the class itself. */
type Deck = InstanceType<(typeof pptxgen)['default']>;
type DeckSlide = ReturnType<Deck['addSlide']>;

interface Line {
  runs: Run[];
  /** List level, 0 for the outermost; null for plain text. */
  level: number | null;
}

interface Page {
  title: string;
  isCover: boolean;
  lines: Line[];
  extra: Table | Chart | undefined;
}

const MAX_LINES = 12;
const MAX_ROWS = 14;

/** 16:9. A heading starts a slide; overflow continues on the next. */
export async function pptxBytes(made: MadeDocument): Promise<Uint8Array> {
  const Deck = pptxgen as unknown as new () => Deck;
  const deck = new Deck();
  deck.layout = 'LAYOUT_WIDE';
  deck.title = made.title;
  deck.author = 'Fucina';
  const colour = made.theme === 'report' ? ACCENT : '000000';
  for (const page of pagesOf(made)) addPage(deck.addSlide(), page, { colour, footer: made.footer });
  return (await deck.write({ outputType: 'nodebuffer' })) as Buffer;
}

function pagesOf({ title, slides, blocks }: MadeDocument): Page[] {
  if (slides) {
    return slides.flatMap((slide) =>
      spread({
        title: slide.title,
        isCover: slide.bullets.length === 0,
        lines: slide.bullets.map((text) => ({ runs: [{ text }], level: 0 })),
        extra: undefined,
      }),
    );
  }
  const pages: Page[] = [];
  const open = (name: string): Page => {
    const page: Page = { title: name, isCover: false, lines: [], extra: undefined };
    pages.push(page);
    return page;
  };
  let page = pages.at(-1);
  for (const block of blocks) {
    if (block.type === 'cover') {
      const lines = [block.subtitle, ...block.lines].filter((line) => line !== null);
      pages.push({
        title: block.title,
        isCover: true,
        lines: lines.map((text) => ({ runs: [{ text }], level: null })),
        extra: undefined,
      });
      page = undefined;
    } else if (block.type === 'heading' && block.level <= 2) page = open(runsText(block.runs));
    else if (block.type === 'table' || block.type === 'chart') {
      page = page && page.lines.length === 0 && !page.extra ? page : open(titleOf(block) ?? page?.title ?? title);
      page.extra = block;
    } else {
      const lines = linesOf(block);
      if (lines.length === 0) continue;
      page = page && !page.extra ? page : open(page?.title ?? title);
      page.lines.push(...lines);
    }
  }
  const all = pages.flatMap(spread);
  return all.length > 0 ? all : [{ title, isCover: true, lines: [], extra: undefined }];
}

function titleOf(block: Table | Chart): string | null {
  return block.type === 'table' ? block.caption : block.title;
}

function linesOf(block: Block): Line[] {
  switch (block.type) {
    case 'heading':
      return [{ runs: block.runs.map((run) => ({ ...run, bold: true })), level: null }];
    case 'paragraph':
    case 'note':
      return [{ runs: block.runs, level: null }];
    case 'code':
      return [{ runs: [{ text: block.text, code: true }], level: null }];
    case 'list':
      return block.items.map(({ runs, level }) => ({ runs, level }));
    case 'kpi':
      return block.items.map(({ label, value, note }) => {
        const text = `${label}: ${value}${note === null ? '' : ` (${note})`}`;
        return { runs: [{ text }], level: 0 };
      });
    default:
      return [];
  }
}

/** Overflow continues under the same title. */
function spread(page: Page): Page[] {
  if (page.extra?.type === 'table' && page.extra.rows.length > MAX_ROWS) {
    const { rows, ...table } = page.extra;
    return pieces(rows, MAX_ROWS).map((part) => ({ ...page, extra: { ...table, rows: part } }));
  }
  if (page.lines.length <= MAX_LINES) return [page];
  return pieces(page.lines, MAX_LINES).map((lines) => ({ ...page, lines }));
}

function pieces<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function addPage(slide: DeckSlide, page: Page, { colour, footer }: { colour: string; footer: string | null }): void {
  const centre = { align: 'center' as const };
  if (page.isCover) {
    slide.addText(page.title, { x: 0.8, y: 2.2, w: 11.7, h: 1.6, fontSize: 40, bold: true, color: colour, ...centre });
    const lines = page.lines.map(({ runs }) => runsText(runs)).join('\n');
    if (lines !== '')
      slide.addText(lines, { x: 0.8, y: 3.9, w: 11.7, h: 1.6, fontSize: 20, color: '666666', ...centre });
  } else {
    slide.addText(page.title, {
      x: 0.6,
      y: 0.35,
      w: 12.1,
      h: 0.9,
      fontSize: 28,
      bold: true,
      color: colour,
      fit: 'shrink',
    });
    if (page.extra?.type === 'table') addTable(slide, page.extra, colour);
    else if (page.extra) addChart(slide, page.extra);
    else if (page.lines.length > 0) addLines(slide, page.lines);
  }
  if (footer !== null)
    slide.addText(footer, { x: 0.6, y: 7.0, w: 12.1, h: 0.35, fontSize: 10, color: '777777', ...centre });
}

/** One run per paragraph: for more, the library writes XML that PowerPoint wants to repair. */
function addLines(slide: DeckSlide, lines: Page['lines']): void {
  const parts = lines.flatMap(({ runs, level }) => {
    const all = (has: (run: Run) => boolean | undefined): boolean => runs.every(has);
    const [only] = runs;
    const href = runs.length === 1 ? only?.href : undefined;
    const options = {
      breakLine: true,
      paraSpaceAfter: 6,
      ...(level !== null && { bullet: true, indentLevel: Math.min(level, 4) }),
      ...(all(({ bold }) => bold) && { bold: true }),
      ...(all(({ italic }) => italic) && { italic: true }),
      ...(all(({ code }) => code) && { fontFace: 'Consolas' }),
      ...(href !== undefined && { hyperlink: { url: href } }),
    };
    return runsText(runs)
      .split('\n')
      .map((text) => ({ text, options: { ...options } }));
  });
  slide.addText(parts, { x: 0.7, y: 1.45, w: 11.9, h: 5.4, fontSize: 20, valign: 'top', fit: 'shrink' });
}

function addTable(slide: DeckSlide, { header, rows }: Table, colour: string): void {
  const width = Math.max(1, header?.length ?? 0, ...rows.map((row) => row.length));
  const line = (row: Table['rows'][number], isHeader: boolean) =>
    Array.from({ length: width }, (_, at) => ({
      text: runsText(row[at]?.runs ?? []),
      options: isHeader ? { bold: true, color: 'FFFFFF', fill: { color: colour } } : {},
    }));
  const all = [...(header ? [line(header, true)] : []), ...rows.map((row) => line(row, false))];
  if (all.length === 0) return;
  const border = { type: 'solid' as const, color: 'BBBBBB', pt: 0.75 };
  slide.addTable(all, { x: 0.6, y: 1.45, w: 12.1, fontSize: 12, border, autoPage: false });
}

function addChart(slide: DeckSlide, { chart, labels, series }: Chart): void {
  const data = (chart === 'pie' ? series.slice(0, 1) : series).map(({ name, values }) => ({ name, labels, values }));
  slide.addChart(chart, data, {
    x: 0.8,
    y: 1.45,
    w: 11.7,
    h: 5.3,
    chartColors: [...ACCENTS],
    showLegend: chart === 'pie' || series.length > 1,
    legendPos: 'b',
  });
}
