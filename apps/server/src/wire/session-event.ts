import * as z from 'zod';

const TYPES = [
  'RunStarted',
  'RunFinished',
  'RunError',
  'RunRedirectRequested',
  'RunRedirectApplied',
  'RunRedirectCancelled',
  'RunRedirectFailed',
  'TextMessageStart',
  'TextMessageContent',
  'TextMessageEnd',
  'ReasoningMessageStart',
  'ReasoningMessageContent',
  'ReasoningMessageEnd',
  'ToolCallStart',
  'ToolCallArgs',
  'ToolCallOutput',
  'ToolCallResult',
  'StateDelta',
  'ArtifactCreated',
  'WorkspaceChanged',
  'ApprovalRequested',
  'ApprovalResolved',
  'UserQuestionRequested',
  'UserQuestionResolved',
  'QueuedMessageDelivered',
  'HookInvoked',
  'ComandoUtenteIniziato',
  'ComandoUtenteFinito',
  'CUSTOM',
] as const;

/** Events are sent exactly as stored; their fields by type are those of `shared/session-events.ts`. */
export const sessionEvent = z
  .looseObject({
    type: z.enum(TYPES),
    _sequenza: z.number().int().optional().describe('Sequence in the session; absent on transport events'),
  })
  .meta({ id: 'SessionEvent' });
