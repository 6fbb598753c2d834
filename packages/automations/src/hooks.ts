import { createHash, timingSafeEqual } from 'node:crypto';
import type { Ambient } from '@fucina/shared';
import type { Engine } from './engine.ts';
import { automationsError } from './errors.ts';
import type { AnyAutomation } from './records.ts';
import type { Store } from './store.ts';

/** The webhook of an automation. Times in ms. */
export interface HookView {
  isOn: boolean;
  createdAt: number | null;
  lastCallAt: number | null;
}

/** Other programs start automations with a secret of each. Its hash is stored, never the secret. */
export interface Hooks {
  view(id: string): HookView;
  /** A new secret, which replaces the one before. It cannot be read again. AUTOMATION_LEGACY. */
  create(id: string): Promise<{ secret: string; hook: HookView }>;
  remove(id: string): Promise<HookView>;
  /** In constant time; false also for an unknown automation. */
  accepts(id: string, secret: string | undefined): boolean;
  /**
   * Starts a run; what the program sent goes to the model as data. AUTOMATION_INVALID (`hook-off`) while it is off,
   * AUTOMATION_SCHEDULE_TOO_FREQUENT (`hook-calls`) after 6 calls in a minute, and what `runNow` throws.
   */
  call(id: string, payload: string): Promise<{ runId: string; sessionId: string }>;
}

export interface HooksNeeds {
  ambient: Ambient;
  store: Store;
  engine: Engine;
  /** NOT_FOUND. */
  found(id: string): AnyAutomation;
}

const SECRET_BYTES = 32;
const WINDOW_MS = 60_000;
const MOST_CALLS = 6;
const NOBODY = sha256('');

export function createHooks({ ambient, store, engine, found }: HooksNeeds): Hooks {
  /** Times of the last calls, by automation. */
  const calls = new Map<string, number[]>();

  function view(id: string): HookView {
    found(id);
    const hook = store.hook(id);
    return { isOn: hook !== undefined, createdAt: hook?.createdAt ?? null, lastCallAt: hook?.lastCallAt ?? null };
  }

  function countCall(id: string): void {
    const now = ambient.monotonic();
    const recent = (calls.get(id) ?? []).filter((at) => now - at < WINDOW_MS);
    calls.set(id, recent);
    if (recent.length >= MOST_CALLS)
      throw automationsError('AUTOMATION_SCHEDULE_TOO_FREQUENT', { reason: 'hook-calls' });
    recent.push(now);
  }

  return {
    view,
    async create(id) {
      if (found(id).version === 1) throw automationsError('AUTOMATION_LEGACY');
      const secret = ambient.randomBytes(SECRET_BYTES).toString('base64url');
      await store.write(() => {
        found(id);
        store.saveHook(id, { hash: sha256(secret).toString('hex'), createdAt: ambient.now(), lastCallAt: null });
      });
      return { secret, hook: view(id) };
    },
    async remove(id) {
      await store.write(() => store.removeHook(id));
      return view(id);
    },
    accepts(id, secret) {
      const stored = store.hook(id)?.hash;
      const isSame = timingSafeEqual(sha256(secret ?? ''), stored === undefined ? NOBODY : Buffer.from(stored, 'hex'));
      return isSame && stored !== undefined && secret !== undefined;
    },
    async call(id, payload) {
      if (!found(id).isOn) throw automationsError('AUTOMATION_INVALID', { reason: 'hook-off' });
      countCall(id);
      await store.write(() => {
        const hook = store.hook(id);
        if (hook) store.saveHook(id, { ...hook, lastCallAt: ambient.now() });
      });
      return engine.runNow(id, { kind: 'hook', text: payload });
    },
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
