import type { SessionEvent } from '@fucina/shared';
import type { AgUiInterrupt } from './event.ts';

type Fields = Record<string, unknown>;

const APPROVED = {
  type: 'object',
  properties: { approved: { type: 'boolean' } },
  required: ['approved'],
};
const answer = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

/** What an event asks the user for, as the interrupt that ends a run; undefined for other events. */
export function interruptOf(event: SessionEvent, toolCallId: string | undefined): AgUiInterrupt | undefined {
  switch (event.type) {
    case 'ApprovalRequested':
      return approval(event.requestId, event.azione, toolCallId);
    case 'UserQuestionRequested':
      return question(event.requestId, event.questions as Fields[]);
    case 'CUSTOM':
      return custom(event.name, (event.value ?? {}) as Fields);
    default:
      return undefined;
  }
}

function approval(id: string, azione: Fields, toolCallId: string | undefined): AgUiInterrupt {
  const subject = azione.comando ?? azione.percorso ?? azione.tipo;
  const call = toolCallId === undefined ? {} : { toolCallId };
  return { id, reason: 'tool_call', message: String(subject), ...call, responseSchema: APPROVED, metadata: { azione } };
}

function question(id: string, questions: Fields[]): AgUiInterrupt {
  const properties = Object.fromEntries(questions.map((one) => [String(one.id), answer]));
  const answers = { type: 'object', properties, additionalProperties: false };
  return {
    id,
    reason: 'input_required',
    message: questions.map((one) => String(one.question)).join('\n'),
    responseSchema: { type: 'object', properties: { answers }, required: ['answers'] },
    metadata: { questions },
  };
}

/** Plans and the forms of MCP servers are answered by their own operations; the run then continues without a payload. */
function custom(name: string, value: Fields): AgUiInterrupt | undefined {
  if (typeof value.requestId !== 'string') return undefined;
  const id = value.requestId;
  if (name === 'svc.plan' && value.status === 'proposed') {
    const { content, hash } = value;
    return { id, reason: 'confirmation', message: String(content), metadata: { operazione: 'plan-decision', hash } };
  }
  if (name === 'svc.mcp-elicitation' && value.stato === 'in-attesa') {
    const { server, messaggio, schema, url, modo, modello, massimoToken } = value;
    // `modo` is `modello` where the server wants to ask the model: `message` is all that the model would get.
    const metadata = { operazione: 'mcp-elicitation', server, schema, url, modo, modello, massimoToken };
    return { id, reason: 'input_required', message: String(messaggio), metadata };
  }
  return undefined;
}
