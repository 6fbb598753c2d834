export type Catalog = Readonly<Record<string, string>>;

/** Italian counts millions apart (`many`), and says them as it says any other number above one. */
export function withManyForms(words: Catalog): Catalog {
  const many = Object.entries(words).flatMap(([key, text]) =>
    key.endsWith('_other') ? [[key.replace(/_other$/, '_many'), text]] : [],
  );
  return { ...Object.fromEntries(many), ...words };
}
