import { describe, expect, test } from '@jest/globals';
import { AppError } from './errors.ts';
import { StoreOpenError } from './sqlite.ts';
import { storeFailureOf } from './store-failure.ts';

const coded = (code: string): Error => Object.assign(new Error(code), { code });

describe('storeFailureOf', () => {
  test.each([
    ['SQLITE_FULL', 'disk-full'],
    ['ENOSPC', 'disk-full'],
    ['EDQUOT', 'disk-full'],
    ['SQLITE_IOERR_SHMSIZE', 'disk-failed'],
    ['SQLITE_CANTOPEN', 'disk-failed'],
    ['EROFS', 'disk-failed'],
    ['SQLITE_CORRUPT_VTAB', 'store-damaged'],
    ['SQLITE_NOTADB', 'store-damaged'],
  ])('maps %s to %s', (code, failure) => {
    expect(storeFailureOf(coded(code))).toBe(failure);
    expect(storeFailureOf(new AppError('SESSION_STORE_WRITE_FAILED', { cause: coded(code) }))).toBe(failure);
  });

  test.each([
    ['missing', 'store-missing'],
    ['damaged', 'store-damaged'],
    ['newer', 'store-newer'],
  ] as const)('maps a store that is %s at opening to %s', (problem, failure) => {
    expect(storeFailureOf(new StoreOpenError(problem, 'notes.db'))).toBe(failure);
  });

  test('prefers the system’s error to the opener’s', () => {
    expect(storeFailureOf(new StoreOpenError('unsupported', 'notes.db', coded('SQLITE_FULL')))).toBe('disk-full');
  });

  test.each([coded('SQLITE_BUSY'), coded('SQLITE_CONSTRAINT'), coded('ENOENT'), new Error('x'), undefined, 'text'])(
    'is undefined for %p',
    (error) => {
      expect(storeFailureOf(error)).toBeUndefined();
    },
  );
});
