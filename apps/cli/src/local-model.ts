import type { Services } from '@fucina/host';

const PREFIX = 'local:';

/** A local model is loaded by our own engine, which lives as long as this process. */
export async function readyLocalModel(model: string | null | undefined, { localRuntimes }: Services): Promise<void> {
  if (!model?.startsWith(PREFIX)) return;
  const modelId = model.slice(PREFIX.length);
  if (!localRuntimes.isLoaded(modelId)) await localRuntimes.load({ runtimeId: 'llama.cpp', modelId });
}
