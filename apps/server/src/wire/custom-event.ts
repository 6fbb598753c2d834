import * as z from 'zod';
import { discriminatorOf, sequence } from './event-union.ts';
import { wireQueue } from './queue.ts';

const at = z.string().describe('Time, ISO 8601');
const text = z.string();
const count = z.number().int();
const requestId = z.string().describe('Id of the request; the answer names it');

function custom<Name extends string, Value extends z.ZodType>(
  name: Name,
  { id, description, value }: { id: string; description: string; value: Value },
) {
  return z
    .object({
      type: z.literal('CUSTOM').describe('Kind of event'),
      name: z.literal(name).describe('Name of the event'),
      value: value.describe('Content of the event'),
      timestamp: z.number().optional().describe('Epoch milliseconds'),
      _sequenza: sequence,
    })
    .meta({ id, description });
}

const CONTEXT_EVENTS = [
  custom('svc.compattazione', {
    id: 'CompactionEvent',
    description: 'The conversation is compacted, was compacted, or the compaction was undone',
    value: z.object({
      fase: z.enum(['inizio', 'fine', 'annullata']).describe('Start, end or undo'),
      at: at.describe('Id of the compaction: its time, ISO 8601'),
      compattato: z.boolean().optional().describe('At the end: whether the conversation was compacted'),
      tokenPrima: count.optional().describe('Estimated tokens before'),
      tokenDopo: count.optional().describe('Estimated tokens after'),
      soglia: count.optional().describe('Tokens from which compaction starts by itself'),
      coveredThrough: count.optional().describe('Sequence of the last event in the summary'),
      motivo: text.optional().describe('`soglia`, `background`, `manuale`, or why it failed'),
      misura: z.literal('stima').optional().describe('How tokens were counted'),
      modello: text.optional().describe('The model that wrote the summary'),
      annullabile: z.boolean().optional().describe('Whether the compaction can be undone'),
    }),
  }),
  custom('svc.contesto-richiesta', {
    id: 'ContextUseEvent',
    description: "Estimated tokens of the model's context, by category, before a call",
    value: z.object({
      at: z.number().describe('Epoch milliseconds'),
      model: text.describe('The model that is called'),
      ripartizione: z
        .object({
          categorie: z
            .array(
              z.object({
                id: z.enum(['system', 'rules', 'memory', 'tools', 'mcp', 'conversation']).describe('Category'),
                tokens: count.describe('Estimated tokens'),
              }),
            )
            .describe('One entry for each category'),
        })
        .describe('Tokens by category'),
      level1: z
        .object({ cleared: count.describe('Results cleared'), shortened: count.describe('Results shortened') })
        .describe('Tool results left out of the context'),
    }),
  }),
  custom('svc.ricevuta-consumo', {
    id: 'UsageReceiptEvent',
    description: 'Usage and cost of one model call',
    value: z.object({
      modello: text.describe('The model that answered'),
      usage: z
        .object({
          prompt_tokens: count.describe('Input tokens'),
          completion_tokens: count.describe('Output tokens'),
          cached_tokens: count.nullable().describe('Input tokens read from the cache; null when not reported'),
        })
        .nullish()
        .describe('Absent or null when the provider reported none'),
      costoDichiarato: z.number().nullable().describe('US dollars; null when the price is unknown'),
      fonteCosto: z.enum(['fornitore', 'catalogo']).nullish().describe('Where the price comes from'),
      esito: z.enum(['fermato', 'interrotto', 'completato']).describe('How the call ended'),
    }),
  }),
  custom('svc.provider-retry', {
    id: 'ProviderRetryEvent',
    description: 'A model call is repeated: waiting, sending, over. Shown only while it is current',
    value: z.object({
      schema: z.literal('svc.provider-retry.v1').describe('Schema of the value'),
      runId: text.describe('Id of the turn'),
      threadId: text.describe('Id of the session'),
      requestId: text.describe('Id of the model call'),
      giro: count.describe('Model call of the turn, from 1'),
      fase: z.enum(['attesa', 'invio', 'fine']).describe('Waiting, sending or over'),
      tentativo: count.describe('The attempt, from 2'),
      tentativiMassimi: count.describe('Most attempts'),
      httpStatus: count.describe('Status of the failed attempt'),
      modello: text.describe('The model'),
      attesaMs: z.number().describe('Wait before the attempt, in ms'),
      retryAt: z.number().nullable().describe('When the attempt is sent, epoch milliseconds; null once sent'),
    }),
  }),
  custom('svc.provider-fallback', {
    id: 'ProviderFallbackEvent',
    description: 'A fallback provider answers instead of the chosen model',
    value: z.object({
      schema: z.literal('svc.provider-fallback.v1').describe('Schema of the value'),
      da: z.object({ provider: text.describe('Provider'), modello: text.describe('Model') }).describe('The failed one'),
      a: z.object({ provider: text.describe('Provider'), modello: text.describe('Model') }).describe('The new one'),
      scelto: text.nullable().describe('The model that the user chose'),
      causa: text.describe('Class of the failure'),
      httpStatus: count.nullable().describe('Status of the failure; null without an answer'),
    }),
  }),
] as const;

