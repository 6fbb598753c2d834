import { RequestError } from '@agentclientprotocol/sdk';
import { type ErrorCode, isAppError } from '@fucina/shared';
import { factsOf, providerWords, turnFailure } from '../failure.ts';
import type { TurnRecord } from '../one-shot/turn-record.ts';
import type { Terminal } from '../terminal.ts';

/** A provider's key is missing or was rejected: the editor asks its user to sign in. */
const AUTH_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'PROVIDER_KEY_INVALID',
  'PROVIDER_KEY_NOT_FOUND',
  'PROVIDER_KEY_REQUIRED',
]);
const INPUT_CODES: ReadonlySet<string> = new Set<ErrorCode>(['MCP_INVALID', 'MODEL_ID_INVALID', 'REASONING_INVALID']);
const STATE_CODES: ReadonlySet<string> = new Set<ErrorCode>(['SESSION_NOT_READY', 'SESSION_STORE_BUSY']);

/** Runs it; converts our errors to protocol errors, with our code in their data. */
export async function answered<Result>(
  terminal: Terminal,
  sessionId: string,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === 'NOT_FOUND') throw RequestError.resourceNotFound(sessionId);
    const { message, action } = factsOf(error, terminal);
    const data = { code: error.code, ...(error.reason && { reason: error.reason }) };
    throw requestError(error.code, data, [message, action].filter(Boolean).join(' '));
  }
}

/** For a turn that ended in an error. */
export function turnError({ ending }: TurnRecord, terminal: Terminal): RequestError {
  const { code, message, failureClass, providerMessage } = ending?.isError ? ending : UNKNOWN;
  const words = turnFailure({ code, message, failureClass }, terminal);
  const said = providerMessage && providerWords(providerMessage, terminal.say);
  const text = [words.message, said, words.action].filter(Boolean).join(' ');
  const data = { code, ...(failureClass && { class: failureClass }), ...(providerMessage && { providerMessage }) };
  return failureClass === 'credential' ? RequestError.authRequired(data, text) : requestError(code, data, text);
}

const UNKNOWN = { code: 'error', message: '', failureClass: undefined, providerMessage: undefined };

/** One turn at a time: the editor waits for its end, or cancels it. */
export function busyError(terminal: Terminal): RequestError {
  return RequestError.invalidRequest(
    { code: 'SESSION_NOT_READY', reason: 'turn-in-progress' },
    terminal.say('acp.busy'),
  );
}

function requestError(code: string, data: object, message: string): RequestError {
  if (AUTH_CODES.has(code)) return RequestError.authRequired(data, message);
  if (INPUT_CODES.has(code)) return RequestError.invalidParams(data, message);
  if (STATE_CODES.has(code)) return RequestError.invalidRequest(data, message);
  return RequestError.internalError(data, message);
}
