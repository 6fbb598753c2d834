import { providerOf } from './table/registry.ts';

/** Providers and models in the user's settings file: it overrides saved values, and is never written. */
export interface ChosenSettings {
  /** By provider. PROVIDER_INVALID for an unknown one, PROVIDER_RUNTIME_INVALID for an invalid value. */
  runtimes?: Readonly<Record<string, ChosenRuntime>>;
  /** By `provider:model`, or by the model's name only. */
  models?: Readonly<Record<string, ModelLimits>>;
}

export interface ChosenRuntime {
  endpoint?: string;
  timeoutSeconds?: number;
}

export interface ModelLimits {
  /** Context size in tokens. */
  contextWindow?: number;
  /** Maximum output tokens. */
  maxOutputTokens?: number;
  /** What the model takes besides text and images; it wins over every list. */
  inputs?: readonly ('audio' | 'pdf')[];
}

export function limitsOf({ models = {} }: ChosenSettings, provider: string, model: string): ModelLimits {
  const named = `${providerOf(provider).id}:${model}`;
  return { ...own(models, model), ...own(models, named) };
}

function own(models: Readonly<Record<string, ModelLimits>>, name: string): ModelLimits | undefined {
  return Object.hasOwn(models, name) ? models[name] : undefined;
}
