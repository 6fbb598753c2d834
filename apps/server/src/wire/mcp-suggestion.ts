import type { Suggestion } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { placeFields, placeNames } from './extension-place.ts';

/** What the user typed: `@server:uri` or `/mcp__server__prompt arguments`. */
export const mcpTyped = renamed(z.strictObject({ ...placeFields, testo: z.string().min(1).max(4_096) }), {
  ...placeNames,
  testo: 'typed',
});

export const mcpSuggestion = encoded(
  z
    .object({ testo: z.string(), nome: z.string(), dettaglio: z.string(), continua: z.boolean() })
    .meta({ id: 'McpSuggestion' }),
  ({ text, name, detail, isOpen }: Suggestion) => ({ testo: text, nome: name, dettaglio: detail, continua: isOpen }),
);
