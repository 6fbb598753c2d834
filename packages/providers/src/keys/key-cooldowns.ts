import type { Ambient, ModelFailureClass } from '@fucina/shared';

/** Keys that are paused after a failure; in memory only, because all may be tried after a restart. */
export interface KeyCooldowns {
  /**
   * Ignores causes that do not concern the key. `resetMs`, the wait that the provider asked for, overrides the table.
   */
  start(fingerprint: string, cause: ModelFailureClass, resetMs: number | null): void;
  of(fingerprint: string): KeyCooldown | undefined;
  clear(fingerprint: string): void;
}

interface KeyCooldown {
  cause: ModelFailureClass;
  /** Wall time, for display. */
  until: number;
  /** On the monotonic clock. */
  endsAt: number;
}

const HOUR = 3_600_000;
const COOLDOWN_MS: Partial<Record<ModelFailureClass, number>> = {
  'rate-limit': HOUR,
  credential: 300_000,
  credit: HOUR,
  network: 60_000,
  timeout: 60_000,
  server: 60_000,
  'stream-interrupted': 60_000,
};

export function createKeyCooldowns(ambient: Ambient): KeyCooldowns {
  const cooldowns = new Map<string, KeyCooldown>();
  return {
    start(fingerprint, cause, resetMs) {
      const ms = COOLDOWN_MS[cause] === undefined ? undefined : (resetMs ?? COOLDOWN_MS[cause]);
      if (ms === undefined) return;
      cooldowns.set(fingerprint, { cause, until: ambient.now() + ms, endsAt: ambient.monotonic() + ms });
    },
    of(fingerprint) {
      const cooldown = cooldowns.get(fingerprint);
      if (cooldown && cooldown.endsAt <= ambient.monotonic()) {
        cooldowns.delete(fingerprint);
        return undefined;
      }
      return cooldown;
    },
    clear(fingerprint) {
      cooldowns.delete(fingerprint);
    },
  };
}
