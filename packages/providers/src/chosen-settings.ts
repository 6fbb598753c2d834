import { providerOf } from './table/registry.ts';

/** What a user's settings file says of providers and models: it wins over what was saved, and is never saved itself. */
export interface ChosenSettings {
  /** By provider. PROVIDER_INVALID for one that is not known, PROVIDER_RUNTIME_INVALID for a value that does not fit. */
  runtimes?: Readonly<Record<string, ChosenRuntime>>;
  /** By `provider:model`, or by the model's own name alone. */
  models?: Readonly<Record<string, ModelLimits>>;
}

export interface ChosenRuntime {
  endpoint?: string;
  timeoutSeconds?: number;
}

export interface ModelLimits {
  /** Tokens of one conversation. */
  contextWindow?: number;
  /** Tokens of one answer. */
  maxOutputTokens?: number;
}

export function limitsOf({ models = {} }: ChosenSettings, provider: string, model: string): ModelLimits {
  const named = `${providerOf(provider).id}:${model}`;
  return { ...own(models, model), ...own(models, named) };
}

function own(models: Readonly<Record<string, ModelLimits>>, name: string): ModelLimits | undefined {
  return Object.hasOwn(models, name) ? models[name] : undefined;
}
