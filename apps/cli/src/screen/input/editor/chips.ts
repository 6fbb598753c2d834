import { type Glyph, plainGlyph } from './rows.ts';

/** An object that is one character of the text: a long paste, an image. */
export type Chip =
  | { kind: 'text'; label: string; text: string }
  | { kind: 'image'; label: string; image: Promise<{ id: string; name: string }> };

/** A private plane of Unicode: such characters are removed from typed or pasted text. */
const FIRST = 0x100000;
const LAST = 0x10fffd;
const ANY = /[\u{100000}-\u{10fffd}]/gu;

/** The chips of one composer; they outlive their character, which undo may restore. */
export interface Chips {
  /** The character that represents it. */
  add(chip: Chip): string;
  of(character: string): Chip | undefined;
  glyph: Glyph;
  /** The text to send: pastes in full, images by their label. */
  expand(text: string): string;
  /** Restores the images of another text at their labels. */
  mark(text: string, other: string): string;
  /** A sent text that is restored: its images are at their labels; among equal labels the newest counts. */
  revive(text: string): string;
  imagesIn(text: string): Promise<{ id: string; name: string }>[];
}

export function createChips(): Chips {
  const chips = new Map<string, Chip>();
  const lost = new Set<string>();
  const of = (character: string): Chip | undefined => chips.get(character);
  const marked = (text: string, marks: readonly string[]): string =>
    marks.reduceRight((rest, mark) => {
      const chip = of(mark);
      const at = chip?.kind === 'image' ? rest.lastIndexOf(chip.label) : -1;
      return chip === undefined || at < 0 ? rest : rest.slice(0, at) + mark + rest.slice(at + chip.label.length);
    }, text);
  return {
    add(chip) {
      const mark = String.fromCodePoint(Math.min(LAST, FIRST + chips.size));
      chips.set(mark, chip);
      // An image that could not be read or stored would fail again.
      if (chip.kind === 'image') chip.image.catch(() => lost.add(mark));
      return mark;
    },
    of,
    glyph: (character) => of(character)?.label ?? plainGlyph(character),
    expand: (text) =>
      text.replace(ANY, (mark) => {
        const chip = of(mark);
        return chip?.kind === 'text' ? chip.text : (chip?.label ?? '');
      }),
    mark: (text, other) => marked(text, other.match(ANY) ?? []),
    revive: (text) =>
      marked(
        text,
        [...chips.keys()].filter((mark) => !lost.has(mark)),
      ),
    imagesIn: (text) =>
      (text.match(ANY) ?? []).flatMap((mark) => {
        const chip = of(mark);
        return chip?.kind === 'image' ? [chip.image] : [];
      }),
  };
}

export function withoutMarks(text: string): string {
  return text.replace(ANY, '');
}
