import { systemCode } from './errors.ts';
import { StoreOpenError } from './sqlite.ts';

/** Why a store could not be read or written, when the cause is the disk or the file. */
export type StoreFailure = 'disk-full' | 'disk-failed' | 'store-damaged' | 'store-missing' | 'store-newer';

const MAX_CAUSES = 8;
const OF_CODES: readonly (readonly [RegExp, StoreFailure])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)$/, 'disk-full'],
  [/^(SQLITE_CORRUPT|SQLITE_NOTADB)/, 'store-damaged'],
  [/^(SQLITE_IOERR|SQLITE_CANTOPEN|SQLITE_READONLY)|^(EIO|EROFS)$/, 'disk-failed'],
];
const OF_OPENING = { missing: 'store-missing', damaged: 'store-damaged', newer: 'store-newer' } as const;

/** Examines an error and its causes; undefined when none of them comes from the disk or a store's file. */
export function storeFailureOf(error: unknown): StoreFailure | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause !== undefined; depth += 1) {
    const code = systemCode(cause) ?? '';
    const known = OF_CODES.find(([pattern]) => pattern.test(code));
    if (known) return known[1];
    const opening = cause instanceof StoreOpenError ? cause.problem : undefined;
    if (opening && opening in OF_OPENING) return OF_OPENING[opening as keyof typeof OF_OPENING];
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return undefined;
}
