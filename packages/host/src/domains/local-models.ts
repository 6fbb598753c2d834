import {
  createLibraryInstaller,
  createLocalModels,
  type LibraryInstaller,
  type LocalModels,
  type LocalRuntimes,
} from '@fucina/local-models';
import type { Providers } from '@fucina/providers';
import type { OutboundHttp } from '@fucina/shared';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { HostSettings } from '../settings.ts';
import { localAnswers, openRuntimes } from './runtimes.ts';

/** Local models and the hub they come from; `isLoaded` asks the engines. */
export function openLocalModels(
  { ambient, environment, engineLibrary }: HostSettings,
  folder: DataFolder,
  parts: { http: OutboundHttp; isLoaded(id: string): boolean },
): LocalModels {
  return createLocalModels({
    ...parts,
    ambient,
    dataDir: folder.path,
    isInitialised: folder.hasHeld('local-models.db'),
    onOpened: () => folder.noteStore('local-models.db'),
    isBackground: folder.isServer,
    library: engineLibrary?.library,
    hasOtherEngine: Boolean(environment['FUCINA_LLAMA_SERVER']),
  });
}

interface LocalParts {
  own<Part extends AsyncDisposable>(part: Part): Part;
  http(): OutboundHttp;
  providers(): Providers;
}

export type Local = ReturnType<typeof joinLocal>;

/** Local models and engines, which depend on each other only through these functions. */
export function joinLocal(settings: HostSettings, folder: DataFolder, { own, http, providers }: LocalParts) {
  const made: { models?: LocalModels; runtimes?: LocalRuntimes; library?: LibraryInstaller } = {};
  const models = (): LocalModels => {
    made.models ??= own(
      openLocalModels(settings, folder, {
        http: http(),
        isLoaded: (id) => made.runtimes?.isLoaded(id) ?? false,
      }),
    );
    return made.models;
  };
  const runtimes = (): LocalRuntimes => {
    made.runtimes ??= own(openRuntimes(settings, folder, { http, providers, localModels: models }));
    return made.runtimes;
  };
  const library = (): LibraryInstaller => {
    const { ambient, environment, engineLibrary } = settings;
    made.library ??= own(createLibraryInstaller({ ...engineLibrary, ambient, environment, dataDir: folder.path }));
    return made.library;
  };
  const used = {
    runtimes: () => made.runtimes,
    localModels: () => (folder.hasHeld('local-models.db') ? models() : undefined),
  };
  return {
    models,
    runtimes,
    library,
    used,
    /** The needs of providers, including outbound HTTP. */
    answers: () => ({ http: http(), ...localAnswers(settings.ambient, used) }),
  };
}
