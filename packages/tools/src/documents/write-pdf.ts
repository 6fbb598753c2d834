import type { CanvasElement, Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { ACCENT, type Block, type Cell, type Chart, type MadeDocument, NOTE_COLOURS, type Run } from './blocks.ts';
import { CHART_HEIGHT, CHART_WIDTH, chartShapes, type Shape } from './chart-drawing.ts';

const SIZES = [20, 16, 13.5, 12, 11, 11];
const PAGE_WIDTH = 483;

/** A4 with embedded fonts; never opens an address or a file. */
export async function pdfBytes(made: MadeDocument): Promise<Uint8Array> {
  const [{ default: pdfmake }, { default: fonts }] = await Promise.all([
    import('pdfmake'),
    import('pdfmake/build/vfs_fonts.js') as Promise<{ default: Record<string, string> }>,
  ]);
  const pdf = pdfmake as unknown as PdfMake;
  for (const [name, base64] of Object.entries(fonts)) pdf.virtualfs.writeFileSync(name, Buffer.from(base64, 'base64'));
  pdf.setFonts({
    Roboto: {
      normal: 'Roboto-Regular.ttf',
      bold: 'Roboto-Medium.ttf',
      italics: 'Roboto-Italic.ttf',
      bolditalics: 'Roboto-MediumItalic.ttf',
    },
  });
  pdf.setUrlAccessPolicy(() => false);
  pdf.setLocalAccessPolicy(() => false);
  return pdf.createPdf(definition(made)).getBuffer();
}

/** Missing in the package's types. */
interface PdfMake {
  virtualfs: { writeFileSync(name: string, content: Buffer): void };
  setFonts(fonts: object): void;
  setUrlAccessPolicy(allows: (url: string) => boolean): void;
  setLocalAccessPolicy(allows: (path: string) => boolean): void;
  createPdf(definition: TDocumentDefinitions): { getBuffer(): Promise<Buffer> };
}

function definition({ title, theme, footer, blocks, contents }: MadeDocument): TDocumentDefinitions {
  const colour = theme === 'report' ? `#${ACCENT}` : '#000000';
  return {
    info: { title, producer: 'Fucina' },
    pageSize: 'A4',
    pageMargins: [56, 56, 56, 60],
    defaultStyle: { font: 'Roboto', fontSize: 10.5, lineHeight: 1.25 },
    content: blocks.flatMap((block) => [
      ...blockContent(block, colour),
      ...(block.type === 'cover' && contents !== null ? contentsPage(contents, colour) : []),
    ]),
    footer: (page, pages) => ({
      text: `${footer === null ? '' : `${footer}  ·  `}${page} / ${pages}`,
      alignment: 'center',
      fontSize: 8.5,
      color: '#777777',
      margin: [0, 20, 0, 0],
    }),
  };
}

function headingContent({ level, runs }: Extract<Block, { type: 'heading' }>, colour: string): Content {
  // The package's types do not allow arbitrary text in the table of contents.
  return {
    text: texts(runs),
    fontSize: SIZES[Math.min(level, SIZES.length) - 1],
    bold: true,
    color: colour,
    margin: [0, 12, 0, 5],
    headlineLevel: level,
    tocItem: true,
    tocMargin: [Math.max(0, level - 1) * 12, 2, 0, 2],
  } as Content;
}

function contentsPage(title: string, colour: string): Content[] {
  return [
    { toc: { title: { text: title, fontSize: SIZES[0], bold: true, color: colour, margin: [0, 0, 0, 12] } } },
    { text: '', pageBreak: 'after' },
  ];
}

function blockContent(block: Block, colour: string): Content[] {
  switch (block.type) {
    case 'cover': {
      const lines = block.lines.map(
        (text): Content => ({ text, alignment: 'center', color: '#666666', margin: [0, 4] }),
      );
      return [
        { text: block.title, fontSize: 30, bold: true, color: colour, alignment: 'center', margin: [0, 220, 0, 16] },
        ...(block.subtitle === null ? [] : [{ text: block.subtitle, fontSize: 15, alignment: 'center' } as Content]),
        ...lines,
        { text: '', pageBreak: 'after' },
      ];
    }
    case 'heading':
      return [headingContent(block, colour)];
    case 'paragraph':
      return [{ text: texts(block.runs), margin: [0, 0, 0, 7] }];
    case 'note':
      return [noteContent(block)];
    case 'code':
      return [boxed([[{ text: block.text, fontSize: 9, preserveLeadingSpaces: true }]], '#f2f2f2')];
    case 'list':
      return [{ stack: listContent(block.items), margin: [0, 0, 0, 7] }];
    case 'kpi':
      return kpiContent(block.items, colour);
    case 'table':
      return tableContent(block, colour);
    case 'chart':
      return chartContent(block);
    case 'spacer':
      return [{ text: '', margin: [0, block.points, 0, 0] }];
    case 'rule':
      return [
        { canvas: [{ type: 'line', x1: 0, y1: 4, x2: PAGE_WIDTH, y2: 4, lineColor: '#aaaaaa' }], margin: [0, 4, 0, 8] },
      ];
    case 'page-break':
      return [{ text: '', pageBreak: 'after' }];
  }
}

function boxed(body: TableCell[][], fillColor: string): Content {
  return { table: { widths: ['*'], body }, layout: { ...NO_LINES, fillColor: () => fillColor }, margin: [0, 3, 0, 9] };
}

const NO_LINES = { hLineWidth: () => 0, vLineWidth: () => 0 };

function noteContent({ tone, runs }: Extract<Block, { type: 'note' }>): Content {
  return {
    table: { widths: ['*'], body: [[{ text: texts(runs), margin: [6, 2] }]] },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (at) => (at === 0 ? 3 : 0),
      vLineColor: () => `#${NOTE_COLOURS[tone]}`,
      fillColor: () => '#f5f5f5',
    },
    margin: [0, 3, 0, 9],
  };
}

