export type { Catalog, FullCatalog, LevelWire } from './catalog.ts';
export type { ChosenSettings } from './chosen-settings.ts';
export { collect, type LocalEngine } from './client.ts';
export { providersError } from './errors.ts';
export type { BuiltInChange, BuiltInExclusion, ExcludedFromAnswer, ExclusionRows, Exclusions } from './exclusions.ts';
export type { KeyStoreState } from './keys/key-store.ts';
export type { KeyRow, Keys, NewKey } from './keys/keys.ts';
export type { ModelKnowledge } from './model-facts.ts';
export {
  auxiliaryModel,
  checkFallback,
  type FallbackEntry,
  type ModelDestination,
  modelIdOf,
  parseModelId,
} from './model-id.ts';
export type { Capability, ModelCapabilities, ModelPrice, ModelRow } from './model-rows.ts';
export type { ProbeDetail, ProbeResult } from './probe.ts';
export type { ImproveDepth, ImprovedPrompt, ImproveRequest, PromptImprover } from './prompt-improver.ts';
export { createProviders, type Providers, type ProvidersNeeds } from './providers.ts';
export type { ProviderRow, Registry } from './rows.ts';
export type { RuntimeChange, RuntimeRow, Runtimes } from './runtime.ts';
export type { SearchResult } from './search/results.ts';
export type { Search, SearchSourceRow, SearchTest, SearchView } from './search/search.ts';
export type { SignIn, SignInStart } from './sign-in/sign-in.ts';
export type { ExternalAgent } from './store.ts';
