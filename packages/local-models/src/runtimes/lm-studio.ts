import * as z from 'zod';
import { localModelsError } from '../errors.ts';
import { ask, checkDone, type ExternalNeeds, type ExternalRuntime, readAnswer } from './external-runtime.ts';

const instance = z.object({
  id: z.string(),
  config: z.object({ context_length: z.number().optional() }).optional(),
});
const list = z.object({
  models: z.array(
    z.object({
      key: z.string(),
      type: z.string().optional(),
      display_name: z.string().optional(),
      size_bytes: z.number().optional(),
      loaded_instances: z.array(instance).default([]),
    }),
  ),
});

/** LM Studio through its own REST interface, version 1. */
export function createLmStudio(needs: ExternalNeeds): ExternalRuntime {
  const rows = async () => readAnswer(await ask(needs, { path: '/api/v1/models' }), list).models;
  return {
    async models() {
      return (await rows())
        .filter(({ type }) => type !== 'embedding')
        .map(({ key, display_name: name, size_bytes: size, loaded_instances: instances }) => ({
          modelId: key,
          name: name ?? null,
          isLoaded: instances.length > 0,
          contextTokens: instances[0]?.config?.context_length ?? null,
          sizeBytes: size ?? null,
        }));
    },
    async load(modelId, contextTokens) {
      const body = { model: modelId, ...(contextTokens !== undefined && { context_length: contextTokens }) };
      checkDone(await ask(needs, { path: '/api/v1/models/load', body, isLong: true }));
    },
    async unload(modelId) {
      const row = (await rows()).find(({ key }) => key === modelId);
      if (!row) throw localModelsError('MODEL_NOT_FOUND');
      for (const { id } of row.loaded_instances)
        checkDone(await ask(needs, { path: '/api/v1/models/unload', body: { instance_id: id }, isLong: true }));
    },
  };
}
