import type { ForgedRow, HookRow, McpRow, PluginRow, RowsOrProblem, Skill } from '@fucina/host';
import { type Language, pluginTrust, pluginWarning } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

/** The rows under a name, or null with the error: never an empty list instead. */
function listOf<Name extends string, Row, Wire extends z.ZodType>(
  name: Name,
  wire: Wire,
  encode: (row: Row, language: Language) => z.output<Wire>,
) {
  return encoded(
    z.object({ [name]: z.array(wire).nullable(), errore: z.string().nullable() }) as unknown as z.ZodObject,
    ({ listed, language }: { listed: RowsOrProblem<Row>; language: Language }) =>
      ('problem' in listed
        ? { [name]: null, errore: listed.problem }
        : { [name]: listed.rows.map((row) => encode(row, language)), errore: null }) as never,
  );
}

export const hookList = listOf(
  'hooks',
  z
    .object({
      id: z.string(),
      eventi: z.array(z.string()),
      fidato: z.boolean(),
      /** Beyond the interface: what would run, for the trust decision. */
      comando: z.string(),
    })
    .meta({ id: 'Hook' }),
  ({ id, command, events, isTrusted }: HookRow) => ({ id, eventi: [...events], fidato: isTrusted, comando: command }),
);

export const mcpList = listOf(
  'server',
  z
    .object({
      id: z.string(),
      comando: z.string(),
      argomenti: z.array(z.string()),
      allowlist: z.array(z.string()),
      fidato: z.boolean(),
    })
    .meta({ id: 'McpServer' }),
  ({ id, command, args, allowlist, isTrusted }: McpRow) => ({
    id,
    comando: command,
    argomenti: [...args],
    allowlist: [...allowlist],
    fidato: isTrusted,
  }),
);

export const elicitationAnswer = z.strictObject({
  requestId: z.string().min(1).max(200),
  risposta: z.strictObject({
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.record(z.string(), z.unknown()).optional(),
  }),
});

export const skillList = listOf(
  'skills',
  z.object({ id: z.string(), name: z.string(), description: z.string() }).meta({ id: 'Skill' }),
  (skill: Skill) => skill,
);

export const forgedList = listOf(
  'strumenti',
  z
    .object({
      id: z.string(),
      titolo: z.string(),
      descrizione: z.string(),
      capacita: z.array(z.string()),
      rischio: z.enum(['R1', 'R2', 'R3']),
      abilitato: z.boolean(),
      installatoAlle: z.string(),
    })
    .meta({ id: 'ForgedTool' }),
  (tool: ForgedRow) => ({
    id: tool.id,
    titolo: tool.title,
    descrizione: tool.description,
    capacita: [...tool.capabilities],
    rischio: tool.risk,
    abilitato: tool.isEnabled,
    installatoAlle: tool.installedAt,
  }),
);

const REASONS = { never: 'mai-approvato', changed: 'contenuto-cambiato', 'too-large': 'troppo-grande' } as const;

export const plugin = z
  .object({
    id: z.string(),
    nome: z.string(),
    descrizione: z.string(),
    hooks: z.array(z.string()),
    tools: z.array(z.string()),
    fidato: z.boolean(),
    motivo: z.enum(REASONS).nullable(),
    frase: z.string().nullable(),
    fraseChiave: z.string().nullable(),
    avvisi: z.array(z.object({ origine: z.string(), avviso: z.string(), avvisoChiave: z.string() })),
    /** Beyond the interface: what its tools and hooks would run. */
    comandi: z.array(z.object({ origine: z.string(), comando: z.string() })),
  })
  .meta({ id: 'Plugin' });

export function pluginOnWire(row: PluginRow, language: Language): z.output<typeof plugin> {
  return {
    id: row.id,
    nome: row.name,
    descrizione: row.description,
    hooks: [...row.hooks],
    tools: [...row.tools],
    fidato: row.isTrusted,
    motivo: row.because && REASONS[row.because],
    frase: row.because && pluginTrust(row.because, language),
    fraseChiave: row.because,
    avvisi: row.warnings.map(({ origin, warning }) => ({
      origine: origin,
      avviso: pluginWarning(warning, language),
      avvisoChiave: warning,
    })),
    comandi: row.commands.map(({ origin, command }) => ({ origine: origin, comando: command })),
  };
}

type ListedPlugins = RowsOrProblem<PluginRow> & { broken?: readonly { id: string; problem: string }[] };

export const pluginList = encoded(
  z.object({
    plugin: z.array(plugin).nullable(),
    falliti: z.array(z.object({ id: z.string(), errore: z.string() })),
    errore: z.string().nullable(),
  }),
  ({ listed, language }: { listed: ListedPlugins; language: Language }) =>
    'problem' in listed
      ? { plugin: null, falliti: [], errore: listed.problem }
      : {
          plugin: listed.rows.map((row) => pluginOnWire(row, language)),
          falliti: (listed.broken ?? []).map(({ id, problem }) => ({ id, errore: problem })),
          errore: null,
        },
);
