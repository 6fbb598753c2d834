import { type Ambient, once } from '@fucina/shared';
import { createDownloads, type Downloads } from './downloads/downloads.ts';
import { createHub, type Hub, type HubNeeds } from './hub/hub.ts';
import { isSupportedArchitecture } from './hub/known-architectures.ts';
import { createModelFolders } from './installed/model-folder.ts';
import { createModelStore, deletePartialImports, type ModelStore } from './installed/model-store.ts';
import { openStore } from './installed/store.ts';

export interface LocalModelsNeeds extends HubNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that local-models.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
  /** True in the one process that may clear away what another left behind. */
  isBackground: boolean;
  /** True where the user named a program of their own to run models. */
  hasOtherEngine?: boolean;
  /** Whether an engine holds the model now. */
  isLoaded(id: string): boolean;
  /** Bytes free where models lie; default: what the file system says. */
  freeBytes?(): Promise<number>;
}

/** The models of this computer, and how they come here. */
export interface LocalModels extends AsyncDisposable {
  installed: ModelStore;
  hub: Hub;
  downloads: Downloads;
}

export function createLocalModels(needs: LocalModelsNeeds): LocalModels {
  const store = openStore(needs);
  const folders = createModelFolders(needs);
  const ready = once(async () => {
    // Read at once, so that nothing is looked for that could not be kept.
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

/** Of another program only what ours knows too is sure. */
async function knows({ hasOtherEngine }: LocalModelsNeeds, architecture: string): Promise<boolean | null> {
  const isKnown = await isSupportedArchitecture(architecture);
  return hasOtherEngine && !isKnown ? null : isKnown;
}

type Acts = { [name: string]: (...given: never[]) => Promise<unknown> };

/** The same functions, each once what must come first is done; a failure of that is the failure of the call. */
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
