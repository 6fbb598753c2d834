import type { AgUiAnswer, AgUiMessage, AgUiRequest } from '@fucina/host';
import * as z from 'zod';
import { text } from '../common.ts';
import { language, mode, modelId, permissions, reasoning, toolPermissions } from '../settings.ts';

/** The names of the AG-UI protocol, not ours. Fields that a newer version adds are ignored. */
const textPart = z.object({ type: z.literal('text'), text: z.string() });
const imagePart = z.object({
  type: z.literal('image'),
  source: z.object({ type: z.literal('data'), value: z.string(), mimeType: z.string() }),
});
const userContent = z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart]))]);

const anyMessage = z
  .looseObject({
    id: z.string().describe('Id that the client gave the message'),
    role: z.string(),
    content: z.unknown().optional(),
  })
  .describe('A message of the thread; only the last one is read');

const forwardedProps = z
  .object({
    cartella: z.string().min(1).max(4_096).optional().describe('Folder of a new session, an absolute path'),
    cartellaId: text.optional().describe('Project of a new session, in place of the folder'),
    modello: modelId.optional().describe('Model of a new session; default: the default model'),
    permessi: permissions.optional().describe('Permission level of a new session'),
    permessiPerAttrezzo: toolPermissions.optional().describe('Permissions of single tools of a new session'),
    reasoning: reasoning.optional().describe('Reasoning of a new session'),
    modalitaOperativa: mode.optional().describe('Mode of a new session'),
    linguaInterfaccia: language.optional().describe('Language of the user'),
  })
  .describe('Settings of a new session');

const resumeEntry = z.object({
  interruptId: text.describe('Id of the interrupt'),
  status: z.enum(['resolved', 'cancelled']).describe('Whether the request was answered'),
  payload: z
    .union([
      z.object({ approved: z.boolean() }),
      z.object({ answers: z.record(z.string().max(64), z.union([z.string(), z.array(z.string())])) }),
    ])
    .optional()
    .describe('The answer; without one the run continues once the request is answered elsewhere'),
});

export const runAgentInput = z
  .object({
    threadId: text.max(200).describe('Id of the thread: the session of this id, or one that is named after it'),
    runId: text.max(200).describe('Id of the run, as the client chose it'),
    messages: z.array(anyMessage).max(10_000).describe('The whole conversation; the last message is the new one'),
    tools: z.array(z.unknown()).optional().describe("Tools of the client; the agent uses the session's own"),
    context: z
      .array(z.object({ description: z.string(), value: z.string() }))
      .max(100)
      .optional()
      .describe('Facts of the application, sent to the model with the message'),
    state: z.unknown().optional().describe('Not read: the state comes from the session'),
    forwardedProps: forwardedProps.nullish(),
    resume: z.array(resumeEntry).max(1).optional().describe('The answer to the request that ended the last run'),
  })
  .meta({ id: 'AgUiRunInput', description: 'RunAgentInput of the AG-UI protocol' });

type RunInput = z.output<typeof runAgentInput>;

export function agUiRequest({ threadId, messages, context, forwardedProps: props, resume }: RunInput): AgUiRequest {
  const [entry] = resume ?? [];
  const { cartella, cartellaId, ...given } = props ?? {};
  const { modello, permessi, permessiPerAttrezzo, modalitaOperativa, linguaInterfaccia, ...rest } = given;
  const settings = {
    ...rest,
    model: modello,
    permissions: permessi,
    toolPermissions: permessiPerAttrezzo,
    mode: modalitaOperativa,
    language: linguaInterfaccia,
  };
  return {
    threadId,
    messages: messages.slice(-1).map(readMessage),
    context: context ?? [],
    start: { ...settings, projectId: cartellaId, folder: cartella },
    resume: entry && { requestId: entry.interruptId, answer: readAnswer(entry) },
  };
}

function readMessage({ role, content }: z.output<typeof anyMessage>): AgUiMessage {
  const read = userContent.safeParse(content);
  // Nothing to send: refused as a run without a message.
  if (!read.success) return { role, text: '', images: [] };
  if (typeof read.data === 'string') return { role, text: read.data, images: [] };
  return {
    role,
    text: read.data.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    images: read.data.flatMap((part) =>
      part.type === 'image' ? [{ dataUrl: `data:${part.source.mimeType};base64,${part.source.value}` }] : [],
    ),
  };
}

function readAnswer({ status, payload }: z.output<typeof resumeEntry>): AgUiAnswer['answer'] {
  if (status === 'cancelled') return { kind: 'cancelled' };
  if (!payload) return undefined;
  if ('answers' in payload) return { kind: 'question', answers: payload.answers };
  return { kind: 'approval', isApproved: payload.approved };
}
