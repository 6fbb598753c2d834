import * as z from 'zod';
import { ask, checkDone, type ExternalNeeds, type ExternalRuntime, readAnswer } from './external-runtime.ts';

const model = z.object({ name: z.string(), model: z.string().optional(), size: z.number().optional() });
const tags = z.object({ models: z.array(model).nullable() });
const running = z.object({
  models: z.array(model.extend({ context_length: z.number().optional() })).nullable(),
});

/** Without a prompt, this request only loads or unloads a model. */
const KEEP = '30m';

export function createOllama(needs: ExternalNeeds): ExternalRuntime {
  const generate = (body: object): Promise<{ status: number; text: string }> =>
    ask(needs, { path: '/api/generate', body: { ...body, stream: false }, isLong: true });
  return {
    async models() {
      const [listed, held] = await Promise.all([
        ask(needs, { path: '/api/tags' }).then((answer) => readAnswer(answer, tags)),
        ask(needs, { path: '/api/ps' }).then((answer) => readAnswer(answer, running)),
      ]);
      const inMemory = new Map((held.models ?? []).map((one) => [one.model ?? one.name, one]));
      return (listed.models ?? []).map(({ name, model: id = name, size }) => ({
        modelId: id,
        name,
        isLoaded: inMemory.has(id),
        contextTokens: inMemory.get(id)?.context_length ?? null,
        sizeBytes: size ?? null,
      }));
    },
    async load(modelId, contextTokens) {
      const options = contextTokens === undefined ? {} : { options: { num_ctx: contextTokens } };
      checkDone(await generate({ model: modelId, keep_alive: KEEP, ...options }));
    },
    async unload(modelId) {
      checkDone(await generate({ model: modelId, keep_alive: 0 }));
    },
  };
}
