const TINTS = 6;

/** One or two letters: of the first two words, or the first two of a single word. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const [first = '', second] = words;
  return second ? `${first[0]}${second[0]}`.toUpperCase() : first.slice(0, 2);
}

/** The same name has the same tint. */
const tintOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7) % TINTS;

/** A monogram in the place of a logo, which would be the brand's own. */
export function ProviderMark({ name }: { name: string }) {
  return (
    <span className="provider-mark" data-tint={tintOf(name)} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}
