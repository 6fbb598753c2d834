import type { Diagnostic, FormatterRow, LanguageServerRow, ProblemCount } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { text } from './common.ts';
import { placeFields, placeNames } from './extension-place.ts';
import { entryPath } from './folder.ts';

const STATES = {
  stopped: 'fermo',
  untrusted: 'non-fidato',
  unsandboxed: 'senza-sandbox',
  starting: 'in-avvio',
  ready: 'pronto',
  failed: 'fallito',
} as const;

export const languageServerParams = z.strictObject({ serverId: text.max(200) });

export const languageServer = encoded(
  z
    .object({
      id: z.string(),
      estensioni: z.array(z.string()),
      comando: z.array(z.string()),
      delProgetto: z.boolean(),
      stato: z.enum(['fermo', 'non-fidato', 'senza-sandbox', 'in-avvio', 'pronto', 'fallito']),
      problema: z.string().nullable(),
    })
    .meta({ id: 'LanguageServer' }),
  (row: LanguageServerRow) => ({
    id: row.id,
    estensioni: [...row.extensions],
    comando: [...row.command],
    delProgetto: row.isOfProject,
    stato: STATES[row.state],
    problema: row.problem,
  }),
);

export const formatterParams = z.strictObject({ formatterId: text.max(200) });

export const formatterSwitch = renamed(z.strictObject({ ...placeFields, attivo: z.boolean() }), {
  ...placeNames,
  attivo: 'isOn',
});

export const formatter = encoded(
  z
    .object({
      id: z.string(),
      estensioni: z.array(z.string()),
      comando: z.string(),
      delProgetto: z.boolean(),
      attivo: z.boolean(),
      fidato: z.boolean(),
    })
    .meta({ id: 'Formatter' }),
  (row: FormatterRow) => ({
    id: row.id,
    estensioni: [...row.extensions],
    comando: row.command,
    delProgetto: row.isOfProject,
    attivo: row.isOn,
    fidato: row.isTrusted,
  }),
);

const SEVERITIES = { error: 'errore', warning: 'avviso', information: 'informazione', hint: 'suggerimento' } as const;

/** Lines and columns count from 1, columns in UTF-16 units; the end is not included. */
export const diagnostic = encoded(
  z
    .object({
      riga: z.number().int(),
      colonna: z.number().int(),
      finoARiga: z.number().int(),
      finoAColonna: z.number().int(),
      gravita: z.enum(['errore', 'avviso', 'informazione', 'suggerimento']),
      codice: z.string().nullable(),
      messaggio: z.string(),
    })
    .meta({ id: 'Diagnostic' }),
  (one: Diagnostic) => ({
    riga: one.line,
    colonna: one.column,
    finoARiga: one.endLine,
    finoAColonna: one.endColumn,
    gravita: SEVERITIES[one.severity],
    codice: one.code,
    messaggio: one.message,
  }),
);

export const problemCount = encoded(
  z.object({ percorso: z.string(), errori: z.number().int(), avvisi: z.number().int() }).meta({ id: 'ProblemCount' }),
  ({ path, errors, warnings }: ProblemCount) => ({ percorso: path, errori: errors, avvisi: warnings }),
);

export const mappedSymbol = renamed(
  z.object({ nome: z.string(), percorso: z.string(), riga: z.number().int() }).meta({ id: 'MappedSymbol' }),
  { nome: 'name', percorso: 'path', riga: 'line' },
);

/** `testo`: unsaved text of the file. */
export const diagnosedFile = renamed(
  z.strictObject({
    percorso: entryPath,
    testo: z
      .string()
      .max(1024 * 1024)
      .optional(),
  }),
  { percorso: 'path', testo: 'text' },
);