/** Own list markers: the numbers of each level continue until a higher level occurs again. */
function listContent(items: Extract<Block, { type: 'list' }>['items']): Content[] {
  const counts: number[] = [];
  return items.map(({ runs, level, isOrdered }) => {
    counts.length = level + 1;
    counts[level] = (counts[level] ?? 0) + 1;
    const mark = isOrdered ? `${counts[level]}.` : '•';
    return {
      columns: [
        { width: 18, text: mark },
        { width: '*', text: texts(runs) },
      ],
      margin: [8 + Math.min(level, 10) * 16, 0, 0, 2],
    };
  });
}

function kpiContent(items: Extract<Block, { type: 'kpi' }>['items'], colour: string): Content[] {
  const cell = ({ label, value, note }: (typeof items)[number]): TableCell => ({
    stack: [
      { text: label, fontSize: 9, color: '#666666' },
      { text: value, fontSize: 18, bold: true, color: colour },
      ...(note === null ? [] : [{ text: note, fontSize: 9 }]),
    ],
    margin: [4, 3],
  });
  const rows: Content[] = [];
  for (let at = 0; at < items.length; at += 4) {
    const row = items.slice(at, at + 4).map(cell);
    rows.push({ table: { widths: row.map(() => '*'), body: [row] }, margin: [0, 2, 0, 6] });
  }
  return rows;
}

function tableContent({ caption, header, rows }: Extract<Block, { type: 'table' }>, colour: string): Content[] {
  const width = Math.max(1, header?.length ?? 0, ...rows.map((row) => row.length));
  const line = (row: readonly Cell[], isHeader: boolean): TableCell[] =>
    Array.from({ length: width }, (_, at) => ({
      text: texts(row[at]?.runs ?? []),
      ...(isHeader && { bold: true, color: '#ffffff', fillColor: colour }),
      ...(!isHeader && typeof row[at]?.value === 'number' && { alignment: 'right' as const }),
    }));
  const body = [...(header ? [line(header, true)] : []), ...rows.map((row) => line(row, false))];
  if (body.length === 0) return [];
  const fontSize = width > 12 ? 6 : width > 7 ? 7.5 : 9.5;
  return [
    ...(caption === null ? [] : [{ text: caption, bold: true, margin: [0, 6, 0, 3] } as Content]),
    {
      table: { headerRows: header ? 1 : 0, widths: Array.from({ length: width }, () => '*'), body },
      layout: {
        hLineColor: () => '#bbbbbb',
        vLineColor: () => '#bbbbbb',
        hLineWidth: () => 0.5,
        vLineWidth: () => 0.5,
      },
      fontSize,
      margin: [0, 2, 0, 10],
    },
  ];
}

/** Drawn directly: text in an SVG would need a font from the disk. */
function chartContent(chart: Chart): Content[] {
  const scale = PAGE_WIDTH / CHART_WIDTH;
  const shapes = chartShapes(chart);
  const labels = shapes.flatMap((shape): Content[] => {
    if (shape.kind !== 'text') return [];
    const [x, y] = shape.at;
    const left = { start: 0, middle: 100, end: 200 }[shape.anchor];
    const alignment = ({ start: 'left', middle: 'center', end: 'right' } as const)[shape.anchor];
    const place = { x: (x - left) * scale, y: (y - 10) * scale };
    return [{ columns: [{ width: 200 * scale, text: shape.text, alignment, fontSize: 8 }], relativePosition: place }];
  });
  return [
    ...(chart.title === null ? [] : [{ text: chart.title, bold: true, margin: [0, 8, 0, 2] } as Content]),
    {
      unbreakable: true,
      stack: [
        ...labels,
        {
          canvas: [
            { type: 'rect', x: 0, y: 0, w: PAGE_WIDTH, h: CHART_HEIGHT * scale, lineColor: '#ffffff' },
            ...shapes.flatMap((shape) => vector(shape, scale)),
          ],
        },
      ],
      margin: [0, 4, 0, 10],
    },
  ];
}

function vector(shape: Shape, scale: number): CanvasElement[] {
  if (shape.kind === 'text') return [];
  if (shape.kind === 'rect') {
    const { x, y, width, height, colour } = shape;
    return [
      { type: 'rect', x: x * scale, y: y * scale, w: width * scale, h: height * scale, color: colour, lineWidth: 0 },
    ];
  }
  const points = shape.points.map(([x, y]) => ({ x: x * scale, y: y * scale }));
  return shape.kind === 'area'
    ? [{ type: 'polyline', points, closePath: true, color: shape.colour, lineColor: '#ffffff', lineWidth: 0.5 }]
    : [{ type: 'polyline', points, lineColor: shape.colour, lineWidth: shape.thickness * scale }];
}

function texts(runs: readonly Run[]): Content[] {
  return runs.map(({ text, bold, italic, strike, code, href }) => ({
    text,
    ...(bold && { bold }),
    ...(italic && { italics: true }),
    ...(strike && { decoration: 'lineThrough' as const }),
    ...(code && { background: '#eeeeee' }),
    ...(href !== undefined && { link: href, color: '#2e75b6', decoration: 'underline' as const }),
  }));
}
