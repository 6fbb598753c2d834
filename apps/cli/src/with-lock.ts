import { type Ambient, AppError, tryLock } from '@fucina/shared';

const WAIT_MS = 5_000;
const PAUSE_MS = 10;

/** One at a time across processes. Throws SESSION_STORE_BUSY after five seconds. */
export async function withLock<Result>(
  file: string,
  { monotonic, timer }: Pick<Ambient, 'monotonic' | 'timer'>,
  act: () => Promise<Result>,
): Promise<Result> {
  const startedAt = monotonic();
  let lock = tryLock(file);
  while (!lock) {
    if (monotonic() - startedAt > WAIT_MS) throw new AppError('SESSION_STORE_BUSY');
    await new Promise<void>((resolve) => void timer(PAUSE_MS, resolve));
    lock = tryLock(file);
  }
  try {
    return await act();
  } finally {
    lock.release();
  }
}
