export type Catalog = Readonly<Record<string, string>>;
export type WordValues = Readonly<Record<string, string | number>>;

/** The texts of one language. */
export interface Texts {
  add(catalog: Catalog): void;
  has(key: string): boolean;
  /**
   * The text of a key with its `{{placeholders}}` filled in. A numeric `count` selects `key_one`, `key_other` and so on
   * by the plural rule of the languages. A key without text is returned as it is.
   */
  say(key: string, values?: WordValues): string;
}

/** The rule of English and of Italian. `Intl.PluralRules` would take the browser 12 ms before the first drawing. */
const pluralOf = (count: number): string => (count === 1 ? 'one' : 'other');

export function createTexts(): Texts {
  const texts = new Map<string, string>();
  const templateOf = (key: string, count: unknown): string => {
    if (typeof count !== 'number') return texts.get(key) ?? key;
    // Catalogs have only the forms whose texts differ.
    const forms = [`${key}_${pluralOf(count)}`, `${key}_other`, key];
    return forms.map((form) => texts.get(form)).find((text) => text !== undefined) ?? key;
  };
  return {
    add(catalog) {
      for (const [key, text] of Object.entries(catalog)) texts.set(key, text);
    },
    has: (key) => texts.has(key),
    say(key, values) {
      const template = templateOf(key, values?.count);
      if (!values) return template;
      return template.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => String(values[name] ?? ''));
    },
  };
}
