import type { ErrorCode } from '@fucina/shared';
import { test } from '@jest/globals';

/** A success of an operation. `coverage.test.ts` reads these calls: keep both arguments literal. */
export function covers(operation: string, title: string, run: () => Promise<void>): void {
  test(`${operation}: ${title}`, run);
}

/** The same success of several operations; the list is literal too. */
export function coversEach(
  operations: readonly string[],
  title: string,
  run: (operation: string) => Promise<void>,
): void {
  for (const operation of operations) test(`${operation}: ${title}`, () => run(operation));
}

/** One declared error of an operation, provoked for real. */
export function refuses(operation: string, code: ErrorCode, title: string, run: () => Promise<void>): void {
  test(`${operation} answers ${code}: ${title}`, run);
}

/** One error that one cause gives several operations; the code and the list are literal too. */
export function refusesEach(
  code: ErrorCode,
  operations: readonly string[],
  run: (operation: string) => Promise<void>,
): void {
  for (const operation of operations) test(`${operation} answers ${code}`, () => run(operation));
}
