/** A local engine, and the context size in tokens with which it loaded its models. */
export interface LoadedEngine {
  kind: 'ollama' | 'lmstudio' | 'llama-server';
  tokens: number;
  /** Ollama only: the model is loaded by its first call, with the size that its file sets. Default: it is loaded. */
  isLoaded?: boolean;
}

/** Paths at which engines say with which size a model is loaded. */
export function isAboutLoaded(path: string): boolean {
  return /\/(api\/ps|api\/show|api\/v0\/models|props)$/.test(path);
}

/** Undefined for paths that every server has, which list models in their own form. */
export function loadedAnswer(
  { path, method }: { path: string; method: string },
  { engine, models = ['scripted-1', 'scripted-2'] }: { engine?: LoadedEngine; models?: readonly string[] },
): { status: number; body: unknown } | undefined {
  const [name = ''] = path.split('?');
  const asked = `${method} ${/\/(api\/\w+(\/models)?|props)$/.exec(name)?.[1] ?? ''}`;
  const known = engine && ANSWERS[engine.kind](engine, models)[asked];
  if (known) return { status: 200, body: known };
  return isAboutLoaded(name) ? { status: 404, body: { error: 'No such path.' } } : undefined;
}

const ANSWERS: Record<
  LoadedEngine['kind'],
  (engine: LoadedEngine, models: readonly string[]) => Partial<Record<string, unknown>>
> = {
  ollama: ({ tokens, isLoaded = true }, models) => ({
    'GET api/ps': { models: isLoaded ? models.map((name) => ({ name, model: name, context_length: tokens })) : [] },
    'POST api/show': {
      parameters: `stop                           "<|end|>"\nnum_ctx                        ${tokens}`,
      model_info: { 'llama.context_length': 131_072 },
    },
  }),
  lmstudio: ({ tokens }, models) => ({
    'GET api/v1/models': {
      models: models.map((key) => ({
        key,
        type: 'llm',
        max_context_length: 131_072,
        loaded_instances: [{ id: key, config: { context_length: tokens } }],
      })),
    },
  }),
  'llama-server': ({ tokens }) => ({ 'GET props': { default_generation_settings: { n_ctx: tokens }, total_slots: 1 } }),
};
