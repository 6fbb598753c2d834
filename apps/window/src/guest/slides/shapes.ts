import { fillOf, type Palette } from './colours.ts';
import {
  childNamed,
  children,
  descendantsNamed,
  linkOf,
  numberOf,
  type PresentationParts,
  type Relationship,
} from './parts.ts';
import { paragraphs } from './text.ts';

/** Sources of properties that a slide's shapes inherit. */
export interface SlideContext {
  parts: PresentationParts;
  palette: Palette;
  links: ReadonlyMap<string, Relationship>;
  /** The slide's layout and its master, nearest first. */
  above: readonly (Element | undefined)[];
  /** `p:txStyles` of the master. */
  textStyles: Element | undefined;
  /** Converts a length of the slide to its unit. */
  unit: (emu: number) => string;
  words: { chart: string; picture: string };
}

interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Transformation of a group's children to the slide. */
type Move = (place: Place) => Place;
const STAY: Move = (place) => place;

/** Draws the shapes of a tree in order. `isBackground`: of a layout, whose text placeholders stay empty. */
export async function drawShapes(
  tree: Element | undefined,
  into: HTMLElement,
  { context, move = STAY, isBackground = false }: { context: SlideContext; move?: Move; isBackground?: boolean },
): Promise<void> {
  for (const shape of tree?.children ?? []) {
    if (isBackground && placeholderOf(shape)) continue;
    if (shape.localName === 'grpSp') {
      await drawShapes(shape, into, { context, move: groupMove(shape, move), isBackground });
      continue;
    }
    const box = await drawn(shape, context);
    if (!box) continue;
    const place = placeOf(shape, context);
    if (place) put(box, move(place), context);
    else box.classList.add('unplaced');
    turn(box, childNamed(shape, 'spPr', 'xfrm'));
    into.append(box);
  }
}

async function drawn(shape: Element, context: SlideContext): Promise<HTMLElement | undefined> {
  switch (shape.localName) {
    case 'sp':
    case 'cxnSp':
      return textBox(shape, context);
    case 'pic':
      return picture(shape, context);
    case 'graphicFrame':
      return frame(shape, context);
    default:
      return undefined;
  }
}

function put(box: HTMLElement, { x, y, width, height }: Place, { unit }: SlideContext): void {
  box.style.left = unit(x);
  box.style.top = unit(y);
  box.style.width = unit(width);
  box.style.height = unit(height);
}

function turn(box: HTMLElement, xfrm: Element | undefined): void {
  const angle = (numberOf(xfrm, 'rot') ?? 0) / 60_000;
  const flips = `${xfrm?.getAttribute('flipH') === '1' ? ' scaleX(-1)' : ''}${xfrm?.getAttribute('flipV') === '1' ? ' scaleY(-1)' : ''}`;
  const isText = box.textContent !== '';
  const moves = `${angle ? `rotate(${angle}deg)` : ''}${isText ? '' : flips}`.trim();
  if (moves) box.style.transform = moves;
}

function placeOf(shape: Element, context: SlideContext): Place | undefined {
  const own = childNamed(shape, 'spPr', 'xfrm') ?? childNamed(shape, 'xfrm');
  return (
    placeIn(own) ??
    placeIn(
      childNamed(
        likeIn(shape, context).find((one) => childNamed(one, 'spPr', 'xfrm')),
        'spPr',
        'xfrm',
      ),
    )
  );
}

function placeIn(xfrm: Element | undefined, [from, size] = ['off', 'ext']): Place | undefined {
  const [x, y] = [numberOf(childNamed(xfrm, from as string), 'x'), numberOf(childNamed(xfrm, from as string), 'y')];
  const [width, height] = [
    numberOf(childNamed(xfrm, size as string), 'cx'),
    numberOf(childNamed(xfrm, size as string), 'cy'),
  ];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  return { x, y, width, height };
}

