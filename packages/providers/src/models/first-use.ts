import { isAppError } from '@fucina/shared';
import { providerOf } from '../table/registry.ts';
import { type CatalogNeeds, targetOf } from './catalog.ts';
import { askLoadedWindow } from './loaded-window.ts';
import { parseModelId } from './model-id.ts';
import { requestModels } from './models-request.ts';

/** What is asked when a model is used: its provider's list, and the context size that a local engine loaded it with. */
export interface FirstUse {
  /**
   * Waits for a local engine only: a hosted provider's list is fetched in the background, once. What cannot be asked
   * stays unknown.
   */
  lookUp(modelId: string): Promise<void>;
  /** In tokens; undefined when unknown. */
  loadedWindow(provider: string, model: string): number | undefined;
  close(): void;
}

type FirstUseNeeds = Omit<CatalogNeeds, 'localModels' | 'runtime'>;

/** Models come and go in a provider's list, but those in use keep their facts. */
const LIST_AGE_MS = 7 * 24 * 3_600_000;
const NEXT_TRY_MS = 600_000;
/** The user may load a model anew, with another size. */
const LOADED_AGE_MS = 60_000;
/** A model is loaded by its first call. */
const UNLOADED_AGE_MS = 3_000;

export function createFirstUse(needs: FirstUseNeeds): FirstUse {
  const { ambient, http, lists, publicCatalog } = needs;
  const closing = new AbortController();
  /** By provider and address: when its list was asked for. */
  const asked = new Map<string, number>();
  const loaded = new Map<string, { at: number; tokens: number | undefined }>();
  const { signal } = closing;

  const fetchList = async (provider: string): Promise<void> => {
    const record = providerOf(provider);
    const { endpoint } = needs.address(record);
    const key = `${provider} ${endpoint}`;
    const before = asked.get(key);
    if (before !== undefined && Math.abs(ambient.now() - before) < NEXT_TRY_MS) return;
    if (!endpoint || !record.models || lists.get(provider, endpoint, LIST_AGE_MS)) return;
    asked.set(key, ambient.now());
    const target = await targetOf(needs, record);
    if (!target) return;
    const isStatedElsewhere = record.execution !== 'local' && record.publicName !== null;
    const [outcome] = await Promise.all([
      requestModels(http, { record, ...target, now: ambient.now(), signal }),
      isStatedElsewhere ? publicCatalog.refresh() : undefined,
    ]);
    if (outcome.kind === 'listed' && !signal.aborted) lists.put(provider, endpoint, outcome.rows);
  };

  const askEngine = async (provider: string, model: string): Promise<void> => {
    const record = providerOf(provider);
    const key = `${provider}:${model}`;
    const known = loaded.get(key);
    const ageMs = known?.tokens === undefined ? UNLOADED_AGE_MS : LOADED_AGE_MS;
    if (known && Math.abs(ambient.now() - known.at) < ageMs) return;
    const target = await targetOf(needs, record);
    if (!target) return;
    const tokens = await askLoadedWindow(http, { record, ...target, model, signal });
    loaded.set(key, { at: ambient.now(), tokens });
  };

  /** Settings and keys that cannot be read are reported by the call itself. */
  const quietly = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (!isAppError(error)) ambient.log.warn('model.look-up-failed', { error });
    });

  return {
    async lookUp(modelId) {
      let pair: { provider: string; model: string };
      try {
        pair = parseModelId(modelId);
      } catch (error) {
        if (isAppError(error)) return;
        throw error;
      }
      const { wire, execution } = providerOf(pair.provider);
      if (wire === 'acp' || wire === 'locale' || signal.aborted) return;
      const list = quietly(fetchList(pair.provider));
      if (execution === 'local') await Promise.all([list, quietly(askEngine(pair.provider, pair.model))]);
    },
    loadedWindow: (provider, model) => loaded.get(`${provider}:${model}`)?.tokens,
    close: () => closing.abort(),
  };
}
