import type { Chart } from './blocks.ts';
import { CHART_HEIGHT, CHART_WIDTH, chartShapes, type Shape } from './chart-drawing.ts';

export function chartSvg(chart: Chart): string {
  const size = `viewBox="0 0 ${CHART_WIDTH} ${CHART_HEIGHT}" width="${CHART_WIDTH}" height="${CHART_HEIGHT}"`;
  const shapes = chartShapes(chart).map(shapeSvg).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size} font-family="sans-serif" font-size="11">${shapes}</svg>`;
}

function shapeSvg(shape: Shape): string {
  switch (shape.kind) {
    case 'rect':
      return `<rect x="${at(shape.x)}" y="${at(shape.y)}" width="${at(shape.width)}" height="${at(shape.height)}" fill="${shape.colour}"/>`;
    case 'line':
      return `<polyline fill="none" stroke="${shape.colour}" stroke-width="${shape.thickness}" points="${points(shape)}"/>`;
    case 'area':
      return `<polygon fill="${shape.colour}" stroke="#ffffff" points="${points(shape)}"/>`;
    case 'text': {
      const [x, y] = shape.at;
      return `<text x="${at(x)}" y="${at(y)}" text-anchor="${shape.anchor}" fill="#333333">${escapeXml(shape.text)}</text>`;
    }
  }
}

function points(shape: Extract<Shape, { kind: 'line' | 'area' }>): string {
  return shape.points.map(([x, y]) => `${at(x)},${at(y)}`).join(' ');
}

export function escapeXml(text: string): string {
  const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (sign) => signs[sign] as string);
}

function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}
