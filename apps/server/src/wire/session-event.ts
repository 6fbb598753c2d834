import * as z from 'zod';
import { customEvent } from './custom-event.ts';
import { discriminatorOf, sequence } from './event-union.ts';

const requestId = z.string().describe('Id of the request; the answer names it');
const messageId = z.string().describe('Id of the message');
const toolCallId = z.string().describe('Id of the tool call');
const redirectId = z.string().describe('Id of the redirect');
const threadId = z.string().describe('Id of the session');
const runId = z.string().describe('Id of the turn');
const delta = z.string().describe('The next piece of the text');
const modelText = z.string().optional().describe('The text sent to the model, where it differs');
const at = z.string().optional().describe('Time, ISO 8601');

const imageFields = {
  id: z.string().describe('SHA-256 of the stored image, 64 hex digits'),
  mimeType: z.string().describe('Media type'),
};
const images = z
  .array(
    z.object({
      ...imageFields,
      tipo: z.literal('immagine').describe('Always `immagine`'),
      nome: z.string().describe('File name'),
      byte: z.number().describe('Size in bytes'),
      url: z.string().describe('Address of the image'),
    }),
  )
  .optional()
  .describe('Images of the message');
const bubble = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('How the client shows the message, as it was sent');
const queueId = z.string().optional().describe('Id that the message had in the queue');

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, description: string, fields: Shape) {
  const shape = { type: z.literal(type).describe('Kind of event'), ...fields, _sequenza: sequence };
  return z.object(shape).meta({ id: `${type}Event`, description });
}

const RUN_EVENTS = [
  event('RunStarted', 'A turn started', {
    threadId,
    runId,
    input: z
      .object({
        consegna: z.string().describe("The user's message"),
        seguito: z.boolean().optional().describe('True on every turn but the first'),
        immagini: images,
        bolla: bubble,
        codaId: queueId,
        comando: z.string().optional().describe('Slash command that the server answered itself, without the model'),
        testoModello: modelText,
      })
      .optional()
      .describe('What the turn was started with'),
    contesto: z
      .object({
        progetto: z.string().describe('Name of the project'),
        cartella: z.string().describe('Folder of the session'),
        branch: z.string().nullable().describe('Git branch; null outside a repository'),
      })
      .optional()
      .describe('Where the turn runs'),
  }),
  event('RunFinished', 'The turn finished', {
    threadId,
    runId,
    outcome: z.unknown().optional().describe('Outcome of the turn'),
    result: z.unknown().optional().describe('Result of the turn'),
  }),
  event('RunError', 'The turn failed or was stopped', {
    message: z.string().describe('What happened'),
    code: z.string().optional().describe('`fermato`, `giri-esauriti`, `internal-error`, or an error code'),
    classe: z.string().optional().describe('Class of the provider failure'),
    riprovaTraMs: z.number().optional().describe('How long the provider asked to wait, in ms'),
    messaggioFornitore: z.string().optional().describe("The provider's own message, redacted"),
  }),
  event('RunRedirectRequested', 'The user steered the running turn', {
    redirectId,
    testo: z.string().describe('The new message'),
  }),
  event('RunRedirectApplied', 'The turn continues with the new message', {
    redirectId,
    testo: z.string().describe('The new message'),
    immagini: images,
    testoModello: modelText,
  }),
  event('RunRedirectCancelled', 'The redirect was cancelled', { redirectId }),
  event('RunRedirectFailed', 'The redirect failed', {
    redirectId,
    message: z.string().describe('What happened'),
    code: z.string().optional().describe('Error code'),
  }),
] as const;

