import * as z from 'zod';

export type Renamed<Fields, Names> = {
  [Key in keyof Fields as Key extends keyof Names ? Names[Key] & string : Key]: Fields[Key];
};

/** Maps wire names to English names. Absent keys stay absent. */
export function renamed<
  Schema extends z.ZodObject,
  const Names extends { readonly [Key in keyof z.output<Schema>]?: string },
>(schema: Schema, names: Names) {
  const inward = new Map(Object.entries(names as Record<string, string>));
  const outward = new Map([...inward].map(([wire, inner]) => [inner, wire]));
  const rename = (value: object, table: Map<string, string>): object =>
    Object.fromEntries(Object.entries(value).map(([key, field]) => [table.get(key) ?? key, field]));

  return z.codec(schema, z.custom<Renamed<z.output<Schema>, Names>>(), {
    decode: (wire) => rename(wire, inward) as Renamed<z.output<Schema>, Names>,
    encode: (inner) => rename(inner as object, outward) as never,
  });
}

/** A record that is null internally and absent on the wire. */
export function absentWhenNull<Schema extends z.ZodType>(schema: Schema) {
  type Inner = z.output<Schema> | null;
  return z.codec(schema.optional(), z.custom<Inner>(), {
    decode: (wire) => (wire ?? null) as Inner,
    encode: (inner) => (inner ?? undefined) as never,
  });
}

/** Enumerated values: `mapped({ normale: 'normal', piano: 'plan' })`. */
export function mapped<const Words extends Readonly<Record<string, string>>>(words: Words) {
  type Wire = keyof Words & string;
  type Inner = Words[Wire];
  const back = new Map(Object.entries(words).map(([wire, inner]) => [inner, wire as Wire]));
  return z.codec(z.enum(Object.keys(words) as [Wire, ...Wire[]]), z.custom<Inner>(), {
    decode: (wire) => words[wire] as Inner,
    encode: (inner) => back.get(inner) as never,
  });
}

/**
 * A response-only record whose shape differs from the domain's: `encode` maps it, `schema` drops undeclared fields.
 */
export function encoded<Schema extends z.ZodType, Inner>(schema: Schema, encode: (inner: Inner) => z.output<Schema>) {
  return z.codec(schema, z.custom<Inner>(), {
    decode: () => {
      throw new Error('this record is only answered');
    },
    encode: (inner) => encode(inner) as never,
  });
}
