import type { CommandFacts, OfferedTool } from '@fucina/host';
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

const wireTools = z.object({ attrezzi: z.array(wireTool).nullable(), errore: z.string().nullable() });

/** `attrezzi` is null, never empty, when the tools cannot be loaded; `errore` then explains it. */
const toolsOnWire = ({ tools, language }: ToolsAnswer): z.output<typeof wireTools> => ({
  attrezzi: tools && tools.map(toolOnWire),
  errore: tools ? null : TOOLS_NOT_LOADED[language],
});
export const toolsAnswer = encoded(wireTools, toolsOnWire);

const wireCommand = z
  .object({
    nome: z.string(),
    descrizione: z.string(),
    uso: z.string(),
    origine: z.enum(['interno', 'scritto']),
  })
  .meta({ id: 'SlashCommand' });

/** Beyond the interface: the slash commands available in the session. */
export const sessionToolsAnswer = encoded(
  wireTools.extend({ comandi: z.array(wireCommand) }),
  ({ commands, ...answer }: ToolsAnswer & { commands: readonly CommandFacts[] }) => ({
    ...toolsOnWire(answer),
    comandi: commands.map(({ name, summary, usage, kind }) => ({
      nome: name,
      descrizione: summary,
      uso: usage,
      origine: kind === 'built-in' ? ('interno' as const) : ('scritto' as const),
    })),
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