function groupMove(group: Element, outer: Move): Move {
  const xfrm = childNamed(group, 'grpSpPr', 'xfrm');
  const [shown, inner] = [placeIn(xfrm), placeIn(xfrm, ['chOff', 'chExt'])];
  if (!shown || !inner || inner.width === 0 || inner.height === 0) return outer;
  const [across, down] = [shown.width / inner.width, shown.height / inner.height];
  return ({ x, y, width, height }) =>
    outer({
      x: shown.x + (x - inner.x) * across,
      y: shown.y + (y - inner.y) * down,
      width: width * across,
      height: height * down,
    });
}

const placeholderOf = (shape: Element): Element | undefined =>
  childNamed(
    [...shape.children].find(({ localName }) => localName.startsWith('nv')),
    'nvPr',
    'ph',
  );

/** The placeholders of the layout and the master that a slide's placeholder inherits from. */
function likeIn(shape: Element, { above }: SlideContext): Element[] {
  const own = placeholderOf(shape);
  if (!own) return [];
  const [kind, index] = [kindOf(own), own.getAttribute('idx')];
  return above.flatMap((sheet) => {
    const shapes = descendantsNamed(sheet, 'sp').filter((candidate) => placeholderOf(candidate));
    const found =
      shapes.find((candidate) => index !== null && placeholderOf(candidate)?.getAttribute('idx') === index) ??
      shapes.find((candidate) => kindOf(placeholderOf(candidate) as Element) === kind);
    return found ? [found] : [];
  });
}

const kindOf = (placeholder: Element): string =>
  (placeholder.getAttribute('type') ?? 'body').replace('ctrTitle', 'title').replace('subTitle', 'body');

function textBox(shape: Element, context: SlideContext): HTMLElement {
  const box = document.createElement('div');
  box.className = 'shape';
  const properties = childNamed(shape, 'spPr');
  const like = likeIn(shape, context);
  const fills = [properties, ...like.map((one) => childNamed(one, 'spPr'))];
  const fill = fills.map((one) => fillOf(one, context.palette)).find((one) => one !== undefined);
  if (fill) box.style.background = fill;
  outline(box, properties, context);
  const form = childNamed(properties, 'prstGeom')?.getAttribute('prst');
  if (form === 'ellipse') box.style.borderRadius = '50%';
  if (form === 'roundRect') box.style.borderRadius = '8%';
  const body = childNamed(shape, 'txBody');
  if (body) fillText(box, { body, shape, like }, context);
  return box;
}

function outline(box: HTMLElement, properties: Element | undefined, { palette, unit }: SlideContext): void {
  const line = childNamed(properties, 'ln');
  const colour = fillOf(line, palette);
  if (!line || !colour || colour === 'transparent' || colour.startsWith('linear')) return;
  box.style.border = `${unit(Math.max(6_350, numberOf(line, 'w') ?? 12_700))} solid ${colour}`;
}

const ANCHORS: Readonly<Record<string, string>> = { t: 'start', ctr: 'center', b: 'end' };

function fillText(
  box: HTMLElement,
  { body, shape, like }: { body: Element; shape: Element; like: readonly Element[] },
  context: SlideContext,
): void {
  const frames = [body, ...like.map((one) => childNamed(one, 'txBody'))].map((one) => childNamed(one, 'bodyPr'));
  const anchor = frames.map((one) => one?.getAttribute('anchor')).find((one) => one) ?? 't';
  box.style.justifyContent = ANCHORS[anchor] ?? 'start';
  const inset = (name: string, otherwise: number) =>
    context.unit(frames.map((one) => numberOf(one, name)).find((one) => one !== undefined) ?? otherwise);
  box.style.padding = `${inset('tIns', 45_720)} ${inset('rIns', 91_440)} ${inset('bIns', 45_720)} ${inset('lIns', 91_440)}`;
  const placeholder = placeholderOf(shape);
  const kind = placeholder && kindOf(placeholder);
  const master = childNamed(context.textStyles, kind === 'title' ? 'titleStyle' : kind ? 'bodyStyle' : 'otherStyle');
  const styles = [...like.map((one) => childNamed(one, 'txBody', 'lstStyle')), master];
  const lines = paragraphs(body, { styles, palette: context.palette, unit: context.unit });
  if (kind !== 'title') return box.append(...lines);
  const heading = document.createElement('h2');
  heading.append(
    ...lines.flatMap((line, at) => [...(at > 0 ? [document.createElement('br')] : []), ...line.childNodes]),
  );
  const [line] = lines;
  if (line) heading.style.cssText = line.style.cssText;
  box.append(heading);
}