const MESSAGE_EVENTS = [
  event('TextMessageStart', "A message of the agent's text starts", {
    messageId,
    role: z.literal('assistant').describe('Always `assistant`'),
  }),
  event('TextMessageContent', 'A piece of text; a replay merges neighbouring pieces', { messageId, delta }),
  event('TextMessageEnd', 'The message is complete', { messageId }),
  event('ReasoningMessageStart', 'A message of reasoning starts', {
    messageId,
    role: z.literal('reasoning').describe('Always `reasoning`'),
  }),
  event('ReasoningMessageContent', 'A piece of reasoning; a replay merges neighbouring pieces', { messageId, delta }),
  event('ReasoningMessageEnd', 'The reasoning is complete', { messageId }),
  event('QueuedMessageDelivered', 'A queued message was given to the model', {
    testo: z.string().describe('The message'),
    immagini: images,
    bolla: bubble,
    codaId: queueId,
    testoModello: modelText,
  }),
] as const;

const TOOL_EVENTS = [
  event('ToolCallStart', 'The model calls a tool', {
    toolCallId,
    toolCallName: z.string().describe('Name of the tool'),
    parentMessageId: z.string().optional().describe('Id of the message that contains the call'),
    avviatoA: z.number().optional().describe('Start, epoch milliseconds'),
  }),
  event('ToolCallArgs', "A piece of the JSON text of the call's arguments", { toolCallId, delta }),
  event('ToolCallOutput', 'Live output of a running command; not part of the conversation', { toolCallId, delta }),
  event('ToolCallResult', 'The result of a tool call', {
    messageId,
    toolCallId,
    content: z.string().describe('The result that the model reads'),
    role: z.literal('tool').describe('Always `tool`'),
    durataMs: z.number().optional().describe('Duration in ms'),
    comando: z.string().optional().describe('The command'),
    cwd: z.string().optional().describe('Working directory of the command'),
    stdout: z.string().optional().describe('Standard output, when not empty'),
    stderr: z.string().optional().describe('Standard error, when not empty'),
    exitCode: z.number().optional().describe('Exit code of the command'),
    fallito: z.literal(true).optional().describe('The tool refused or failed'),
    interrotto: z.literal(true).optional().describe('The turn was stopped or redirected before the call ended'),
    enforcement: z.string().optional().describe('How the command was sandboxed'),
    indirizzi: z.array(z.string()).optional().describe('Addresses that the tool found and may be read without asking'),
    versioni: z
      .array(
        z.object({
          percorso: z.string().describe('Path relative to the folder of the session'),
          sha256: z.string().describe('SHA-256 of the content'),
        }),
      )
      .optional()
      .describe('Files that the call read or wrote, as their content was after it'),
    immagini: z
      .array(z.object({ ...imageFields, nome: z.string().optional(), byte: z.number().optional() }))
      .optional()
      .describe('Images shown to the model; audio and PDF, with name and size'),
  }),
  event('ComandoUtenteIniziato', "A command of the user's own starts; not part of a turn", {
    comandoId: z.string().describe('Id of the command'),
    comando: z.string().describe('The command'),
  }),
  event('ComandoUtenteFinito', "A command of the user's own ended", {
    comandoId: z.string().describe('Id of the command'),
    codice: z.number().optional().describe('Exit code'),
    enforcement: z.string().optional().describe('How the command was sandboxed'),
    errore: z.string().optional().describe('Why the command did not start'),
  }),
  event('HookInvoked', 'A hook ran', {
    hookId: z.string().describe('Id of the hook'),
    tipo: z.string().describe('`pre_tool_call`, `post_tool_call`, `session_start` or `session_end`'),
    azione: z.record(z.string(), z.unknown()).nullable().describe('The tool call; null for hooks of the session'),
    esito: z.unknown().describe('What the hook answered, or the refusal made for it'),
  }),
] as const;

const statePatch = z.object({
  op: z.enum(['add', 'replace', 'remove']).describe('Operation of RFC 6902'),
  path: z.string().describe('`/file/<relative path>` or `/usage`'),
  value: z.unknown().optional().describe('The new text of the file, or the cumulative usage of the turn'),
  prima: z.string().optional().describe('The text before'),
  allegato: z
    .object({
      nome: z.string().describe('File name'),
      formato: z.string().describe('Format of the document'),
      byte: z.number().describe('Size in bytes'),
    })
    .optional()
    .describe('A generated document'),
  primaBlob: z.string().optional().describe('SHA-256 of the content before, where no text represents it'),
  dopoBlob: z.string().optional().describe('SHA-256 of the content after, where no text represents it'),
  primaModo: z.number().optional().describe('File mode before'),
  dopoModo: z.number().optional().describe('File mode after'),
});

