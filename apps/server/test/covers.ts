import type { ErrorCode } from '@fucina/shared';
import { test } from '@jest/globals';

/** A success test of an operation. `coverage.test.ts` reads these calls: both arguments must be literals. */
export function covers(operation: string, title: string, run: () => Promise<void>): void {
  test(`${operation}: ${title}`, run);
}

/** The same success test for several operations; the list must be a literal, too. */
export function coversEach(
  operations: readonly string[],
  title: string,
  run: (operation: string) => Promise<void>,
): void {
  for (const operation of operations) test(`${operation}: ${title}`, () => run(operation));
}

/** A test that really provokes a declared error of an operation. */
export function refuses(operation: string, code: ErrorCode, title: string, run: () => Promise<void>): void {
  test(`${operation} answers ${code}: ${title}`, run);
}

/** One error of several operations with one cause; the code and the list must be literals, too. */
export function refusesEach(
  code: ErrorCode,
  operations: readonly string[],
  run: (operation: string) => Promise<void>,
): void {
  for (const operation of operations) test(`${operation} answers ${code}`, () => run(operation));
}
