export type Catalog = Readonly<Record<string, string>>;

/** Italian has a plural category for millions (`many`), with the same text as `other`. */
export function withManyForms(words: Catalog): Catalog {
  const many = Object.entries(words).flatMap(([key, text]) =>
    key.endsWith('_other') ? [[key.replace(/_other$/, '_many'), text]] : [],
  );
  return { ...Object.fromEntries(many), ...words };
}
