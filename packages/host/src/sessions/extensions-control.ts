import type {
  ConfiguredHook,
  ConfiguredPlugin,
  ConfiguredPluginList,
  ConfiguredSkill,
  Extensions,
  HookDefinition,
  OwnReference,
  OwnScope,
  PluginRow,
  Reference,
  Scope,
  SkillDetails,
  SkillText,
} from '@fucina/extensions';
import { commonError } from '@fucina/shared';
import { folderOfPlace, type Place, type PlaceNeeds } from './place-folder.ts';

export type {
  ConfiguredHook,
  ConfiguredPlugin,
  ConfiguredPluginList,
  ConfiguredSkill,
  HookDefinition,
  SkillDetails,
  SkillText,
};

/** An extension by its id, where it is configured, and the project it is seen from. */
export interface ExtensionTarget extends Place {
  id: string;
  scope: Scope;
}

export type OwnTarget = ExtensionTarget & { scope: OwnScope };

/**
 * Hooks, plugins and skills as the user sees and changes them. Throws NOT_FOUND for an unknown session or extension,
 * WORKSPACE_NOT_AVAILABLE for an unusable folder, QUERY_INVALID for a scope that needs a project without one.
 */
export interface ExtensionsControl {
  hooks(place: Place): Promise<{ rows: ConfiguredHook[]; problem: string | null }>;
  /** HOOK_INVALID. */
  addHook(target: OwnTarget, definition: HookDefinition): Promise<ConfiguredHook>;
  /** HOOK_INVALID. */
  changeHook(target: OwnTarget, definition: HookDefinition): Promise<ConfiguredHook>;
  /** HOOK_INVALID for one that a file declares. */
  removeHook(target: ExtensionTarget): Promise<void>;
  turnHook(target: ExtensionTarget, isOn: boolean): Promise<ConfiguredHook>;
  /** HOOK_INVALID when it cannot run as it is. */
  trustHook(target: ExtensionTarget): Promise<ConfiguredHook>;
  plugins(place: Place): Promise<ConfiguredPluginList>;
  /** PLUGIN_INVALID. */
  previewPlugin(path: string): Promise<PluginRow & { hash: string }>;
  /** Adds the plugin of a folder as it was shown. PLUGIN_INVALID. */
  addPlugin(place: Place & { scope: OwnScope }, shown: { path: string; hash: string }): Promise<ConfiguredPlugin>;
  /** PLUGIN_INVALID for one of the project. */
  removePlugin(target: ExtensionTarget): Promise<void>;
  /** PLUGIN_INVALID for one that cannot be read. */
  turnPlugin(target: ExtensionTarget, isOn: boolean): Promise<ConfiguredPlugin>;
  /** PLUGIN_INVALID. */
  trustPlugin(target: ExtensionTarget): Promise<ConfiguredPlugin>;
  skills(place: Place): Promise<readonly ConfiguredSkill[]>;
  skill(target: OwnTarget): Promise<SkillDetails>;
  /** FILE_EXISTS, FILE_TOO_LARGE. */
  addSkill(target: OwnTarget, text: SkillText): Promise<ConfiguredSkill>;
  /** FILE_TOO_LARGE. */
  changeSkill(target: OwnTarget, text: SkillText): Promise<ConfiguredSkill>;
  removeSkill(target: OwnTarget): Promise<void>;
  turnSkill(target: OwnTarget, isOn: boolean): Promise<ConfiguredSkill>;
}

interface ExtensionsControlNeeds extends PlaceNeeds {
  extensions(): Promise<Extensions>;
}

export function createExtensionsControl(needs: ExtensionsControlNeeds): ExtensionsControl {
  const located = async <Target extends ExtensionTarget>({ id, scope, ...place }: Target) => {
    const folder = await folderOfPlace(needs, place);
    if (scope === 'everywhere') return { reference: { id, scope, folder: null }, folder };
    if (folder === undefined) throw commonError('QUERY_INVALID', { reason: 'extension-place' });
    return { reference: { id, scope, folder }, folder };
  };
  const hook = async (
    target: ExtensionTarget,
    act: (hooks: Extensions['configuredHooks'], reference: Reference, folder: string | undefined) => Promise<void>,
  ): Promise<ConfiguredHook> => {
    const [{ configuredHooks }, { reference, folder }] = await Promise.all([needs.extensions(), located(target)]);
    await act(configuredHooks, reference, folder);
    return configuredHooks.row(reference, folder);
  };
  const skill = async <Result>(
    target: OwnTarget,
    act: (skills: Extensions['configuredSkills'], reference: OwnReference) => Promise<Result>,
  ): Promise<Result> => {
    const [{ configuredSkills }, { reference }] = await Promise.all([needs.extensions(), located(target)]);
    return act(configuredSkills, { ...reference, scope: target.scope });
  };
  return {
    async hooks(place) {
      const folder = await folderOfPlace(needs, place);
      return (await needs.extensions()).configuredHooks.list(folder);
    },
    addHook: (target, definition) =>
      hook(target, (hooks, reference, folder) => hooks.add({ ...reference, scope: target.scope, definition }, folder)),
    changeHook: (target, definition) =>
      hook(target, (hooks, reference, folder) =>
        hooks.change({ ...reference, scope: target.scope, definition }, folder),
      ),
    async removeHook(target) {
      const { reference } = await located(target);
      await (await needs.extensions()).configuredHooks.remove(reference);
    },
    turnHook: (target, isOn) => hook(target, (hooks, reference) => hooks.turn(reference, isOn)),
    trustHook: (target) =>
      hook(target, (hooks, reference, folder) => {
        if (folder === undefined) throw commonError('QUERY_INVALID', { reason: 'extension-place' });
        return hooks.trust(reference, folder);
      }),
    async plugins(place) {
      const folder = await folderOfPlace(needs, place);
      return (await needs.extensions()).configuredPlugins.list(folder);
    },
    previewPlugin: async (path) => (await needs.extensions()).configuredPlugins.preview(path),
    async addPlugin({ scope, ...place }, shown) {
      const { reference } = await located({ id: '', scope, ...place });
      const { folder } = reference;
      return (await needs.extensions()).configuredPlugins.add({ scope, folder }, shown);
    },
    async removePlugin(target) {
      const { reference } = await located(target);
      await (await needs.extensions()).configuredPlugins.remove(reference);
    },
    async turnPlugin(target, isOn) {
      const { reference } = await located(target);
      return (await needs.extensions()).configuredPlugins.turn(reference, isOn);
    },
    async trustPlugin(target) {
      const { reference } = await located(target);
      return (await needs.extensions()).configuredPlugins.trust(reference);
    },
    async skills(place) {
      const folder = await folderOfPlace(needs, place);
      return (await needs.extensions()).configuredSkills.list(folder);
    },
    skill: (target) => skill(target, (skills, reference) => skills.read(reference)),
    addSkill: (target, text) =>
      skill(target, async (skills, reference) => {
        await skills.add(reference, text);
        return skills.row(reference);
      }),
    changeSkill: (target, text) =>
      skill(target, async (skills, reference) => {
        await skills.change(reference, text);
        return skills.row(reference);
      }),
    removeSkill: (target) => skill(target, (skills, reference) => skills.remove(reference)),
    turnSkill: (target, isOn) =>
      skill(target, async (skills, reference) => {
        await skills.turn(reference, isOn);
        return skills.row(reference);
      }),
  };
}
