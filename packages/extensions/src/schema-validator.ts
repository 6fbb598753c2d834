import type { Ajv } from 'ajv';

/** Loaded where a value is held against a JSON schema: most turns have none. */
export async function schemaValidator(): Promise<Ajv> {
  // In a bundle the whole module is its default export, and that alone.
  const { default: ajv } = await import('ajv');
  return new ajv.Ajv({ strict: false, validateFormats: false });
}
