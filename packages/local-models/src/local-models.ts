import { type Ambient, once } from '@fucina/shared';
import { createDownloads, type Downloads } from './downloads/downloads.ts';
import { createHub, type Hub, type HubNeeds } from './hub/hub.ts';
import { isSupportedArchitecture } from './hub/known-architectures.ts';
import { createModelFolders } from './installed/model-folder.ts';
import { createModelStore, deletePartialImports, type ModelStore } from './installed/model-store.ts';
import { openStore } from './installed/store.ts';
import { engineLibrary, type FindLibrary } from './library/engine-library.ts';

export interface LocalModelsNeeds extends HubNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that local-models.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
  /** True only in the process that may clean up what another left behind. */
  isBackground: boolean;
  /** True when the user configured another program to run models. */
  hasOtherEngine?: boolean;
  /** Default: `engineLibrary`. */
  library?: FindLibrary | undefined;
  /** Whether an engine has the model loaded. */
  isLoaded(id: string): boolean;
  /** Free bytes on the disk of the models; default: measured. */
  freeBytes?(): Promise<number>;
}

/** The models of this computer, with downloads and imports. */
export interface LocalModels extends AsyncDisposable {
  installed: ModelStore;
  hub: Hub;
  downloads: Downloads;
}

export function createLocalModels(needs: LocalModelsNeeds): LocalModels {
  const store = openStore(needs);
  const folders = createModelFolders(needs);
  const ready = once(async () => {
    // Read at once: if the store fails, nothing needs to be looked up.
    store.models();
    if (!needs.isBackground) return;
    await deletePartialImports({ store, folders });
    await engine.recover();
  });
  const engine = createDownloads({ ...needs, store, folders });
  const installed = createModelStore({ ...needs, store, folders, endTransfer: (id) => engine.endTransfer(id) });
  return {
    installed: after(ready, installed),
    hub: after(ready, createHub({ knowsArchitecture: (name) => knows(needs, name), ...needs })),
    downloads: after(ready, engine.downloads),
    async [Symbol.asyncDispose]() {
      await engine.close();
      store.close();
    },
  };
}

/** For another engine, only what ours supports too is certain. */
async function knows(
  { hasOtherEngine, library, dataDir }: LocalModelsNeeds,
  architecture: string,
): Promise<boolean | null> {
  const isKnown = await isSupportedArchitecture(architecture, (library ?? (() => engineLibrary(dataDir)))());
  return hasOtherEngine && !isKnown ? null : isKnown;
}

type Acts = { [name: string]: (...given: never[]) => Promise<unknown> };

/** The same functions, which first wait for initialization; its failure is their failure. */
function after<Part extends object>(first: () => Promise<void>, part: Part): Part {
  const entries = Object.entries(part as unknown as Acts).map(([name, act]) => [
    name,
    async (...given: never[]) => {
      await first();
      return act(...given);
    },
  ]);
  return Object.fromEntries(entries) as Part;
}
