import * as z from 'zod';

/** An event schema with the id of its component. */
type Named<Key extends string> = z.ZodObject<Record<Key, z.ZodLiteral<string>> & z.ZodRawShape>;

/** The `discriminator` of OpenAPI for a union: which component each value of the field selects. */
export function discriminatorOf<Key extends string>(
  propertyName: Key,
  options: readonly Named<Key>[],
  more: Readonly<Record<string, string>> = {},
): { propertyName: Key; mapping: Record<string, string> } {
  const mapping = Object.fromEntries(
    options.map((option) => [
      (option.shape[propertyName] as z.ZodLiteral<string>).value,
      refTo(option.meta()?.id ?? ''),
    ]),
  );
  for (const [value, id] of Object.entries(more)) mapping[value] = refTo(id);
  return { propertyName, mapping };
}

function refTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/** The number of a stored event; events of the stream itself have none. */
export const sequence = z
  .number()
  .int()
  .optional()
  .describe('Sequence in the session, from 1; absent on events of the stream itself');
