import type { Ambient } from '@fucina/shared';
import { extensionsError } from '../errors.ts';
import type { Switches } from '../own/switches.ts';
import { hasProjectFolder } from '../project-file.ts';
import { type ExamineHookNeeds, examineHook, fileHook, hookSubject, type KnownHook } from './examine-hook.ts';
import { type HookDefinition, type HookEvent, readHooks } from './hooks-file.ts';
import type { OwnHook, OwnHooks } from './own-hooks.ts';
import { type HookEventData, matchesTool, runHook } from './run-hook.ts';

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

/** Commands that are called on session events: of a project once they are trusted, and of the user. */
export interface Hooks {
  /** Those of the project. */
  list(folder: string): Promise<RowsOrProblem<HookRow>>;
  /**
   * Trusts the current version on disk. HOOK_INVALID for an unreadable file or a command that may not run; NOT_FOUND.
   */
  trust(folder: string, id: string): Promise<void>;
  /** Calls those of the user, of the project and of plugins; the first objection is returned and the rest is skipped. */
  tell(news: HookEventData, signal?: AbortSignal): Promise<HookRefusal | undefined>;
}

export interface HooksNeeds extends ExamineHookNeeds {
  ambient: Ambient;
  own: OwnHooks;
  switches: Switches;
  /** Trusted hooks of plugins. */
  pluginHooks(folder: string): Promise<readonly TrustedHook[]>;
  isEnabled(id: string): boolean;
}

/** A hook that was just checked against its trusted version. */
export interface TrustedHook {
  id: string;
  definition: HookDefinition;
  argv: readonly [string, ...string[]];
  /** Where it starts. */
  folder: string;
}

/** One of the user that cannot run as it is: it refuses what it would have checked. */
interface RefusingHook {
  id: string;
  /** Absent: not known, so any event may be meant. */
  definition: HookDefinition | undefined;
  problem: string;
}

const CHANGED = 'what it runs has changed, and the user has not reviewed it';

export function createHooks(needs: HooksNeeds): Hooks {
  const { ambient, environment, trust, own, switches, pluginHooks, isEnabled } = needs;

  /** An untrusted one of the project is skipped. One of the user is a guard: what changed it must not disable it. */
  const ready = async (hook: KnownHook | OwnHook, folder: string): Promise<TrustedHook | RefusingHook | undefined> => {
    const { id, scope } = hook;
    if (!isEnabled(id) || !(await switches.isOn(hook))) return undefined;
    if ('problem' in hook) return { id, definition: undefined, problem: hook.problem };
    const { definition } = hook;
    const examined = await examineHook(needs, hook, folder);
    if (!('problem' in examined) && examined.isTrusted) {
      return { id, definition, argv: examined.argv, folder: examined.startFolder };
    }
    if (scope === 'file') return undefined;
    return { id, definition, problem: 'problem' in examined ? examined.problem : CHANGED };
  };
  const declaredIn = async (folder: string): Promise<KnownHook[]> => {
    const found = await readHooks(folder);
    if ('problem' in found) ambient.log.warn('hooks.not-read', { problem: found.problem });
    return 'problem' in found ? [] : found.value.map((hook) => fileHook(folder, hook));
  };
  const calledBy = async (news: HookEventData): Promise<(TrustedHook | RefusingHook)[]> => {
    const { cartella: folder } = news;
    const hasProject = hasProjectFolder(folder);
    const known = [...(await own.list(folder)), ...(hasProject ? await declaredIn(folder) : [])];
    const meant = known.filter((hook) => 'problem' in hook || isMeant(hook.definition, news));
    const fromPlugins = (await pluginHooks(folder)).filter(({ definition }) => isMeant(definition, news));
    const found = await Promise.all(meant.map((hook) => ready(hook, folder)));
    return [...found.filter((hook) => hook !== undefined), ...fromPlugins];
  };

  return {
    async list(folder) {
      const found = await readHooks(folder);
      if ('problem' in found) return found;
      const rows = found.value.map(async (declared): Promise<HookRow> => {
        const examined = await examineHook(needs, fileHook(folder, declared), folder);
        const isTrusted = !('problem' in examined) && examined.isTrusted;
        return { id: declared.id, command: declared.comando, events: declared.eventi, isTrusted };
      });
      return { rows: await Promise.all(rows) };
    },

    async trust(folder, id) {
      const found = await readHooks(folder);
      if ('problem' in found) throw extensionsError('HOOK_INVALID', { details: { problem: found.problem } });
      const declared = found.value.find((each) => each.id === id);
      if (!declared) throw extensionsError('NOT_FOUND', { reason: 'hook' });
      const hook = fileHook(folder, declared);
      const examined = await examineHook(needs, hook, folder);
      if ('problem' in examined) throw extensionsError('HOOK_INVALID', { reason: 'program', details: examined });
      if (examined.fingerprint !== undefined) await trust.trust(hookSubject(hook, folder), examined.fingerprint);
    },

    async tell(news, signal) {
      for (const hook of await calledBy(news)) {
        if (signal?.aborted) continue;
        if ('problem' in hook) return { hookId: hook.id, reason: `it cannot run: ${hook.problem}` };
        const timeoutMs = hook.definition.timeoutSeconds && hook.definition.timeoutSeconds * 1_000;
        const { isAllowed, reason } = await runHook({ ambient, environment, ...hook, timeoutMs, news, signal });
        if (!isAllowed) return { hookId: hook.id, reason };
      }
      return undefined;
    },
  };
}

function isMeant({ events, matcher }: HookDefinition, { evento, strumento }: HookEventData): boolean {
  return events.includes(evento) && matchesTool(matcher, strumento);
}
