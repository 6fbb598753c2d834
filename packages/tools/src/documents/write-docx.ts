import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  HeadingLevel,
  LevelFormat,
  Packer,
  PageBreak,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  Table,
  TableCell,
  TableOfContents,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { ChartRun } from 'docx/charts';
import { ACCENT, type Block, type Cell, type Chart, type MadeDocument, NOTE_COLOURS, type Run } from './blocks.ts';

type Child = Paragraph | Table;

const HEADINGS = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3, HeadingLevel.HEADING_4];
const MAX_LEVEL = 8;

export async function docxBytes(made: MadeDocument): Promise<Uint8Array> {
  const { title, theme, footer, blocks } = made;
  const colour = theme === 'report' ? ACCENT : '000000';
  const lists = { count: 0 };
  const notes: Notes = { references: made.references, made: [] };
  const children = blocks.flatMap((block) => [
    ...blockParts(block, { colour, lists, notes }),
    ...(block.type === 'cover' && made.contents !== null ? contentsParts(made.contents) : []),
  ]);
  const foot = new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.CENTER,
        children: [
          new TextRun({
            size: 18,
            color: '777777',
            children: [footer === null ? '' : `${footer}  ·  `, PageNumber.CURRENT],
          }),
        ],
      }),
    ],
  });
  const document = new Document({
    title,
    creator: 'Fucina',
    styles: { default: { document: { run: { font: 'Calibri', size: 22 } } } },
    numbering: { config: Array.from({ length: lists.count }, (_, index) => numbering(`list-${index + 1}`)) },
    footnotes: Object.fromEntries(notes.made.map((text, at) => [at + 1, { children: [new Paragraph(text)] }])),
    sections: [{ children, ...(theme === 'report' || footer !== null ? { footers: { default: foot } } : {}) }],
  });
  return Packer.toBuffer(document);
}

function numbering(reference: string) {
  const levels = Array.from({ length: MAX_LEVEL + 1 }, (_, level) => ({
    level,
    format: level % 2 === 0 ? LevelFormat.DECIMAL : LevelFormat.LOWER_LETTER,
    text: `%${level + 1}.`,
    style: { paragraph: { indent: { left: 720 * (level + 1), hanging: 360 } } },
  }));
  return { reference, levels };
}

interface Looks {
  colour: string;
  /** Each ordered list has its own numbering, so that it starts at 1. */
  lists: { count: number };
  notes: Notes;
}

/** Each citation gets its own footnote with its source. */
interface Notes {
  references: readonly string[];
  made: string[];
}

function blockParts(block: Block, { colour, lists, notes }: Looks): Child[] {
  switch (block.type) {
    case 'cover':
      return coverParts(block, colour);
    case 'heading': {
      const heading = HEADINGS[Math.min(block.level, HEADINGS.length) - 1] as (typeof HEADINGS)[number];
      return [
        new Paragraph({
          heading,
          spacing: { before: 240, after: 120 },
          children: runs(block.runs, { color: colour, bold: true }),
        }),
      ];
    }
    case 'paragraph':
      return [new Paragraph({ spacing: { after: 120 }, children: cited(block.runs, notes) })];
    case 'note':
      return [noteParagraph(block)];
    case 'code':
      return block.text
        .split('\n')
        .map(
          (line) =>
            new Paragraph({ shading: SHADE, children: [new TextRun({ text: line, font: 'Consolas', size: 19 })] }),
        );
    case 'list':
      if (block.items.some(({ isOrdered }) => isOrdered)) lists.count += 1;
      return block.items.map(({ runs: own, level, isOrdered }) => {
        const at = Math.min(level, MAX_LEVEL);
        const look = isOrdered
          ? { numbering: { reference: `list-${lists.count}`, level: at } }
          : { bullet: { level: at } };
        return new Paragraph({ ...look, children: cited(own, notes) });
      });
    case 'kpi':
      return [kpiTable(block.items, colour)];
    case 'table':
      return tableParts(block, colour);
    case 'chart':
      return chartParts(block);
    case 'spacer':
      return [new Paragraph({ spacing: { before: block.points * 20 }, children: [] })];
    case 'rule':
      return [
        new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: 'AAAAAA' } }, children: [] }),
      ];
    case 'page-break':
      return [new Paragraph({ children: [new PageBreak()] })];
  }
}

const CITATION = /(\[\d{1,3}\])/;

function cited(own: readonly Run[], notes: Notes): ParagraphChild[] {
  if (notes.references.length === 0) return runs(own);
  return own.flatMap((run) => run.text.split(CITATION).flatMap((text) => citedPart({ ...run, text }, notes)));
}

function citedPart(run: Run, notes: Notes): ParagraphChild[] {
  const number = CITATION.test(run.text) ? Number(run.text.slice(1, -1)) : 0;
  const reference = notes.references[number - 1];
  if (reference === undefined) return run.text === '' ? [] : runs([run]);
  notes.made.push(reference);
  return [new FootnoteReferenceRun(notes.made.length)];
}

