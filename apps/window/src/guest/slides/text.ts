import { colourOf, type Palette } from './colours.ts';
import { childNamed, children, numberOf } from './parts.ts';

/** Inherited text styles: lists of styles by level, nearest first. */
export interface TextContext {
  styles: readonly (Element | undefined)[];
  palette: Palette;
  /** Converts a length of the slide to its unit. */
  unit: (emu: number) => string;
}

const EMU_PER_POINT = 12_700;
const DEFAULT_SIZE = 1_800;
const ALIGN: Readonly<Record<string, string>> = {
  l: 'left',
  ctr: 'center',
  r: 'right',
  just: 'justify',
  dist: 'justify',
};

/** The paragraphs of a text body, including lists. */
export function paragraphs(body: Element, context: TextContext): HTMLElement[] {
  const scale = (numberOf(childNamed(body, 'bodyPr', 'normAutofit'), 'fontScale') ?? 100_000) / 100_000;
  const own = childNamed(body, 'lstStyle');
  const counts: number[] = [];
  return children(body, 'p').map((paragraph) => {
    const properties = childNamed(paragraph, 'pPr');
    const level = numberOf(properties, 'lvl') ?? 0;
    const levels = [own, ...context.styles].map((style) => childNamed(style, `lvl${level + 1}pPr`));
    const chain = [properties, ...levels].filter((step) => step !== undefined);
    const made = document.createElement('p');
    made.style.textAlign = ALIGN[first(chain, (step) => step.getAttribute('algn')) ?? 'l'] ?? 'left';
    const indent = first(chain, (step) => step.getAttribute('marL'));
    if (indent !== undefined) made.style.paddingInlineStart = context.unit(Number(indent));
    const defaults = levels.map((step) => childNamed(step, 'defRPr')).filter((step) => step !== undefined);
    const sizeOf = (run: Element | undefined) =>
      Number(first([run, ...defaults], (step) => step.getAttribute('sz')) ?? DEFAULT_SIZE) * scale;
    made.style.fontSize = context.unit((sizeOf(childNamed(paragraph, 'endParaRPr')) / 100) * EMU_PER_POINT);
    const runs = [...paragraph.children].flatMap((run) => piece(run, { defaults, context, sizeOf }));
    const mark = runs.length > 0 ? bulletOf(chain, { counts, level }) : undefined;
    if (mark !== undefined) made.append(bullet(mark));
    made.append(...runs);
    if (runs.length === 0) made.append(document.createElement('br'));
    return made;
  });
}

/** The nearest defined value. */
function first(
  chain: readonly (Element | undefined)[],
  pick: (step: Element) => string | null | undefined,
): string | undefined {
  for (const step of chain) {
    const value = step && pick(step);
    if (value !== null && value !== undefined) return value;
  }
  return undefined;
}

interface RunContext {
  defaults: readonly Element[];
  context: TextContext;
  sizeOf: (run: Element | undefined) => number;
}

function piece(run: Element, { defaults, context, sizeOf }: RunContext): Node[] {
  if (run.localName === 'br') return [document.createElement('br')];
  if (run.localName !== 'r' && run.localName !== 'fld') return [];
  const properties = childNamed(run, 'rPr');
  const chain = [properties, ...defaults];
  const made = document.createElement('span');
  made.textContent = childNamed(run, 't')?.textContent ?? '';
  made.style.fontSize = context.unit((sizeOf(properties) / 100) * EMU_PER_POINT);
  const isOn = (name: string) => ['1', 'true'].includes(first(chain, (step) => step.getAttribute(name)) ?? '');
  if (isOn('b')) made.style.fontWeight = '700';
  if (isOn('i')) made.style.fontStyle = 'italic';
  const lines = [
    ...((first(chain, (step) => step.getAttribute('u')) ?? 'none') === 'none' ? [] : ['underline']),
    ...((first(chain, (step) => step.getAttribute('strike')) ?? 'noStrike') === 'noStrike' ? [] : ['line-through']),
  ];
  if (lines.length > 0) made.style.textDecorationLine = lines.join(' ');
  const colour = first(chain, (step) => colourOf(childNamed(step, 'solidFill'), context.palette));
  if (colour) made.style.color = colour;
  const raise = Number(properties?.getAttribute('baseline') ?? 0);
  if (raise !== 0) made.style.verticalAlign = raise > 0 ? 'super' : 'sub';
  const face = first(chain, (step) => childNamed(step, 'latin')?.getAttribute('typeface'));
  if (face && !face.startsWith('+')) made.style.fontFamily = `${JSON.stringify(face)}, sans-serif`;
  return [made];
}

/** The bullet or number of a list paragraph; numbering restarts after a higher level. */
function bulletOf(
  chain: readonly Element[],
  { counts, level }: { counts: number[]; level: number },
): string | undefined {
  const holder = chain.find((step) => ['buNone', 'buChar', 'buAutoNum'].some((name) => childNamed(step, name)));
  counts.length = Math.min(counts.length, level + 1);
  if (!holder || childNamed(holder, 'buNone')) return undefined;
  const character = childNamed(holder, 'buChar')?.getAttribute('char');
  if (character) return SYMBOLS[character] ?? character;
  const start = numberOf(childNamed(holder, 'buAutoNum'), 'startAt') ?? 1;
  counts[level] = (counts[level] ?? start - 1) + 1;
  return `${counts[level]}.`;
}

/** Substitutes for characters of symbol fonts, which are not available. */
const SYMBOLS: Readonly<Record<string, string>> = {
  '§': '▪',
  ü: '✓',
  Ø: '➢',
  q: '❑',
  v: '❖',
  '\uf0b7': '•',
  '\uf0a7': '▪',
};

function bullet(text: string): HTMLElement {
  const made = document.createElement('span');
  made.className = 'bullet';
  made.textContent = text;
  return made;
}
