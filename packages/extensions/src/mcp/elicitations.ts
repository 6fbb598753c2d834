import type { Ambient, SessionEvent } from '@fucina/shared';
import type { AnySchema } from 'ajv';
import { extensionsError } from '../errors.ts';
import { schemaValidator } from '../schema-validator.ts';

/** A question of a server to the user during a call. */
export interface ElicitationRequest {
  sessionId: string;
  serverId: string;
  message: string;
  /** A form with this JSON schema, or a page to open. */
  form?: Record<string, unknown>;
  url?: string;
  /** The question is whether the server may ask this model; `message` is all that the model would get. */
  sampling?: { model: string; maxOutputTokens: number };
}

export interface ElicitationAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
}

/** A pending question. */
export interface WaitingElicitation extends ElicitationRequest {
  requestId: string;
}

/** The call during which it is asked. */
export interface AskingCall {
  /** Adds events to the conversation. */
  tell(events: readonly SessionEvent[]): void;
  /** When aborted, answers `cancel`. */
  signal: AbortSignal;
}

/** Pending questions of servers: asked in the conversation, answered by id, cancelled with their call. */
export interface Elicitations {
  ask(asked: ElicitationRequest, call: AskingCall): Promise<ElicitationAnswer>;
  /** Pending questions of a session, oldest first. */
  waiting(sessionId: string): WaitingElicitation[];
  /** ELICITATION_NOT_PENDING, ELICITATION_ANSWER_INVALID. */
  answer(sessionId: string, requestId: string, answer: ElicitationAnswer): Promise<void>;
}

/** Our own events, beyond the interface: a server of the project asks the user, and the outcome. */
export const ELICITATION_EVENT = 'svc.mcp-elicitation';

interface Pending {
  asked: ElicitationRequest;
  settle(answer: ElicitationAnswer): void;
}

export function createElicitations({ ambient }: { ambient: Ambient }): Elicitations {
  const pending = new Map<string, Pending>();
  return {
    ask(asked, { tell, signal }) {
      const { serverId, message, form, url, sampling } = asked;
      const requestId = ambient.newId();
      const event = (value: object): SessionEvent => ({ type: 'CUSTOM', name: ELICITATION_EVENT, value });
      return new Promise((resolve) => {
        const settle = (answer: ElicitationAnswer): void => {
          if (!pending.delete(requestId)) return;
          signal.removeEventListener('abort', cancel);
          tell([event({ requestId, stato: 'risposta', azione: answer.action })]);
          resolve(answer);
        };
        const cancel = (): void => settle({ action: 'cancel' });
        pending.set(requestId, { asked, settle });
        const shown = {
          ...(form && { modo: 'form', schema: form }),
          ...(url !== undefined && { modo: 'url', url }),
          ...(sampling && { modo: 'modello', modello: sampling.model, massimoToken: sampling.maxOutputTokens }),
        };
        tell([event({ requestId, stato: 'in-attesa', server: serverId, messaggio: message, ...shown })]);
        if (signal.aborted) cancel();
        else signal.addEventListener('abort', cancel, { once: true });
      });
    },

    waiting: (sessionId) =>
      [...pending].flatMap(([requestId, { asked }]) =>
        asked.sessionId === sessionId ? [{ requestId, ...asked }] : [],
      ),

    async answer(sessionId, requestId, answer) {
      const open = pending.get(requestId);
      if (open?.asked.sessionId !== sessionId) throw extensionsError('ELICITATION_NOT_PENDING');
      const complete = withDefaults(open.asked, answer);
      const problem = await problemOf(open.asked, complete);
      if (problem !== undefined) throw extensionsError('ELICITATION_ANSWER_INVALID', { reason: problem });
      open.settle(complete);
    },
  };
}

/** What the user left out of a form has the value that the server proposed. */
function withDefaults({ form }: ElicitationRequest, answer: ElicitationAnswer): ElicitationAnswer {
  if (!form || answer.action !== 'accept') return answer;
  const fields = Object.entries((form.properties ?? {}) as Record<string, { default?: unknown }>);
  const defaults = fields
    .filter(([name, field]) => field?.default !== undefined && !Object.hasOwn(answer.content ?? {}, name))
    .map(([name, field]) => [name, field.default]);
  return { ...answer, content: { ...answer.content, ...Object.fromEntries(defaults) } };
}

async function problemOf(
  { form }: ElicitationRequest,
  { action, content }: ElicitationAnswer,
): Promise<string | undefined> {
  if (action !== 'accept') return content === undefined ? undefined : 'content-only-with-accept';
  if (!form) return content === undefined ? undefined : 'no-content-asked';
  const ajv = await schemaValidator();
  return ajv.validate(form as AnySchema, content ?? {}) ? undefined : 'not-as-asked';
}
