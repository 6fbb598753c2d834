/** The id by which a session asks for a model of a provider. */
export function wireIdOf(provider: string, model: string): string {
  const isWhole = provider === 'aggregator' || model.startsWith(`${provider}:`);
  return isWhole ? model : `${provider}:${model}`;
}

/** The provider that an id leads to, as far as the id tells. */
export const providerOfId = (id: string): string => /^([a-z][a-z0-9-]*):/.exec(id)?.[1] ?? 'aggregator';

/** The id under which the external agent takes whole turns. */
export const AGENT_MODEL = 'esterno:agente';

/** The models that the product runs by itself on this computer. */
export const OWN_MODELS = 'local';

/** Where a user sets that provider up. */
export function settingsOfProvider(provider: string): string {
  if (provider === OWN_MODELS) return '/local-models';
  return provider === 'esterno' ? '/settings/agent' : `/settings/providers?provider=${encodeURIComponent(provider)}`;
}
