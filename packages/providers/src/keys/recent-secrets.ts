import { type Ambient, Secret } from '@fucina/shared';

/** A secret stays in memory this long after its last use. */
const KEEP_MS = 60_000;

export interface RecentSecrets {
  read(id: string, load: () => Promise<string | undefined>): Promise<Secret | undefined>;
  drop(id: string): void;
}

/** Reading the key store takes milliseconds on every model call; a secret stays cached only while it is in use. */
export function createRecentSecrets(ambient: Ambient): RecentSecrets {
  const kept = new Map<string, { secret: Secret; cancel: () => void }>();
  const drop = (id: string): void => {
    kept.get(id)?.cancel();
    kept.delete(id);
  };
  return {
    drop,
    async read(id, load) {
      const known = kept.get(id)?.secret;
      const value = known ? undefined : await load();
      if (value !== undefined) ambient.log.redact(value);
      const secret = known ?? (value === undefined ? undefined : new Secret(value));
      if (!secret) return undefined;
      drop(id);
      kept.set(id, { secret, cancel: ambient.timer(KEEP_MS, () => kept.delete(id)) });
      return secret;
    },
  };
}
