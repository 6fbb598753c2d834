/** A piece of text with one style. */
export interface Run {
  text: string;
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  /** http, https or mailto only. */
  href?: string;
}

export type CellValue = string | number | boolean | null;

export interface Cell {
  value: CellValue;
  runs: Run[];
}

export interface ListItem {
  runs: Run[];
  /** 0 for the outermost. */
  level: number;
  isOrdered: boolean;
}

export interface Chart {
  type: 'chart';
  chart: 'bar' | 'line' | 'pie';
  title: string | null;
  labels: string[];
  series: { name: string; values: number[] }[];
}

export interface Table {
  type: 'table';
  caption: string | null;
  header: Cell[] | null;
  rows: Cell[][];
}

/** The common input of all rich formats. */
export type Block =
  | { type: 'cover'; title: string; subtitle: string | null; lines: string[] }
  | { type: 'heading'; level: number; runs: Run[] }
  | { type: 'paragraph'; runs: Run[] }
  | { type: 'note'; tone: 'info' | 'warning' | 'success' | 'quote'; runs: Run[] }
  | { type: 'code'; text: string }
  | { type: 'list'; items: ListItem[] }
  | { type: 'kpi'; items: { label: string; value: string; note: string | null }[] }
  | Table
  | Chart
  | { type: 'spacer'; points: number }
  | { type: 'rule' }
  | { type: 'page-break' };

export interface Slide {
  title: string;
  bullets: string[];
}

export interface MadeDocument {
  title: string;
  /** `report` has colors and a running footer; `plain` is black on white. */
  theme: 'report' | 'plain';
  footer: string | null;
  /** The original text, for text formats. */
  body: string | null;
  rows: CellValue[][] | null;
  slides: Slide[] | null;
  blocks: Block[];
  /** Title of a table of contents after the cover. */
  contents: string | null;
  /** By number, from 1: the source of a citation such as `[1]`. */
  references: readonly string[];
}

export function runsText(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

export function cellOf(value: CellValue, runs?: Run[]): Cell {
  return { value, runs: runs ?? [{ text: value === null ? '' : String(value) }] };
}

export const ACCENT = '1F4E79';
export const ACCENTS: readonly string[] = [
  '1F4E79',
  'C55A11',
  '548235',
  '7F6000',
  '5B2C83',
  '2E75B6',
  '833C0B',
  '3B3838',
];
export const NOTE_COLOURS = { info: '2E75B6', warning: 'C55A11', success: '548235', quote: '7F7F7F' } as const;
