/** The model id of a provider's model for a session. */
export function wireIdOf(provider: string, model: string): string {
  const isWhole = provider === 'aggregator' || model.startsWith(`${provider}:`);
  return isWhole ? model : `${provider}:${model}`;
}

/** The provider of an id, as far as it is recognizable. */
export const providerOfId = (id: string): string => /^([a-z][a-z0-9-]*):/.exec(id)?.[1] ?? 'aggregator';

/** The model id of the external agent. */
export const AGENT_MODEL = 'esterno:agente';

/** Models that our own engine runs. */
export const OWN_MODELS = 'local';

/** The settings page of that provider. */
export function settingsOfProvider(provider: string): string {
  if (provider === OWN_MODELS) return '/local-models';
  return provider === 'esterno' ? '/settings/agent' : `/settings/providers?provider=${encodeURIComponent(provider)}`;
}
