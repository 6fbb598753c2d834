import { type Block, type Cell, type CellValue, cellOf } from './blocks.ts';
import type { ReportBlock } from './document-input.ts';
import { inlineRuns, markdownBlocks } from './markdown-blocks.ts';

const SPACE_POINTS = 14;

/** The blocks written by a model, with their texts parsed as Markdown. */
export function reportBlocks(blocks: readonly ReportBlock[]): Block[] {
  return blocks.flatMap(blocksOf);
}

function blocksOf(block: ReportBlock): Block[] {
  switch (block.type) {
    case 'cover':
      return [{ type: 'cover', title: block.title, subtitle: block.subtitle ?? null, lines: block.lines ?? [] }];
    case 'h':
      return [{ type: 'heading', level: block.level ?? 1, runs: inlineRuns(block.text) }];
    case 'p':
      return markdownBlocks(block.text);
    case 'note':
      return [{ type: 'note', tone: block.tone ?? 'info', runs: inlineRuns(block.text) }];
    case 'list': {
      const isOrdered = block.ordered ?? false;
      return [{ type: 'list', items: block.items.map((text) => ({ runs: inlineRuns(text), level: 0, isOrdered })) }];
    }
    case 'kpi': {
      const items = block.items.map(({ label, value, note }) => ({ label, value: String(value), note: note ?? null }));
      return [{ type: 'kpi', items }];
    }
    case 'table': {
      const { caption = null, header, rows } = block;
      return [
        { type: 'table', caption, header: header ? header.map(cell) : null, rows: rows.map((row) => row.map(cell)) },
      ];
    }
    case 'chart': {
      const { kind: chart, title = null, labels } = block;
      // Every series needs a value for every label.
      const series = block.series.map(({ name, values }) => ({ name, values: labels.map((_, at) => values[at] ?? 0) }));
      return [{ type: 'chart', chart, title, labels, series }];
    }
    case 'spacer':
      return [{ type: 'spacer', points: SPACE_POINTS }];
    case 'pb':
      return [{ type: 'page-break' }];
  }
}

function cell(value: CellValue): Cell {
  return typeof value === 'string' ? cellOf(value, inlineRuns(value)) : cellOf(value);
}
