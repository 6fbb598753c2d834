import type { OfferedTool } from '@fucina/host';
import { type Language, TOOLS_NOT_LOADED } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

const CATEGORIES = { base: 'base', extended: 'esteso' } as const;
const PERMISSIONS = { always: 'sempre', ask: 'chiedi', deny: 'nega' } as const;
const STATES = { ready: 'pronta', missing: 'mancante' } as const;

const wireTool = z
  .object({
    nome: z.string(),
    descrizione: z.string(),
    categoria: z.enum(['base', 'esteso']),
    permessoConfigurabile: z.boolean(),
    permesso: z.enum(['sempre', 'chiedi', 'nega']).nullable(),
    dipendenza: z.object({ stato: z.enum(['pronta', 'mancante']), dettaglio: z.string() }).nullable(),
    tokenSchemaStimati: z.number().int(),
  })
  .meta({ id: 'Tool' });

interface ToolsAnswer {
  tools: readonly OfferedTool[] | null;
  language: Language;
}

/** `attrezzi` is null, never empty, when the tools cannot be loaded; `errore` then says so. */
export const toolsAnswer = encoded(
  z.object({ attrezzi: z.array(wireTool).nullable(), errore: z.string().nullable() }),
  ({ tools, language }: ToolsAnswer) => ({
    attrezzi: tools && tools.map(toolOnWire),
    errore: tools ? null : TOOLS_NOT_LOADED[language],
  }),
);

function toolOnWire({ gate, permission, dependency, ...tool }: OfferedTool): z.output<typeof wireTool> {
  return {
    nome: tool.name,
    descrizione: tool.description,
    categoria: CATEGORIES[tool.category],
    permessoConfigurabile: gate !== null,
    permesso: permission && PERMISSIONS[permission],
    dipendenza: dependency && { stato: STATES[dependency.state], dettaglio: dependency.detail },
    tokenSchemaStimati: tool.schemaTokens,
  };
}
