import { extensionsError } from '../errors.ts';
import type { OwnReference, Reference } from '../own/reference.ts';
import { declaredId } from '../project-file.ts';
import { examineHook, fileHook, hookSubject, type KnownHook } from './examine-hook.ts';
import type { HooksNeeds } from './hooks.ts';
import { type HookDefinition, hookDefinition, readHooks } from './hooks-file.ts';
import type { OwnHook } from './own-hooks.ts';

export interface ConfiguredHook extends Reference {
  /** Null when its file cannot be read. */
  definition: HookDefinition | null;
  isOn: boolean;
  /** `failed`: it refuses every call that it would check, or, of a project, never runs. */
  state: 'active' | 'off' | 'untrusted' | 'failed';
  problem: string | null;
}

/** The hooks of the user and of projects, as they are shown and changed. */
export interface ConfiguredHooks {
  /** Of a project, with those of every project; `problem`: why the project's file cannot be read. */
  list(folder: string | undefined): Promise<{ rows: ConfiguredHook[]; problem: string | null }>;
  /** NOT_FOUND. */
  row(reference: Reference, folder: string | undefined): Promise<ConfiguredHook>;
  /** Adding it is the trust in it as it is now. HOOK_INVALID. */
  add(hook: HookChange, folder: string | undefined): Promise<void>;
  /** HOOK_INVALID, NOT_FOUND. */
  change(hook: HookChange, folder: string | undefined): Promise<void>;
  /** NOT_FOUND; HOOK_INVALID for one that a file declares. */
  remove(reference: Reference): Promise<void>;
  /** NOT_FOUND. */
  turn(reference: Reference, isOn: boolean): Promise<void>;
  /** Trusts its current version in a project. NOT_FOUND, HOOK_INVALID. */
  trust(reference: Reference, folder: string): Promise<void>;
}

export type HookChange = OwnReference & { definition: HookDefinition };

export function createConfiguredHooks(needs: HooksNeeds): ConfiguredHooks {
  const { own, switches, trust, isEnabled } = needs;

  const declaredIn = async (folder: string | undefined): Promise<{ hooks: KnownHook[]; problem: string | null }> => {
    if (folder === undefined) return { hooks: [], problem: null };
    const found = await readHooks(folder);
    if ('problem' in found) return { hooks: [], problem: found.problem };
    return { hooks: found.value.map((hook) => fileHook(folder, hook)), problem: null };
  };
  const find = async (reference: Reference): Promise<KnownHook | OwnHook> => {
    const { scope, folder, id } = reference;
    const found =
      scope === 'file'
        ? (await declaredIn(folder ?? undefined)).hooks.find((hook) => hook.id === id)
        : await own.find({ scope, folder, id });
    if (!found) throw extensionsError('NOT_FOUND', { reason: 'hook' });
    return found;
  };
  const rowOf = async (hook: KnownHook | OwnHook, folder: string | undefined): Promise<ConfiguredHook> => {
    const { scope, folder: ofFolder, id } = hook;
    const isOn = await switches.isOn(hook);
    const definition = 'problem' in hook ? null : hook.definition;
    const row = { scope, folder: ofFolder, id, definition, isOn };
    const examined = 'problem' in hook ? hook : await examineHook(needs, hook, folder);
    const problem = 'problem' in examined ? examined.problem : null;
    if (!isOn || !isEnabled(id)) return { ...row, state: 'off', problem };
    if (problem !== null) return { ...row, state: 'failed', problem };
    const isTrusted = !('problem' in examined) && examined.isTrusted;
    return { ...row, state: isTrusted ? 'active' : 'untrusted', problem: null };
  };
  const trustIn = async (hook: KnownHook, folder: string): Promise<void> => {
    const examined = await examineHook(needs, hook, folder);
    if ('problem' in examined) throw extensionsError('HOOK_INVALID', { reason: 'program', details: examined });
    if (examined.fingerprint !== undefined) await trust.trust(hookSubject(hook, folder), examined.fingerprint);
  };
  const save = async (change: HookChange, folder: string | undefined): Promise<void> => {
    const parsed = hookDefinition.safeParse(change.definition);
    if (!declaredId.safeParse(change.id).success || !parsed.data) {
      const field = parsed.error?.issues[0]?.path.join('.') ?? 'id';
      throw extensionsError('HOOK_INVALID', { reason: 'definition', params: { id: change.id, field } });
    }
    const hook = { ...change, definition: parsed.data };
    const examined = await examineHook(needs, hook, folder);
    if ('problem' in examined) {
      throw extensionsError('HOOK_INVALID', { reason: 'program', params: { problem: examined.problem } });
    }
    await own.save(change, parsed.data);
    const place = folder ?? change.folder;
    if (place !== null) await trustIn(hook, place);
  };

  return {
    async list(folder) {
      const [mine, { hooks, problem }] = await Promise.all([own.list(folder), declaredIn(folder)]);
      return { rows: await Promise.all([...mine, ...hooks].map((hook) => rowOf(hook, folder))), problem };
    },
    row: async (reference, folder) => rowOf(await find(reference), folder),
    async add(change, folder) {
      if (await own.find(change))
        throw extensionsError('HOOK_INVALID', { reason: 'exists', params: { id: change.id } });
      await save(change, folder);
    },
    async change(change, folder) {
      await find(change);
      await save(change, folder);
    },
    async remove(reference) {
      const { scope, folder, id } = reference;
      if (scope === 'file') throw extensionsError('HOOK_INVALID', { reason: 'declared-by-file' });
      if (!(await own.remove({ scope, folder, id }))) throw extensionsError('NOT_FOUND', { reason: 'hook' });
      await switches.turn(reference, true);
    },
    async turn(reference, isOn) {
      await switches.turn(await find(reference), isOn);
    },
    async trust(reference, folder) {
      const hook = await find(reference);
      if ('problem' in hook)
        throw extensionsError('HOOK_INVALID', { reason: 'definition', details: { problem: hook.problem } });
      await trustIn(hook, folder);
    },
  };
}
