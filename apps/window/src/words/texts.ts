export type Catalog = Readonly<Record<string, string>>;
export type WordValues = Readonly<Record<string, string | number>>;

/** The texts of one language. */
export interface Texts {
  add(catalog: Catalog): void;
  has(key: string): boolean;
  /**
   * The text of a key with its `{{placeholders}}` filled in. A numeric `count` selects `key_one`, `key_other` and so on
   * by the plural rules of the language. A key without text is returned as it is.
   */
  say(key: string, values?: WordValues): string;
}

export function createTexts(locale: string): Texts {
  const texts = new Map<string, string>();
  let plurals: Intl.PluralRules | undefined;
  const templateOf = (key: string, count: unknown): string => {
    if (typeof count !== 'number') return texts.get(key) ?? key;
    plurals ??= new Intl.PluralRules(locale);
    // Catalogs have only the forms whose texts differ.
    const forms = [`${key}_${plurals.select(count)}`, `${key}_other`, key];
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