const REQUEST_EVENTS = [
  custom('svc.plan', {
    id: 'PlanEvent',
    description: 'A plan was proposed or decided; each event contains the whole plan',
    value: z.object({
      schema: z.literal('svc.plan.v1').describe('Schema of the value'),
      planId: text.describe('Id of the plan'),
      sessionId: text.describe('Id of the session'),
      revision: count.describe('Revision, from 1'),
      status: z.enum(['proposed', 'approved', 'changes-requested', 'cancelled']).describe('State of the plan'),
      content: text.describe('The plan, Markdown'),
      at,
      requestId,
      hash: text.describe('`sha256:` and 64 hex digits; the decision names it'),
      toolCallId: text.describe('Id of the tool call'),
      ripristinabile: z.boolean().describe('The plan can still be decided after a restart'),
      model: text.optional().describe('The model that wrote the plan'),
      decisione: z
        .enum(['procedi-con-conferma', 'procedi-accetta-modifiche', 'conversazione-pulita', 'continua-a-pianificare'])
        .optional()
        .describe('The decision'),
      feedback: text.optional().describe('What the user wants changed'),
      nuovaSessionId: text.optional().describe('The new session that carries out the plan'),
      da: z.enum(['persona', 'sistema']).optional().describe('Who decided'),
      motivo: text.optional().describe('Reason'),
    }),
  }),
  custom('svc.mcp-elicitation', {
    id: 'ElicitationEvent',
    description: 'An MCP server asks the user during a call, or the user answered',
    value: z.object({
      requestId,
      stato: z.enum(['in-attesa', 'risposta']).describe('Waiting or answered'),
      server: text.optional().describe('Id of the MCP server'),
      messaggio: text.optional().describe('What the server asks'),
      modo: z
        .enum(['form', 'url', 'modello'])
        .optional()
        .describe('A form, an address to open, or a request to the model'),
      modello: text.optional().describe('The model that the server wants to ask'),
      massimoToken: count.optional().describe('The most tokens of the answer of the model'),
      schema: z.unknown().optional().describe('JSON Schema of the form'),
      url: text.optional().describe('Address to open'),
      azione: z.enum(['accept', 'decline', 'cancel']).optional().describe('The answer'),
    }),
  }),
  custom('svc.workflow-outcome', {
    id: 'WorkflowOutcomeEvent',
    description: 'A workflow proposed in this session ended, or needs attention',
    value: z.object({
      schema: z.literal('svc.workflow-outcome.v1').describe('Schema of the value'),
      id: text.describe('Id of the outcome'),
      runId: text.describe('Id of the run'),
      workflowId: text.describe('Id of the workflow'),
      version: count.describe('Version of the workflow'),
      title: text.describe('Title'),
      status: z.enum(['succeeded', 'failed', 'cancelled', 'needs_attention']).describe('State of the run'),
      reason: text.nullable().describe('Why the run failed or needs attention'),
      steps: z
        .object({
          total: count.describe('All steps'),
          succeeded: count.describe('Succeeded steps'),
          failed: count.describe('Failed steps'),
          skipped: count.describe('Skipped steps'),
        })
        .describe('Number of steps by outcome'),
    }),
  }),
] as const;

