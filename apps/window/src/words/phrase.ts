export type WordValues = Record<string, string | number>;

/** The words of one language, and how it counts. */
export interface Tongue {
  catalog: Readonly<Record<string, string>>;
  plurals: Intl.PluralRules;
}

/**
 * What `key` says, with `values` in the places of their names. Where `count` is a number, in the form that the language
 * has for it; forms without words of their own are told as many are. A key without words is said as it is.
 */
export function phrase({ catalog, plurals }: Tongue, key: string, values: WordValues = {}): string {
  const { count } = values;
  const counted =
    typeof count === 'number' ? (catalog[`${key}_${plurals.select(count)}`] ?? catalog[`${key}_other`]) : undefined;
  const words = counted ?? catalog[key] ?? key;
  return words.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
