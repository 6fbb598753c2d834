import { type AppError, systemCode } from '../errors.ts';
import { redactText } from '../redact-text.ts';
import { textStart } from '../text-cut.ts';
import type { Sentences } from './entry.ts';

/** Codes of the system that name a cause a user can act on. A missing file is not among them: the error names it. */
const SYSTEM_CODES: ReadonlySet<string> = new Set(
  (
    'EACCES EPERM EROFS ENOSPC EDQUOT EIO EMFILE ENFILE ENOMEM EBUSY EXDEV ENOEXEC ' +
    'ECONNREFUSED ECONNRESET ENOTFOUND ETIMEDOUT EHOSTUNREACH ENETUNREACH'
  ).split(' '),
);
const MAX_DEPTH = 8;
const MAX_GIT_MESSAGE = 240;
/** The lines in which git names the cause; the others are progress and advice. */
const GIT_LINE = /^(?:remote: )?(?:fatal|error): (.+)$/m;

/**
 * The sentences of an error, with its parameters in the place of `{name}`, and with the underlying message: the code of
 * the system, or what git said, redacted.
 */
export function withUnderlyingMessage(given: Sentences, error: AppError): Sentences {
  // A bug has only its reference: its detail is for the doctor.
  if (error.code === 'INTERNAL_ERROR') return given;
  const sentences = error.params ? filled(given, error.params) : given;
  const underlying = gitMessage(error) ?? systemCodeOf(error);
  if (underlying === undefined) return sentences;
  const explanation = `${sentences.explanation} (${underlying})`;
  return { ...sentences, message: explanation, explanation };
}

function filled({ title, explanation, action }: Sentences, params: NonNullable<AppError['params']>): Sentences {
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(params, name) ? String(params[name]).replaceAll(/\p{C}/gu, '') : whole,
    );
  const explained = fill(explanation);
  return { message: explained, title, explanation: explained, action: fill(action) };
}

function gitMessage({ details }: AppError): string | undefined {
  const stderr = details?.stderr;
  if (typeof stderr !== 'string') return undefined;
  const line = GIT_LINE.exec(stderr)?.[1];
  return line && `git: ${textStart(redactText(line).replaceAll(/\p{C}/gu, '').trim(), MAX_GIT_MESSAGE)}`;
}

function systemCodeOf(error: AppError): string | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < MAX_DEPTH && cause instanceof Error; depth += 1) {
    const code = systemCode(cause);
    if (code !== undefined && SYSTEM_CODES.has(code)) return code;
    cause = cause.cause;
  }
  return undefined;
}
