/** A color in OKLab, where distance matches perception. */
type Lab = readonly [lightness: number, a: number, b: number];

/** `#rrggbb` as three numbers from 0 to 255. */
export function channelsOf(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** WCAG contrast of two colors, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** A little below the 4.5 of every theme: a closer hue is preferred to the last tenths of contrast. */
const READABLE = 4.25;

/**
 * The number of the nearest of the 240 fixed colors. The sixteen before them depend on the terminal. With a
 * `background`, the nearest readable one.
 */
export function nearestOf256(colour: string, background?: string): number {
  const wanted = toLab(colour);
  let best = FIRST_FIXED;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const { number, lab, hex } of fixedColours()) {
    const distance = Math.hypot(wanted[0] - lab[0], wanted[1] - lab[1], wanted[2] - lab[2]);
    if (distance >= bestDistance || (background && contrast(hex, background) < READABLE)) continue;
    best = number;
    bestDistance = distance;
  }
  return best;
}

interface FixedColour {
  number: number;
  hex: string;
  lab: Lab;
}

const FIRST_FIXED = 16;
const CUBE = [0, 95, 135, 175, 215, 255];
const GREYS = 24;
let fixed: readonly FixedColour[] | undefined;

function fixedColours(): readonly FixedColour[] {
  if (fixed) return fixed;
  const cube = CUBE.flatMap((red) => CUBE.flatMap((green) => CUBE.map((blue) => toHex(red, green, blue))));
  const greys = Array.from({ length: GREYS }, (_item, index) => 8 + index * 10).map((grey) => toHex(grey, grey, grey));
  fixed = [...cube, ...greys].map((hex, index) => ({ number: FIRST_FIXED + index, hex, lab: toLab(hex) }));
  return fixed;
}

/** The color of one of the 240 numbers. */
export function colourOf256(number: number): string {
  return fixedColours()[number - FIRST_FIXED]?.hex ?? '#000000';
}

function toHex(red: number, green: number, blue: number): string {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`;
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map(linear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Björn Ottosson's matrices. */
function toLab(colour: string): Lab {
  const [red, green, blue] = channelsOf(colour).map(linear) as [number, number, number];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}
