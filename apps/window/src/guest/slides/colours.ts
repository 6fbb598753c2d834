import { childNamed, numberOf } from './parts.ts';

/** Theme colors by their names in a slide. */
export type Palette = Readonly<Record<string, string>>;

const NAMES: Readonly<Record<string, string>> = { bg1: 'lt1', tx1: 'dk1', bg2: 'lt2', tx2: 'dk2' };
const HEX = /^[0-9a-f]{6}$/i;

export function paletteOf(theme: Element | undefined): Palette {
  const palette: Record<string, string> = {};
  for (const entry of childNamed(theme, 'themeElements', 'clrScheme')?.children ?? []) {
    const [colour] = entry.children;
    const value = colour?.getAttribute(colour.localName === 'sysClr' ? 'lastClr' : 'val') ?? '';
    if (HEX.test(value)) palette[entry.localName] = `#${value}`;
  }
  return palette;
}

/** The CSS color of a fill: `undefined` if it names none, `transparent` for no fill. */
export function fillOf(element: Element | undefined, palette: Palette): string | undefined {
  if (childNamed(element, 'noFill')) return 'transparent';
  const solid = childNamed(element, 'solidFill');
  if (solid) return colourOf(solid, palette);
  const stops = [...(childNamed(element, 'gradFill', 'gsLst')?.children ?? [])]
    .map((stop) => ({ at: (numberOf(stop, 'pos') ?? 0) / 1_000, colour: colourOf(stop, palette) }))
    .filter(({ colour }) => colour !== undefined)
    .sort((one, other) => one.at - other.at);
  if (stops.length === 0) return undefined;
  return `linear-gradient(${stops.map(({ at, colour }) => `${colour} ${at}%`).join(', ')})`;
}

/** The color of an element, with its modifications applied. */
export function colourOf(holder: Element | undefined, palette: Palette): string | undefined {
  const colour = [...(holder?.children ?? [])].find(({ localName }) => localName.endsWith('Clr'));
  if (!colour) return undefined;
  const base = baseOf(colour, palette);
  return base && changed(base, colour);
}

function baseOf(colour: Element, palette: Palette): string | undefined {
  const value = colour.getAttribute('val') ?? '';
  if (colour.localName === 'srgbClr') return HEX.test(value) ? `#${value}` : undefined;
  if (colour.localName === 'sysClr') return `#${colour.getAttribute('lastClr') ?? '000000'}`;
  if (colour.localName === 'schemeClr') return palette[NAMES[value] ?? value];
  return colour.localName === 'prstClr' && /^[a-z]+$/i.test(value) ? value.toLowerCase() : undefined;
}

function changed(base: string, colour: Element): string {
  const share = (name: string): number | undefined => {
    const value = numberOf(childNamed(colour, name), 'val');
    return value === undefined ? undefined : value / 1_000;
  };
  const lighter = share('tint') ?? share('lumOff');
  const darker = share('shade') ?? (lighter === undefined ? share('lumMod') : undefined);
  const alpha = share('alpha');
  let result = base;
  if (share('tint') !== undefined) result = `color-mix(in srgb, ${result} ${share('tint')}%, white)`;
  else if (lighter !== undefined) result = `color-mix(in srgb, ${result} ${100 - lighter}%, white)`;
  if (darker !== undefined && darker < 100) result = `color-mix(in srgb, ${result} ${darker}%, black)`;
  return alpha === undefined ? result : `color-mix(in srgb, ${result} ${alpha}%, transparent)`;
}
