import { type Glyph, plainGlyph } from './rows.ts';

/** Something that stands in the text as one character: a long paste, a picture. */
export type Chip =
  | { kind: 'text'; label: string; text: string }
  | { kind: 'image'; label: string; image: Promise<{ id: string; name: string }> };

/** A plane of Unicode that belongs to nobody: what of it is typed or pasted does not come in. */
const FIRST = 0x100000;
const LAST = 0x10fffd;
const ANY = /[\u{100000}-\u{10fffd}]/gu;

/** The chips of one composer; they outlive their character, which may come back by undo. */
export interface Chips {
  /** The character that stands for it. */
  add(chip: Chip): string;
  of(character: string): Chip | undefined;
  glyph: Glyph;
  /** The text as it is meant: pastes whole, pictures by their label. */
  expand(text: string): string;
  /** Puts the pictures of another text back where their labels stand. */
  mark(text: string, other: string): string;
  /** A text that was sent and came back: its pictures stand where their labels do; of several of one name the newest. */
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
      // What could not be read or kept would fail again.
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
