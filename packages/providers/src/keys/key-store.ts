import { type Ambient, isAppError } from '@fucina/shared';
import { providersError } from '../errors.ts';

/** Stores secrets. Every failure is PROVIDER_STORE_UNAVAILABLE, with the reason `no-service` or `locked`. */
export interface KeyStore {
  readonly kind: 'system' | 'memory';
  read(account: string): Promise<string | undefined>;
  write(account: string, value: string): Promise<void>;
  remove(account: string): Promise<void>;
  /** Whether it works now: writes, reads and deletes a random value. */
  check(): Promise<KeyStoreState>;
}

export type KeyStoreState = 'ready' | 'no-service' | 'locked';

/** Whether a failure only means that there is no key store, or that it is locked; damage is neither. */
export function isKeyStoreUnavailable(error: unknown): boolean {
  return isAppError(error, 'PROVIDER_STORE_UNAVAILABLE') && ['no-service', 'locked'].includes(error.reason ?? '');
}

/** Lost when the process ends; used only when explicitly chosen. */
export function createMemoryKeyStore(): KeyStore {
  const values = new Map<string, string>();
  return {
    kind: 'memory',
    read: async (account) => values.get(account),
    async write(account, value) {
      values.set(account, value);
    },
    async remove(account) {
      values.delete(account);
    },
    check: async () => 'ready',
  };
}

/** How long an unlock prompt may wait for the user. */
const PATIENCE_MS = 60_000;

/**
 * The key store of the operating system. On Linux the Secret Service is selected explicitly, because the default
 * silently falls back to kernel keys that are lost at reboot. The native module is loaded at first use.
 */
export function createSystemKeyStore({ ambient, service }: { ambient: Ambient; service: () => string }): KeyStore {
  const entry = async (account: string): Promise<Entry> => {
    const { AsyncEntry } = await import('@napi-rs/keyring').catch((cause: unknown) => {
      throw unavailable('no-service', cause);
    });
    const name = service();
    try {
      return new AsyncEntry(name, account, { linux: { store: 'secret-service' } });
    } catch (cause) {
      // The constructor fails only without any service; a locked store fails in the calls.
      throw unavailable('no-service', cause);
    }
  };
  const call = async <Result>(
    account: string,
    act: (entry: Entry, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const opened = await entry(account);
    const controller = new AbortController();
    const cancel = ambient.timer(PATIENCE_MS, () => controller.abort());
    try {
      return await act(opened, controller.signal);
    } catch (cause) {
      throw unavailable('locked', cause);
    } finally {
      cancel();
    }
  };

  const store: KeyStore = {
    kind: 'system',
    read: async (account) => (await call(account, (opened, signal) => opened.getPassword(signal))) ?? undefined,
    write: (account, value) => call(account, (opened, signal) => opened.setPassword(value, signal)),
    async remove(account) {
      await call(account, (opened, signal) => opened.deleteCredential(signal));
    },
    check: () => checkStore(store, ambient),
  };
  return store;
}

interface Entry {
  getPassword(signal: AbortSignal): Promise<string | null>;
  setPassword(value: string, signal: AbortSignal): Promise<void>;
  deleteCredential(signal: AbortSignal): Promise<boolean>;
}

async function checkStore(store: KeyStore, ambient: Ambient): Promise<KeyStoreState> {
  const account = `check/${ambient.newId()}`;
  const value = ambient.randomBytes(16).toString('hex');
  try {
    await store.write(account, value);
    const found = await store.read(account);
    await store.remove(account);
    return found === value ? 'ready' : 'locked';
  } catch (error) {
    if (error instanceof Error && (error as { reason?: unknown }).reason === 'no-service') return 'no-service';
    return 'locked';
  }
}

/** The library's messages may quote stored values: they are left out of the error. */
function unavailable(reason: 'no-service' | 'locked', cause: unknown): Error {
  const name = cause instanceof Error ? cause.name : typeof cause;
  return providersError('PROVIDER_STORE_UNAVAILABLE', { reason, details: { failure: name } });
}
