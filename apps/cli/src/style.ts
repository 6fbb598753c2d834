import type { Line, Span } from './screen/line.ts';
import { createPalette } from './screen/render/palette.ts';

type Paint = (text: string) => string;

export interface Style {
  accent: Paint;
  success: Paint;
  danger: Paint;
  muted: Paint;
  bold: Paint;
  /** A line of the screen, of any length. */
  line(line: Line): string;
}

export interface StyleOptions {
  /** Whether colors are enabled; NO_COLOR and dumb terminals take precedence. */
  isColoured: boolean;
  env: Readonly<Record<string, string | undefined>>;
  theme?: string | undefined;
}

const PLAIN: Style = { accent: same, success: same, danger: same, muted: same, bold: same, line: plainLine };

/** Styles of printed text; not nestable. */
export function createStyle({ isColoured, env, theme }: StyleOptions): Style {
  const { depth, paint } = createPalette({ env, theme });
  if (!isColoured || depth === 'none' || depth === 'bare') return PLAIN;
  const of =
    (look: Omit<Span, 'text'>): Paint =>
    (text) =>
      text.replace(/[^\n\t]+/g, (piece) => paint([{ ...look, text: piece }]));
  return {
    accent: of({ token: 'accent' }),
    success: of({ token: 'success' }),
    danger: of({ token: 'danger' }),
    muted: of({ token: 'muted' }),
    bold: of({ isBold: true }),
    line: paint,
  };
}

function same(text: string): string {
  return text;
}

function plainLine(line: Line): string {
  return line.map(({ text }) => text).join('');
}
