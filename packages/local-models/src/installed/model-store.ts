import type { Ambient } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import type { InstalledModels, ModelRecord } from '../model-record.ts';
import { type ImportRequest, importModel } from './import.ts';
import { isModelId, type ModelFolders } from './model-folder.ts';
import type { Store, StoredModel } from './store.ts';

/** The installed models. Every function: RUNTIME_NOT_AVAILABLE when the store cannot be read. */
export interface ModelStore extends InstalledModels {
  /**
   * Streams a file to disk, at most 64 GiB. LOCAL_IMPORT_INVALID, LOCAL_IMPORT_TOO_LARGE (also when the disk is too
   * small), LOCAL_IMPORT_SIZE_MISMATCH, LOCAL_IMPORT_EMPTY, LOCAL_IMPORT_NOT_GGUF, HUB_TRANSFER_COLLISION.
   */
  import(request: ImportRequest): Promise<ModelRecord>;
  /** 1 to 160 characters. NOT_FOUND, QUERY_INVALID. */
  rename(id: string, name: string): Promise<ModelRecord>;
  /** NOT_FOUND. */
  placeOf(id: string): Promise<{ id: string; path: string }>;
  /**
   * Deletes the model and its files; cancels its download first. NOT_FOUND, RUNTIME_ALREADY_RUNNING while an engine has
   * it loaded.
   */
  remove(id: string): Promise<{ id: string; deleted: true }>;
}

export interface ModelStoreParts {
  ambient: Ambient;
  store: Store;
  folders: ModelFolders;
  /** Whether an engine has it loaded. */
  isLoaded(id: string): boolean;
  /** Cancels its download; resolves when nothing writes to its files any more. */
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
      // The row first: a row without files would be a model that cannot be opened, while files without a row are
      // cleaned up.
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

/**
 * Cleans up imports and deletions that an earlier process left unfinished. Only when no other process may be running
 * one.
 */
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
