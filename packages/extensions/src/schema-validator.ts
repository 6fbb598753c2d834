import type { Ajv } from 'ajv';

/** Loaded only when a value must be validated against a JSON schema: most turns never do. */
export async function schemaValidator(): Promise<Ajv> {
  // In a bundle the whole module is its default export.
  const { default: ajv } = await import('ajv');
  return new ajv.Ajv({ strict: false, validateFormats: false });
}