function contentsParts(title: string): Child[] {
  const contents = new TableOfContents(title, { hyperlink: true, headingStyleRange: '1-3' });
  return [contents as unknown as Child, new Paragraph({ children: [new PageBreak()] })];
}

const SHADE = { type: ShadingType.CLEAR, fill: 'F2F2F2', color: 'auto' } as const;

function coverParts({ title, subtitle, lines }: Extract<Block, { type: 'cover' }>, colour: string): Child[] {
  const line = (text: string, size: number, extra: object = {}): Paragraph =>
    new Paragraph({
      alignment: AlignmentType.CENTER,
      spacing: { after: 200 },
      children: [new TextRun({ text, size, ...extra })],
    });
  return [
    new Paragraph({ spacing: { before: 3200 }, children: [] }),
    line(title, 56, { bold: true, color: colour }),
    ...(subtitle === null ? [] : [line(subtitle, 30)]),
    ...lines.map((text) => line(text, 22, { color: '666666' })),
    new Paragraph({ children: [new PageBreak()] }),
  ];
}

function noteParagraph({ tone, runs: own }: Extract<Block, { type: 'note' }>): Paragraph {
  return new Paragraph({
    spacing: { before: 120, after: 120 },
    indent: { left: 240 },
    shading: SHADE,
    border: { left: { style: BorderStyle.SINGLE, size: 24, space: 8, color: NOTE_COLOURS[tone] } },
    children: runs(own),
  });
}

function kpiTable(items: Extract<Block, { type: 'kpi' }>['items'], colour: string): Table {
  const cell = ({ label, value, note }: (typeof items)[number]): TableCell =>
    new TableCell({
      margins: { top: 100, bottom: 100, left: 120, right: 120 },
      children: [
        new Paragraph({ children: [new TextRun({ text: label, size: 18, color: '666666' })] }),
        new Paragraph({ children: [new TextRun({ text: value, size: 36, bold: true, color: colour })] }),
        ...(note === null ? [] : [new Paragraph({ children: [new TextRun({ text: note, size: 18 })] })]),
      ],
    });
  const rows: TableRow[] = [];
  for (let at = 0; at < items.length; at += 4) rows.push(new TableRow({ children: items.slice(at, at + 4).map(cell) }));
  return new Table({ width: { size: 100, type: WidthType.PERCENTAGE }, rows });
}

function tableParts({ caption, header, rows }: Extract<Block, { type: 'table' }>, colour: string): Child[] {
  const width = Math.max(1, header?.length ?? 0, ...rows.map((row) => row.length));
  const cell = (one: Cell | undefined, isHeader: boolean): TableCell =>
    new TableCell({
      ...(isHeader && { shading: { type: ShadingType.CLEAR, fill: colour, color: 'auto' } }),
      margins: { top: 40, bottom: 40, left: 90, right: 90 },
      children: [
        new Paragraph({
          ...(typeof one?.value === 'number' && !isHeader && { alignment: AlignmentType.RIGHT }),
          children: runs(one?.runs ?? [], isHeader ? { bold: true, color: 'FFFFFF' } : {}),
        }),
      ],
    });
  const line = (row: readonly Cell[], isHeader: boolean): TableRow =>
    new TableRow({
      ...(isHeader && { tableHeader: true }),
      cantSplit: true,
      children: Array.from({ length: width }, (_, at) => cell(row[at], isHeader)),
    });
  const all = [...(header ? [line(header, true)] : []), ...rows.map((row) => line(row, false))];
  return [
    ...(caption === null
      ? []
      : [new Paragraph({ keepNext: true, children: [new TextRun({ text: caption, bold: true })] })]),
    ...(all.length > 0 ? [new Table({ width: { size: 100, type: WidthType.PERCENTAGE }, rows: all })] : []),
    new Paragraph({ children: [] }),
  ];
}

function chartParts({ chart, title, labels, series }: Chart): Child[] {
  const base = {
    transformation: { width: 560, height: 280 },
    ...(title === null ? {} : { title }),
    categories: labels,
  };
  const made =
    chart === 'pie'
      ? new ChartRun({
          ...base,
          type: 'pie',
          series: [{ name: series[0]?.name ?? '', values: series[0]?.values ?? [] }],
        })
      : new ChartRun({ ...base, type: chart === 'line' ? 'line' : 'column', series });
  return [new Paragraph({ alignment: AlignmentType.CENTER, children: [made] })];
}

interface Look {
  bold?: boolean;
  color?: string;
}

function runs(own: readonly Run[], look: Look = {}): (TextRun | ExternalHyperlink)[] {
  return own.map(({ text, bold, italic, strike, code, href }) => {
    const lines = text.split('\n');
    const run = new TextRun({
      ...look,
      ...(bold && { bold }),
      ...(italic && { italics: true }),
      ...(strike && { strike }),
      ...(code && { font: 'Consolas' }),
      ...(href !== undefined && { style: 'Hyperlink' }),
      children: lines.flatMap((line, index) => (index === 0 ? [line] : [new TextRun({ break: 1 }), line])) as string[],
    });
    return href === undefined ? run : new ExternalHyperlink({ link: href, children: [run] });
  });
}
