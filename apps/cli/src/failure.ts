import { isConnectionFailure } from '@fucina/conversation';
import { type AppError, type ErrorCode, isAppError, isErrorCode } from '@fucina/shared';
import { type Sentences, sentencesFor, withUnderlyingMessage } from '@fucina/shared/sentences';
import { cleanLine } from './clean-text.ts';
import { settingsFileSentence } from './config/problem-sentence.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { isWordKey, type Say } from './words/index.ts';

/** A failure in machine-readable output. */
export interface FailureFacts {
  code: string;
  reason?: string;
  message: string;
  /** The provider's own message: redacted and truncated. */
  providerMessage?: string;
  action?: string;
}

const EXITS: Partial<Record<ErrorCode, ExitCode>> = {
  SESSION_STORE_BUSY: EXIT.busy,
  CONFIG_INVALID: EXIT.configuration,
  MODEL_ID_INVALID: EXIT.configuration,
  MODEL_NOT_FOUND: EXIT.configuration,
  PROVIDER_KEY_INVALID: EXIT.configuration,
  PROVIDER_KEY_NOT_FOUND: EXIT.configuration,
  PROVIDER_KEY_REQUIRED: EXIT.configuration,
  PROVIDER_RUNTIME_INVALID: EXIT.configuration,
  PROVIDER_RUNTIME_UNAVAILABLE: EXIT.configuration,
  PROVIDER_STORE_UNAVAILABLE: EXIT.configuration,
  SESSION_MODEL_UNKNOWN: EXIT.configuration,
};

/** Undefined for a bug, which is not an error of ours. */
export function asAppError(error: unknown): AppError | undefined {
  return isAppError(error) ? error : undefined;
}

export function exitOf({ code }: Pick<AppError, 'code'>): ExitCode {
  return EXITS[code] ?? EXIT.failed;
}

/** For a turn that ended in an error: the provider rejected the key, or is not set up. */
export function exitOfTurn({ code, failureClass }: { code: string; failureClass: string | undefined }): ExitCode {
  if (failureClass === 'credential' || failureClass === 'not-configured') return EXIT.configuration;
  return isErrorCode(code) ? exitOf({ code }) : EXIT.failed;
}

export function factsOf(error: AppError, { language, say }: Terminal): FailureFacts {
  const { message, action } = wordsOf(error, language);
  const said = error.params?.providerMessage;
  const facts = {
    code: error.code,
    ...(error.reason && { reason: error.reason }),
    ...(typeof said === 'string' && { providerMessage: said }),
  };
  if (error.reason === 'no-default-model')
    return { ...facts, message: say('no-model'), action: say('no-model-action') };
  if (error.reason === 'no-session-in-folder') return { ...facts, message: say('no-session-here') };
  if (error.reason === 'session-unknown') {
    const id = cleanLine(String(error.params?.sessionId ?? ''), ID_WIDTH);
    return { ...facts, message: say('no-such-session', { id }), action: say('no-such-session-action') };
  }
  // The shared sentence mentions lists of the window.
  if (error.code === 'NOT_FOUND') return { ...facts, message, action: say('not-found-action') };
  const problem = settingsFileSentence(error, say);
  if (problem !== undefined) return { ...facts, message: problem };
  const setting = error.params?.setting;
  // The shared sentence is about the log of a server.
  const isSetting = error.code === 'CONFIG_INVALID' && error.reason === undefined;
  const next = isSetting ? say('config.correct') : action;
  return { ...facts, message: setting === undefined ? message : `${message} (${setting})`, action: next };
}

/** Prints it on standard error; returns the exit code. A bug is rethrown. */
export function reportFailure(error: unknown, terminal: Terminal): ExitCode {
  const known = asAppError(error);
  const damaged = damagedStore(error);
  if (damaged !== undefined) {
    const message = terminal.say('store-damaged', { store: damaged });
    printFailure({ code: 'STORE_DAMAGED', message, action: terminal.say('store-damaged-action') }, terminal);
    return EXIT.failed;
  }
  if (!known) throw error;
  printFailure(factsOf(known, terminal), terminal);
  const backup = known.params?.backup;
  if (backup !== undefined) terminal.err(`        ${terminal.say('newest-backup', { path: String(backup) })}`);
  return exitOf(known);
}

/** The name of a store that is damaged and could not be opened; also behind an error of a domain. */
function damagedStore(error: unknown): string | undefined {
  const { name, problem, store, cause } = (error ?? {}) as Record<string, unknown>;
  if (name === 'StoreOpenError') return problem === 'damaged' && typeof store === 'string' ? store : undefined;
  return cause === undefined ? undefined : damagedStore(cause);
}

export function printFailure(facts: FailureFacts, { err, errorStyle, say }: Terminal): void {
  const { code, message, providerMessage, action } = facts;
  err(`${errorStyle.danger('fucina:')} ${message} ${errorStyle.muted(`[${code}]`)}`);
  if (providerMessage) err(`        ${providerWords(providerMessage, say)}`);
  if (action) err(`        ${action}`);
}

const PROVIDER_WIDTH = 500;

/** The provider's message, cleaned for a terminal. */
export function providerWords(text: string, say: Say): string {
  return say('failure.provider-said', { text: cleanLine(text, PROVIDER_WIDTH) });
}

/** Why a turn ended in an error, and what to do about it. */
export function turnFailure(
  { code, message, failureClass }: { code: string; message: string; failureClass: string | undefined },
  { say, language }: Pick<Terminal, 'say' | 'language'>,
): { message: string; action?: string } {
  if (!isErrorCode(code)) return { message: ownWords(code, message, say) };
  const known = sentencesFor(code, language);
  // For a failed call, the failure class is more specific than the code; every other code has its own sentence.
  const why = code === 'MODEL_CALL_FAILED' ? `failure.${failureClass}` : '';
  return { message: isWordKey(why) ? say(why) : known.message, action: known.action };
}

/** Of answers that the model did not finish. */
const ANSWER_ENDS: Readonly<Record<string, 'turn.answer-cut' | 'turn.answer-refused' | 'turn.answer-empty'>> = {
  'answer-cut': 'turn.answer-cut',
  'answer-refused': 'turn.answer-refused',
  'answer-empty': 'turn.answer-empty',
};

/** For a failed connection, the message names the proxy or the certificate. */
function ownWords(code: string, message: string, say: Say): string {
  const end = ANSWER_ENDS[code];
  if (end) return say(end);
  const known = `failure.${code}`;
  return isConnectionFailure(code) && isWordKey(known) ? `${say(known)} ${message}` : message || say('turn.error');
}

const ID_WIDTH = 80;

function wordsOf(error: AppError, language: Terminal['language']): Sentences {
  return withUnderlyingMessage(sentencesFor(error.code, language, error.reason), error);
}
