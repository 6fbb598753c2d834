import { type AppError, redactText, textStart } from '@fucina/shared';
import { diagnosticsError } from './errors.ts';

/** A reported error, stored so that its reference can be looked up. */
export interface Problem {
  /** `doctor-` and 12 hexadecimal digits. */
  reference: string;
  error: AppError;
  /** METHOD and path pattern. */
  operation: string;
  /** Epoch ms. */
  at: number;
}

export interface RecordedProblem {
  reference: string;
  code: string;
  operation: string;
  at: number;
  message: string;
  /** At most 240 characters; secrets, addresses with credentials and absolute paths are removed. */
  detail: string;
  cause: string | null;
}

/** The latest problems, in memory: lost at a restart. */
export interface Problems {
  remember(problem: Problem): void;
  /** Throws NOT_FOUND. */
  read(reference: string): RecordedProblem;
}

const MAX_PROBLEMS = 500;
const DETAIL_LIMIT = 240;

export function createProblems(): Problems {
  const problems = new Map<string, RecordedProblem>();
  return {
    remember(problem) {
      problems.set(problem.reference, recorded(problem));
      for (const reference of [...problems.keys()].slice(0, -MAX_PROBLEMS)) problems.delete(reference);
    },
    read(reference) {
      const problem = problems.get(reference);
      if (!problem) throw diagnosticsError('NOT_FOUND');
      return problem;
    },
  };
}

function recorded({ reference, error, operation, at }: Problem): RecordedProblem {
  const cause = error.cause instanceof Error ? error.cause : undefined;
  return {
    reference,
    code: error.code,
    operation,
    at,
    message: cleaned(error.message),
    detail: cleaned([error.reason, error.details && JSON.stringify(error.details)].filter(Boolean).join(' ')),
    cause: cause ? cleaned(`${cause.name}: ${cause.message}`) : null,
  };
}

/** Removes paths, credentials in addresses, environment names and long tokens from answers. */
export function cleaned(text: string): string {
  return textStart(redactText(text), DETAIL_LIMIT);
}
