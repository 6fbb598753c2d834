import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PathError, realFolder, syncFolder } from '@fucina/shared';
import { extensionsError } from '../errors.ts';
import { type OwnReference, placeName } from '../own/reference.ts';
import { mayExist } from '../project-file.ts';
import { packageHash } from './package-hash.ts';
import { type Package, type PackagePlace, readPackage } from './plugin-package.ts';

/** A folder that contains a plugin, as it is now. */
export interface PackageSource {
  plugin: Package;
  /** Of everything in it. */
  hash: string;
}

/** Plugins of the user: copies in the data folder, for every project or for one. */
export interface OwnPackages {
  /** Those of this project, then those of every project; without a project only the latter. None before the first plugin. */
  places(folder: string | undefined): PackagePlace[];
  /** The folder (absolute) of a plugin. PLUGIN_INVALID. */
  source(path: string): Promise<PackageSource>;
  /** Copies it whole or not at all. PLUGIN_INVALID when there is one, or when it changed meanwhile. */
  add(reference: OwnReference, source: PackageSource): Promise<Package>;
  remove(plugin: Package): Promise<void>;
}

export function createOwnPackages(dataDir: string): OwnPackages {
  const above = join(dataDir, 'extensions');
  const root = join(above, 'plugins');
  const placeOf = (folder: string | null): PackagePlace => ({
    scope: folder === null ? 'everywhere' : 'project',
    folder,
    root: join(root, placeName(folder)),
    path: '.',
  });
  return {
    places(folder) {
      if (!mayExist(above, 'plugins')) return [];
      return [...(folder === undefined ? [] : [placeOf(folder)]), placeOf(null)];
    },
    async source(path) {
      const folder = await realFolder(path).catch((error: unknown) => {
        if (error instanceof PathError) throw extensionsError('PLUGIN_INVALID', { reason: 'folder', cause: error });
        throw error;
      });
      const place = { ...placeOf(null), root: dirname(folder) };
      const plugin = await readPackage(place, basename(folder));
      if ('problem' in plugin) {
        throw extensionsError('PLUGIN_INVALID', { reason: 'manifest', params: { problem: plugin.problem } });
      }
      const hash = await packageHash(folder);
      if (hash === undefined) throw extensionsError('PLUGIN_INVALID', { reason: 'too-large' });
      return { plugin, hash };
    },
    async add({ folder, id }, { plugin, hash }) {
      const place = placeOf(folder);
      const target = join(place.root, id);
      const draft = join(place.root, `.new-${id}`);
      if (!('problem' in (await readPackage(place, id)))) throw extensionsError('PLUGIN_INVALID', { reason: 'exists' });
      await mkdir(place.root, { recursive: true, mode: 0o700 });
      await rm(draft, { recursive: true, force: true });
      try {
        await cp(plugin.folder, draft, { recursive: true, verbatimSymlinks: true });
        if ((await packageHash(draft)) !== hash) throw extensionsError('PLUGIN_INVALID', { reason: 'changed' });
        // What is there is no plugin: a copy that was damaged.
        await rm(target, { recursive: true, force: true });
        await rename(draft, target);
        await syncFolder(place.root);
      } finally {
        await rm(draft, { recursive: true, force: true });
      }
      const added = await readPackage(place, id);
      if ('problem' in added) throw extensionsError('PLUGIN_INVALID', { reason: 'manifest', params: added });
      return added;
    },
    async remove({ place, id }) {
      await rm(join(place.root, id), { recursive: true, force: true });
      await syncFolder(place.root);
    },
  };
}