const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/** An embedded image; an external or unsupported one is replaced by its description. */
async function picture(shape: Element, { parts, links, words }: SlideContext): Promise<HTMLElement> {
  const name = childNamed(shape, 'nvPicPr', 'cNvPr')?.getAttribute('descr') || words.picture;
  const path = links.get(linkOf(childNamed(shape, 'blipFill', 'blip'), 'embed'))?.path ?? '';
  const type = PICTURES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  const bytes = type ? await parts.bytes(path) : undefined;
  if (!bytes) return missing(name);
  const image = document.createElement('img');
  image.className = 'shape picture';
  image.alt = name;
  image.src = URL.createObjectURL(new Blob([bytes], { type: type as string }));
  return image;
}

function missing(name: string): HTMLElement {
  const box = document.createElement('div');
  box.className = 'shape missing';
  box.textContent = name;
  return box;
}

async function frame(shape: Element, context: SlideContext): Promise<HTMLElement | undefined> {
  const data = childNamed(shape, 'graphic', 'graphicData');
  const table = childNamed(data, 'tbl');
  if (table) return tableOf(table, context);
  const chart = childNamed(data, 'chart');
  if (!chart) return undefined;
  const path = context.links.get(linkOf(chart, 'id'))?.path;
  return chartOf(path ? await context.parts.xml(path) : undefined, context);
}

function tableOf(source: Element, context: SlideContext): HTMLElement {
  const box = document.createElement('div');
  box.className = 'shape';
  const table = document.createElement('table');
  for (const row of children(source, 'tr')) {
    const made = table.insertRow();
    for (const cell of children(row, 'tc')) {
      if (cell.getAttribute('hMerge') === '1' || cell.getAttribute('vMerge') === '1') continue;
      const place = made.insertCell();
      place.colSpan = numberOf(cell, 'gridSpan') ?? 1;
      place.rowSpan = numberOf(cell, 'rowSpan') ?? 1;
      const fill = fillOf(childNamed(cell, 'tcPr'), context.palette);
      if (fill) place.style.background = fill;
      const body = childNamed(cell, 'txBody');
      if (body)
        place.append(
          ...paragraphs(body, {
            styles: [childNamed(context.textStyles, 'otherStyle')],
            palette: context.palette,
            unit: context.unit,
          }),
        );
    }
  }
  box.append(table);
  return box;
}

/** A chart is shown as its data. */
function chartOf(chart: Element | undefined, context: SlideContext): HTMLElement {
  const box = document.createElement('div');
  box.className = 'shape chart';
  const table = document.createElement('table');
  const caption = table.createCaption();
  caption.textContent =
    descendantsNamed(childNamed(chart, 'chart', 'title'), 't')
      .map(({ textContent }) => textContent)
      .join('') || context.words.chart;
  const series = descendantsNamed(chart, 'ser');
  const values = (holder: Element | undefined) =>
    descendantsNamed(holder, 'v').map(({ textContent }) => textContent ?? '');
  const names = values(childNamed(series[0], 'cat'));
  const head = table.createTHead().insertRow();
  head.insertCell();
  for (const one of series) head.insertCell().textContent = values(childNamed(one, 'tx')).join(' ');
  const columns = series.map((one) => values(childNamed(one, 'val') ?? childNamed(one, 'yVal')));
  const count = Math.min(200, Math.max(0, ...columns.map(({ length }) => length)));
  for (let at = 0; at < count; at += 1) {
    const row = table.insertRow();
    row.insertCell().textContent = names[at] ?? String(at + 1);
    for (const column of columns) row.insertCell().textContent = column[at] ?? '';
  }
  box.append(table);
  return box;
}