const SESSION_EVENTS = [
  custom('svc.impostazioni-sessione', {
    id: 'SessionSettingsEvent',
    description: 'Mode and permissions of the session changed',
    value: z.object({
      modalitaOperativa: z.enum(['normale', 'piano']).describe('Mode'),
      permessi: text.describe('Permission level'),
      motivo: text.describe('`piano-approvato`, `comando`, or another reason'),
    }),
  }),
  custom('svc.todo', {
    id: 'TodoEvent',
    description: "The agent's to-do list, always whole",
    value: z.object({
      items: z
        .array(
          z.object({
            content: text.describe('The entry'),
            status: z.enum(['pending', 'in_progress', 'completed']).describe('State of the entry'),
          }),
        )
        .describe('Entries in order'),
    }),
  }),
  custom('svc.processo-sfondo', {
    id: 'BackgroundProcessEvent',
    description: 'A command runs in the background, or such a command ended',
    value: z.object({
      toolCallId: text.describe('Id of the tool call'),
      fase: z.enum(['inizio', 'fine']).describe('Start or end'),
      da: z.enum(['persona', 'tempo-scaduto', 'modello']).optional().describe('Who sent it to the background'),
      codice: z.number().nullish().describe('Exit code at the end; null after a signal or a lost process'),
    }),
  }),
  custom('svc.dove-girano-i-comandi', {
    id: 'CommandPlaceEvent',
    description: "On which system the user's own commands run",
    value: z.object({ dove: z.enum(['wsl2', 'windows']).nullable().describe('The system; null: the default') }),
  }),
  custom('svc.comandi-nella-conversazione', {
    id: 'CommandReportEvent',
    description: "Whether the model is told about the user's own commands",
    value: z.object({ acceso: z.boolean().describe('Whether the model is told') }),
  }),
  custom('svc.messaggio-rimosso', {
    id: 'MessageRemovedEvent',
    description: 'A message was removed from the conversation',
    value: z.object({
      riferimento: text.describe('Id of the message, or `giro:<sequence of RunStarted>`'),
      toltoDalModello: z.boolean().describe("Whether the message was in the model's context"),
      motivo: text.nullable().describe('Why not; null if it was'),
    }),
  }),
  custom('svc.strumenti-trovati', {
    id: 'FoundToolsEvent',
    description: 'Of earlier versions: tools offered to the model from then on, in addition to the standard ones',
    value: z.object({ nomi: z.array(text).describe('Names of the tools') }),
  }),
  custom('svc.regole-dette', {
    id: 'ReportedRulesEvent',
    description: 'A change of permissions or mode during the session, in the words for the model',
    value: z.object({
      permissions: text.describe('The level of permissions from now on'),
      mode: z.enum(['normal', 'plan']).describe('The mode from now on'),
      testo: text.describe('The words for the model'),
    }),
  }),
  custom('svc.annullamento', {
    id: 'UndoEvent',
    description: 'A turn is undone or redone; only `fine` counts',
    value: z.object({
      schema: z.literal('svc.annullamento.v1').describe('Schema of the value'),
      fase: z.enum(['inizio', 'fine']).describe('Start or end'),
      tipo: z.enum(['undo', 'redo']).describe('Undo or redo'),
      giro: count.describe('Sequence of the RunStarted of the turn'),
      file: z.array(text).describe('Restored paths'),
      saltati: z
        .array(
          z.object({
            percorso: text.describe('Relative path'),
            motivo: z
              .enum(['cambiato', 'non-conservato', 'troppo-grande', 'non-accessibile', 'fermato', 'incerto'])
              .describe('Why the path was left unchanged'),
          }),
        )
        .describe('Paths left unchanged'),
      chat: z.boolean().describe("Whether the turn was removed from, or restored to, the model's context"),
    }),
  }),
] as const;

/** Events of the stream itself: never stored, without a number. */
const STREAM_EVENTS = [
  custom('svc.fine-rigiocata', {
    id: 'ReplayEndEvent',
    description: 'End of the stored events; what follows is live. Once per connection, without an id',
    value: z.null(),
  }),
  custom('svc.coda', {
    id: 'QueueEvent',
    description: 'The queue, after the replay and at every change; without an id, never stored',
    value: wireQueue,
  }),
] as const;

const OPTIONS = [...CONTEXT_EVENTS, ...REQUEST_EVENTS, ...SESSION_EVENTS, ...STREAM_EVENTS] as const;

/** Events of type CUSTOM, distinguished by `name`; clients ignore names they do not know. */
export const customEvent = z.discriminatedUnion('name', OPTIONS).meta({
  id: 'SessionCustomEvent',
  description: 'An event of type CUSTOM, distinguished by `name`. Clients ignore names they do not know.',
  // openapi-typescript warns about a discriminated union inside another unless it says that it is an object.
  type: 'object',
  discriminator: discriminatorOf('name', OPTIONS),
});
