import { ACCENTS, type Chart } from './blocks.ts';

export type Shape =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; colour: string }
  | { kind: 'line'; points: readonly Point[]; colour: string; thickness: number }
  | { kind: 'area'; points: readonly Point[]; colour: string }
  | { kind: 'text'; text: string; at: Point; anchor: 'start' | 'middle' | 'end' };

type Point = readonly [x: number, y: number];

export const CHART_WIDTH = 640;
export const CHART_HEIGHT = 320;
const LEFT = 56;
const BOTTOM = 272;
const TOP = 16;
const RIGHT = 624;
const SLICE_STEPS = 120;

/** A chart as plain shapes on a fixed area, which every format can draw. */
export function chartShapes(chart: Chart): Shape[] {
  return chart.chart === 'pie' ? pie(chart) : axes(chart);
}

function axes({ chart, labels, series }: Chart): Shape[] {
  const values = series.flatMap(({ values: own }) => own);
  const top = Math.max(0, ...values);
  const low = Math.min(0, ...values);
  const span = top - low || 1;
  const y = (value: number): number => BOTTOM - ((value - low) / span) * (BOTTOM - TOP);
  const step = (RIGHT - LEFT) / Math.max(1, labels.length);
  const grid = [0, 1, 2, 3, 4].flatMap((part): Shape[] => {
    const value = low + (span * part) / 4;
    const points: Point[] = [
      [LEFT, y(value)],
      [RIGHT, y(value)],
    ];
    return [
      { kind: 'line', points, colour: '#dddddd', thickness: 1 },
      { kind: 'text', text: short(value), at: [LEFT - 6, y(value) + 4], anchor: 'end' },
    ];
  });
  const every = Math.max(1, Math.ceil(labels.length / 12));
  const names = labels.flatMap((label, index): Shape[] => {
    const at: Point = [LEFT + step * (index + 0.5), BOTTOM + 16];
    return index % every === 0 ? [{ kind: 'text', text: cut(label, 14), at, anchor: 'middle' }] : [];
  });
  const shapes = series.flatMap(({ values: own }, number): Shape[] => {
    const colour = colourOf(number);
    if (chart === 'line') {
      const points = own.map((value, index): Point => [LEFT + step * (index + 0.5), y(value)]);
      return [{ kind: 'line', points, colour, thickness: 2 }];
    }
    const width = (step * 0.7) / series.length;
    return own.map((value, index) => {
      const from = Math.min(y(0), y(value));
      const x = LEFT + step * (index + 0.15) + width * number;
      return { kind: 'rect', x, y: from, width, height: Math.max(y(0), y(value)) - from, colour };
    });
  });
  return [...grid, ...names, ...shapes, ...legend(series.map(({ name }) => name))];
}

function pie({ labels, series }: Chart): Shape[] {
  const values = (series[0]?.values ?? []).map((value) => Math.max(0, value));
  const sum = values.reduce((total, value) => total + value, 0) || 1;
  let from = -Math.PI / 2;
  const slices = values.flatMap((value, index): Shape[] => {
    const turn = (value / sum) * Math.PI * 2;
    const steps = Math.max(2, Math.ceil((turn / (Math.PI * 2)) * SLICE_STEPS));
    const arc = Array.from({ length: steps + 1 }, (_, at): Point => {
      const angle = from + (turn * at) / steps;
      return [200 + 130 * Math.cos(angle), 150 + 130 * Math.sin(angle)];
    });
    from += turn;
    return value === 0 ? [] : [{ kind: 'area', points: [[200, 150], ...arc], colour: colourOf(index) }];
  });
  const names = labels.slice(0, 14).flatMap((label, index): Shape[] => {
    const y = 30 + index * 20;
    const share = Math.round(((values[index] ?? 0) / sum) * 1000) / 10;
    return [
      { kind: 'rect', x: 370, y: y - 9, width: 10, height: 10, colour: colourOf(index) },
      { kind: 'text', text: `${cut(label, 30)} ${share}%`, at: [388, y], anchor: 'start' },
    ];
  });
  return [...slices, ...names];
}

function legend(names: readonly string[]): Shape[] {
  if (names.length < 2) return [];
  return names.slice(0, 6).flatMap((name, index): Shape[] => [
    { kind: 'rect', x: LEFT + index * 95, y: 298, width: 10, height: 10, colour: colourOf(index) },
    { kind: 'text', text: cut(name, 12), at: [LEFT + 14 + index * 95, 307], anchor: 'start' },
  ]);
}

function cut(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : text;
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Math.round(value / 1e5) / 10}M`;
  return size >= 1e4 ? `${Math.round(value / 100) / 10}k` : String(Math.round(value * 100) / 100);
}

function colourOf(index: number): string {
  return `#${ACCENTS[index % ACCENTS.length]}`;
}
