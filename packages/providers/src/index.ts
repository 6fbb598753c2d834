export type { ChosenSettings } from './chosen-settings.ts';
export { collect, type LocalEngine } from './client.ts';
export type { ConnectionChange, ConnectionRow, Connections } from './connection/connections.ts';
export type { ModelProblem } from './connection/model-problem.ts';
export type { ProbeDetail, ProbeResult } from './connection/probe.ts';
export type { RuntimeChange, RuntimeRow, Runtimes } from './connection/runtime.ts';
export { providersError } from './errors.ts';
export type { KeyStoreState } from './keys/key-store.ts';
export type { KeyRow, Keys, NewKey } from './keys/keys.ts';
export type { Catalog, FullCatalog, LevelWire } from './models/catalog.ts';
export type { ModelKnowledge } from './models/model-facts.ts';
export {
  auxiliaryModel,
  checkFallback,
  type FallbackEntry,
  type ModelDestination,
  modelIdOf,
  parseModelId,
} from './models/model-id.ts';
export type { FactSource, ModelProfile, StatedTokens } from './models/model-profile.ts';
export type { Capability, ModelCapabilities, ModelPrice, ModelRow } from './models/model-rows.ts';
export type { ImproveDepth, ImprovedPrompt, ImproveRequest, PromptImprover } from './prompts/prompt-improver.ts';
export { createProviders, type Providers, type ProvidersNeeds } from './providers.ts';
export type {
  BuiltInChange,
  BuiltInExclusion,
  ExcludedFromAnswer,
  ExclusionRows,
  Exclusions,
} from './routing/exclusions.ts';
export type { ProviderRow, Registry } from './rows.ts';
export type { SearchResult } from './search/results.ts';
export type { Search, SearchSourceRow, SearchTest, SearchView } from './search/search.ts';
export type { SignIn, SignInStart } from './sign-in/sign-in.ts';
export type { ExternalAgent } from './store.ts';
