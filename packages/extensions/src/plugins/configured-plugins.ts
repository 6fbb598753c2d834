import { extensionsError } from '../errors.ts';
import type { OwnReference, Reference } from '../own/reference.ts';
import { packageHash } from './package-hash.ts';
import {
  distrustOf,
  type Package,
  type PluginRow,
  packageSubject,
  pluginRow,
  projectPackages,
  readPackages,
  referenceOf,
} from './plugin-package.ts';
import type { PluginsNeeds } from './plugins.ts';

export interface ConfiguredPlugin extends PluginRow, Reference {
  isOn: boolean;
  /** A plugin of the user with this id is used in its place. */
  isReplaced: boolean;
}

export interface ConfiguredPluginList {
  rows: ConfiguredPlugin[];
  broken: { id: string; problem: string }[];
  /** Why the project's folder of plugins cannot be read. */
  problem: string | null;
}

/** The plugins of the user and of projects, as they are shown and changed. */
export interface ConfiguredPlugins {
  list(folder: string | undefined): Promise<ConfiguredPluginList>;
  /** What a folder (absolute) would bring, and its hash. PLUGIN_INVALID. */
  preview(path: string): Promise<PluginRow & { hash: string }>;
  /**
   * Copies a folder as it was shown, and trusts the copy. PLUGIN_INVALID when it changed since, or when there is one.
   */
  add(place: Omit<OwnReference, 'id'>, shown: { path: string; hash: string }): Promise<ConfiguredPlugin>;
  /** NOT_FOUND; PLUGIN_INVALID for one of the project. */
  remove(reference: Reference): Promise<void>;
  /** NOT_FOUND. */
  turn(reference: Reference, isOn: boolean): Promise<ConfiguredPlugin>;
  /** Trusts it as it is now. NOT_FOUND, PLUGIN_INVALID. */
  trust(reference: Reference): Promise<ConfiguredPlugin>;
}

export function createConfiguredPlugins({ trust, own, switches }: PluginsNeeds): ConfiguredPlugins {
  const rowOf = async (plugin: Package, isReplaced: boolean): Promise<ConfiguredPlugin> => {
    const reference = referenceOf(plugin);
    const row = await pluginRow(plugin, await distrustOf(trust, plugin));
    return { ...row, ...reference, isOn: await switches.isOn(reference), isReplaced };
  };
  const list = async (folder: string | undefined): Promise<ConfiguredPluginList> => {
    const places = [...own.places(folder), ...(folder === undefined ? [] : [projectPackages(folder)])];
    const result: ConfiguredPluginList = { rows: [], broken: [], problem: null };
    for (const place of places) {
      const found = await readPackages(place);
      if ('problem' in found) result.problem = found.problem;
      else {
        result.broken.push(...found.broken);
        for (const plugin of found.packages) {
          const isReplaced = result.rows.some(({ id, isOn }) => id === plugin.id && isOn);
          result.rows.push(await rowOf(plugin, isReplaced));
        }
      }
    }
    return result;
  };
  const find = async ({ scope, folder, id }: Reference): Promise<Package> => {
    const places = [...own.places(folder ?? undefined), ...(folder === null ? [] : [projectPackages(folder)])];
    const place = places.find((each) => each.scope === scope);
    const found = place && (await readPackages(place));
    if (!found || 'problem' in found) throw extensionsError('NOT_FOUND', { reason: 'plugin' });
    if (found.broken.some((each) => each.id === id)) throw extensionsError('PLUGIN_INVALID', { reason: 'manifest' });
    const plugin = found.packages.find((each) => each.id === id);
    if (!plugin) throw extensionsError('NOT_FOUND', { reason: 'plugin' });
    return plugin;
  };
  const row = async (reference: Reference): Promise<ConfiguredPlugin> => {
    const { scope, id } = reference;
    const found = (await list(reference.folder ?? undefined)).rows.find((one) => one.scope === scope && one.id === id);
    if (!found) throw extensionsError('NOT_FOUND', { reason: 'plugin' });
    return found;
  };

  return {
    list,
    async preview(path) {
      const { plugin, hash } = await own.source(path);
      return { ...(await pluginRow(plugin, 'never')), hash };
    },
    async add(place, { path, hash }) {
      const source = await own.source(path);
      if (source.hash !== hash) throw extensionsError('PLUGIN_INVALID', { reason: 'changed' });
      const added = await own.add({ ...place, id: source.plugin.id }, source);
      await trust.trust(packageSubject(added), hash);
      return row(referenceOf(added));
    },
    async remove(reference) {
      if (reference.scope === 'file') throw extensionsError('PLUGIN_INVALID', { reason: 'declared-by-project' });
      await own.remove(await find(reference));
      await switches.turn(reference, true);
    },
    async turn(reference, isOn) {
      await find(reference);
      await switches.turn(reference, isOn);
      return row(reference);
    },
    async trust(reference) {
      const plugin = await find(reference);
      const hash = await packageHash(plugin.folder);
      if (hash === undefined) throw extensionsError('PLUGIN_INVALID', { reason: 'too-large' });
      await trust.trust(packageSubject(plugin), hash);
      return row(reference);
    },
  };
}
