import type { Ambient } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import type { InstalledModels, ModelRecord } from '../model-record.ts';
import { type ImportRequest, importModel } from './import.ts';
import { isModelId, type ModelFolders } from './model-folder.ts';
import type { Store, StoredModel } from './store.ts';

/** The models on this computer. Every function: RUNTIME_NOT_AVAILABLE when what is kept cannot be read. */
export interface ModelStore extends InstalledModels {
  /**
   * Takes a file in as it comes, at most 64 GiB, never in memory. LOCAL_IMPORT_INVALID, LOCAL_IMPORT_TOO_LARGE (also
   * for want of disk), LOCAL_IMPORT_SIZE_MISMATCH, LOCAL_IMPORT_EMPTY, LOCAL_IMPORT_NOT_GGUF, HUB_TRANSFER_COLLISION.
   */
  import(request: ImportRequest): Promise<ModelRecord>;
  /** 1 to 160 characters. NOT_FOUND, QUERY_INVALID. */
  rename(id: string, name: string): Promise<ModelRecord>;
  /** NOT_FOUND. */
  placeOf(id: string): Promise<{ id: string; path: string }>;
  /** With its files; a download of it ends first. NOT_FOUND, RUNTIME_ALREADY_RUNNING while an engine holds it. */
  remove(id: string): Promise<{ id: string; deleted: true }>;
}

export interface ModelStoreParts {
  ambient: Ambient;
  store: Store;
  folders: ModelFolders;
  /** Whether an engine holds it now. */
  isLoaded(id: string): boolean;
  /** Ends a download of it; resolves when nothing writes to its files any more. */
  endTransfer(id: string): Promise<void>;
}

export function createModelStore(parts: ModelStoreParts): ModelStore {
  const { ambient, store, folders } = parts;
  const recordOf = ({ entry, state, ...kept }: StoredModel): ModelRecord => ({
    ...kept,
    state: state === 'unfinished' ? 'incomplete' : state,
    path: folders.fileOf(kept.id, entry),
  });
  const kept = (id: string): StoredModel => {
    const model = isModelId(id) ? store.model(id) : undefined;
    if (!model || model.state === 'unfinished') throw localModelsError('NOT_FOUND');
    return model;
  };

  return {
    list: async () =>
      store
        .models()
        .filter(({ state }) => state !== 'unfinished')
        .map(recordOf),
    async find(id) {
      const model = isModelId(id) ? store.model(id) : undefined;
      return model && model.state !== 'unfinished' ? recordOf(model) : undefined;
    },
    import: async (request) => recordOf(await importModel(request, parts)),
    rename: async (id, name) => {
      const shown = name.trim();
      if (shown === '') throw localModelsError('QUERY_INVALID', { params: { field: 'name' } });
      return recordOf(
        await store.write(() => {
          const next = { ...kept(id), name: shown, updatedAt: new Date(ambient.now()).toISOString() };
          store.saveModel(next);
          return next;
        }),
      );
    },
    placeOf: async (id) => ({ id, path: recordOf(kept(id)).path }),
    async remove(id) {
      kept(id);
      if (parts.isLoaded(id)) throw localModelsError('RUNTIME_ALREADY_RUNNING', { params: { modelId: id } });
      await parts.endTransfer(id);
      // The row first: a row without files would be a model that cannot be opened, files without one are swept away.
      await store.write(() => {
        const model = kept(id);
        if (parts.isLoaded(id)) throw localModelsError('RUNTIME_ALREADY_RUNNING', { params: { modelId: id } });
        store.removeTransfer(id);
        store.saveModel({ ...model, state: 'unfinished' });
      });
      await folders.remove(id);
      await store.write(() => store.removeModel(id));
      return { id, deleted: true };
    },
  };
}

/** What a process that is gone was taking in or away. Only where no other process may be doing so. */
export async function deletePartialImports({
  store,
  folders,
}: Pick<ModelStoreParts, 'store' | 'folders'>): Promise<void> {
  for (const { id, state } of store.models()) {
    if (state !== 'unfinished') continue;
    await folders.remove(id);
    await store.write(() => store.removeModel(id));
  }
}
