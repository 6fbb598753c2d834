import { createLocalRuntimes, type LocalModels, type LocalRuntimes } from '@fucina/local-models';
import type { LocalEngine, ModelRow, Providers } from '@fucina/providers';
import { type Ambient, isAppError, type OutboundHttp } from '@fucina/shared';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { HostSettings } from '../settings.ts';

interface RuntimeParts {
  http(): OutboundHttp;
  providers(): Providers;
  localModels(): LocalModels;
}

/** The local engines; the addresses of external ones come from the user's settings. */
export function openRuntimes(
  { ambient, environment, engineLibrary }: HostSettings,
  folder: DataFolder,
  { http, providers, localModels }: RuntimeParts,
): LocalRuntimes {
  return createLocalRuntimes({
    ambient,
    environment,
    http: http(),
    dataDir: folder.path,
    installed: localModels().installed,
    program: environment['FUCINA_LLAMA_SERVER'] || undefined,
    library: engineLibrary?.library,
    async address(runtime) {
      try {
        return await providers().reach(runtime);
      } catch (error) {
        if (!isAppError(error)) throw error;
        return { endpoint: null, headers: {} }; // unreadable settings contain no address
      }
    },
  });
}

export interface LocalAnswers {
  localEngine(model: string): Promise<LocalEngine | undefined>;
  /** The context size that a model was loaded with. */
  localWindow(model: string): number | undefined;
  localModels(): Promise<ModelRow[]>;
}

/** What providers need from engines and models; opens nothing that was never used. */
export function localAnswers(
  ambient: Ambient,
  used: { runtimes(): LocalRuntimes | undefined; localModels(): LocalModels | undefined },
): LocalAnswers {
  return {
    localEngine: async (model) => used.runtimes()?.engine(model),
    localWindow: (model) => used.runtimes()?.contextTokens(model) ?? undefined,
    async localModels() {
      const records = await readyModels(used.localModels());
      return records.map(({ id, name }) => localRow(id, name, { at: ambient.now(), engine: used.runtimes() }));
    },
  };
}

/** Empty when they cannot be read: the engines' own list reports why. */
export async function readyModels(localModels: LocalModels | undefined): Promise<{ id: string; name?: string }[]> {
  try {
    return ((await localModels?.installed.list()) ?? []).filter(({ state }) => state === 'ready');
  } catch (error) {
    if (isAppError(error)) return [];
    throw error;
  }
}

function localRow(
  id: string,
  name: string | undefined,
  { at, engine }: { at: number; engine: LocalRuntimes | undefined },
): ModelRow {
  const contextLength = engine?.contextTokens(id) ?? null;
  return {
    id,
    name: name ?? id,
    provider: 'local',
    contextLength,
    isContextVerified: contextLength !== null,
    maxOutputTokens: null,
    // The engine writes tool calls by a grammar, whatever the model.
    capabilities: { vision: 'observed-no', toolUse: 'observed-yes', reasoning: 'unknown' },
    quantization: null,
    price: null,
    observedAt: at,
  };
}
