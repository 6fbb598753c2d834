import type { Ambient, Environment } from '@fucina/shared';
import { extensionsError } from '../errors.ts';
import { hasProjectFolder } from '../project-file.ts';
import { fingerprintOf } from '../trust/fingerprint.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { type DeclaredHook, type HookEvent, readHooks } from './hooks-file.ts';
import { type HookEventData, hookArgv, runHook } from './run-hook.ts';

export interface HookRow {
  id: string;
  command: string;
  events: readonly HookEvent[];
  isTrusted: boolean;
}

/** The hooks, or why they cannot be listed. */
export type RowsOrProblem<Row> = { rows: readonly Row[] } | { problem: string };

export interface HookRefusal {
  hookId: string;
  reason: string;
}

/** Commands of a project that are called on session events; an untrusted one never runs. */
export interface Hooks {
  list(folder: string): Promise<RowsOrProblem<HookRow>>;
  /**
   * Trusts the current version on disk. HOOK_INVALID for an unreadable file or a command that may not run; NOT_FOUND.
   */
  trust(folder: string, id: string): Promise<void>;
  /** Calls the trusted ones in order; the first objection is returned and the rest is skipped. */
  tell(news: HookEventData, signal?: AbortSignal): Promise<HookRefusal | undefined>;
}

export interface HooksNeeds {
  ambient: Ambient;
  environment: Environment;
  trust: TrustStore;
  /** Trusted hooks of plugins. */
  pluginHooks(folder: string): Promise<readonly TrustedHook[]>;
  isEnabled(id: string): boolean;
}

/** A hook that was just checked against its trusted version. */
export interface TrustedHook {
  id: string;
  events: readonly HookEvent[];
  argv: readonly [string, ...string[]];
  folder: string;
}

export function createHooks({ ambient, environment, trust, pluginHooks, isEnabled }: HooksNeeds): Hooks {
  const subject = (folder: string, id: string) => ({ kind: 'hooks' as const, folder, id });
  const examine = async (folder: string, hook: DeclaredHook) => {
    const made = await hookArgv(hook.comando, environment);
    if ('problem' in made) return made;
    return { ...made, hash: await fingerprintOf({ folder, definition: hook, argv: made.argv }) };
  };
  const trusted = async (folder: string, hook: DeclaredHook): Promise<TrustedHook | undefined> => {
    const known = await trust.trustedHash(subject(folder, hook.id));
    if (known === undefined) return undefined;
    const found = await examine(folder, hook);
    if ('problem' in found || found.hash !== known) return undefined;
    return { id: hook.id, events: hook.eventi, argv: found.argv, folder };
  };

  return {
    async list(folder) {
      const found = await readHooks(folder);
      if ('problem' in found) return found;
      const rows = found.value.map(async (hook): Promise<HookRow> => {
        return {
          id: hook.id,
          command: hook.comando,
          events: hook.eventi,
          isTrusted: (await trusted(folder, hook)) !== undefined,
        };
      });
      return { rows: await Promise.all(rows) };
    },

    async trust(folder, id) {
      const found = await readHooks(folder);
      if ('problem' in found) throw extensionsError('HOOK_INVALID', { details: { problem: found.problem } });
      const hook = found.value.find((each) => each.id === id);
      if (!hook) throw extensionsError('NOT_FOUND', { reason: 'hook' });
      const examined = await examine(folder, hook);
      if ('problem' in examined) throw extensionsError('HOOK_INVALID', { reason: 'program', details: examined });
      await trust.trust(subject(folder, id), examined.hash);
    },

    async tell(news, signal) {
      if (!(await hasProjectFolder(news.cartella))) return undefined;
      const found = await readHooks(news.cartella);
      if ('problem' in found) ambient.log.warn('hooks.not-read', { problem: found.problem });
      const declared = 'problem' in found ? [] : found.value;
      const own = await Promise.all(
        declared
          .filter(({ id, eventi }) => isEnabled(id) && eventi.includes(news.evento))
          .map((hook) => trusted(news.cartella, hook)),
      );
      const fromPlugins = (await pluginHooks(news.cartella)).filter(({ events }) => events.includes(news.evento));
      for (const hook of [...own, ...fromPlugins]) {
        if (!hook || signal?.aborted) continue;
        const { isAllowed, reason } = await runHook({ ambient, environment, ...hook, news, signal });
        if (!isAllowed) return { hookId: hook.id, reason };
      }
      return undefined;
    },
  };
}