const STATE_EVENTS = [
  event('StateDelta', 'Files or usage changed, as a JSON Patch', {
    delta: z.array(statePatch).describe('The changes'),
    giro: z.number().optional().describe('Sequence of the RunStarted of the turn that changed these files'),
    altri: z.number().optional().describe('How many more files the turn changed'),
    parziale: z.literal(true).optional().describe('Not all files of the folder are watched: changes may be missing'),
    contesi: z.array(z.string()).optional().describe('Files that changed meanwhile, perhaps by someone else'),
  }),
  event('ArtifactCreated', 'The agent made a page; its HTML has an address of its own', {
    messageId,
    id: z.string().describe('Id of the artifact'),
    titolo: z.string().describe('Title'),
  }),
  event('WorkspaceChanged', 'Files changed outside the session', {
    percorsi: z.array(z.string()).describe('Relative paths'),
  }),
] as const;

const question = z.object({
  id: z.string().describe('Id of the question'),
  header: z.string().optional().describe('Short heading'),
  question: z.string().describe('The question'),
  why: z.string().describe('Why the agent asks'),
  options: z
    .array(
      z.object({
        label: z.string().describe('The option'),
        description: z.string().optional().describe('What the option means'),
        recommended: z.boolean().optional().describe('The agent recommends this option; it comes first'),
        preview: z.string().optional().describe('A preview of the option'),
      }),
    )
    .optional()
    .describe('Options; free text is always allowed'),
  multiSelect: z.boolean().optional().describe('Several options may be chosen'),
});

const REQUEST_EVENTS = [
  event('ApprovalRequested', 'A tool call waits for an approval', {
    requestId,
    azione: z
      .record(z.string(), z.unknown())
      .describe(
        'The call: `tipo`, and facts such as `percorso` or `comando`; `prefissi` is what `ambito: percorso` allows of a command, empty for this very line',
      ),
  }),
  event('ApprovalResolved', 'The approval was answered', {
    requestId,
    approvato: z.boolean().describe('Whether the call may run'),
    interrotto: z.literal(true).optional().describe('The turn ended or was redirected before an answer'),
    ambito: z.enum(['cartella', 'percorso']).optional().describe('What was allowed for the rest of the session'),
  }),
  event('UserQuestionRequested', 'The agent asks the user', {
    requestId,
    questions: z.array(question).describe('One to four questions'),
    at,
    toolCallId: toolCallId.optional(),
    origine: z.enum(['mode', 'agent']).optional().describe('Who asks'),
    ripristinabile: z.boolean().optional().describe('The question can still be answered after a restart'),
  }),
  event('UserQuestionResolved', 'The question was answered or closed', {
    requestId,
    status: z.enum(['answered', 'skipped', 'cancelled', 'expired']).describe('How the question was closed'),
    answers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .optional()
      .describe('Answers by question id'),
    skipped: z.array(z.string()).optional().describe('Ids of the skipped questions'),
    notes: z.record(z.string(), z.string()).optional().describe('Notes by question id'),
    at,
    da: z.enum(['persona', 'sistema']).optional().describe('Who closed the question'),
    motivo: z.string().optional().describe('Reason'),
  }),
] as const;

const NAMED_EVENTS = [...RUN_EVENTS, ...MESSAGE_EVENTS, ...TOOL_EVENTS, ...STATE_EVENTS, ...REQUEST_EVENTS] as const;

/** Events are sent exactly as stored; clients ignore types they do not know. */
export const sessionEvent = z.discriminatedUnion('type', [...NAMED_EVENTS, customEvent]).meta({
  id: 'SessionEvent',
  description: 'An event of a session. Clients ignore types they do not know.',
  discriminator: discriminatorOf('type', NAMED_EVENTS, { CUSTOM: 'SessionCustomEvent' }),
});
