import type { Ambient, DialectChoice, Environment, ModelClient, OutboundHttp, Tool } from '@fucina/shared';
import type { ChosenSettings } from './chosen-settings.ts';
import { createModelClient, type LocalEngine, preloadWire } from './client.ts';
import { createAccesses } from './connection/access.ts';
import { type Connections, createConnections } from './connection/connections.ts';
import { type ModelProblem, modelProblem } from './connection/model-problem.ts';
import { type ProbeResult, probe } from './connection/probe.ts';
import { createRuntimes, type Runtimes } from './connection/runtime.ts';
import type { ExternalAgents } from './external/external-agents.ts';
import { createExtraHeaders } from './keys/extra-headers.ts';
import { createKeyCooldowns } from './keys/key-cooldowns.ts';
import { createKeyIndex } from './keys/key-index.ts';
import { createMemoryKeyStore, createSystemKeyStore, type KeyStore } from './keys/key-store.ts';
import { createKeys, type Keys } from './keys/keys.ts';
import { type Catalog, createCatalog } from './models/catalog.ts';
import { createFirstUse, type FirstUse } from './models/first-use.ts';
import { createListCache } from './models/list-cache.ts';
import { createModelKnowledge, type ModelKnowledge } from './models/model-facts.ts';
import { modelIdOf, parseModelId } from './models/model-id.ts';
import { type ModelProfile, modelProfile } from './models/model-profile.ts';
import type { ModelRow } from './models/model-rows.ts';
import { createOwnPrices, type OwnPrices } from './models/own-prices.ts';
import { createPublicCatalog } from './models/public-catalog.ts';
import type { PictureFitting } from './pictures/fitting-pictures.ts';
import { createPromptImprover, type PromptImprover } from './prompts/prompt-improver.ts';
import { createExclusions, type Exclusions } from './routing/exclusions.ts';
import { createRegistry, type Registry } from './rows.ts';
import { createSearch, type Search } from './search/search.ts';
import { createSearchKeys } from './search/search-keys.ts';
import { createSignIn, type SignIn } from './sign-in/sign-in.ts';
import { createStore, type ExternalAgent } from './store.ts';
import { PROVIDERS, providerOf } from './table/registry.ts';
import { tracedClient } from './traced-client.ts';

/** The 29 providers: their properties, keys and addresses, their models, and the client that calls them. */
export interface Providers extends AsyncDisposable {
  registry: Registry;
  keys: Keys;
  runtime: Runtimes;
  /** Addresses where the registry's are fixed, and headers of the user's own. */
  connections: Connections;
  exclusions: Exclusions;
  catalog: Catalog;
  /** Prices that the user entered: used where no other is known. */
  prices: OwnPrices;
  /** Stored prices and context sizes. */
  knowledge: ModelKnowledge;
  /**
   * Asks for what is not yet known of a model that is about to be used: its provider's list in the background, a local
   * engine for the context size that it loaded. Never throws.
   */
  lookUp(model: string): Promise<void>;
  /**
   * What a model gets by default, and where that was stated. Looks the model up first. Throws MODEL_ID_INVALID,
   * PROVIDER_STORE_UNAVAILABLE.
   */
  profile(model: string): Promise<ModelProfile>;
  /** What is missing before this model can be called; undefined: nothing. Sends nothing. */
  modelProblem(model: string): Promise<ModelProblem | undefined>;
  client: ModelClient;
  /** Rewrites a draft message. */
  prompts: PromptImprover;
  search: Search;
  signIn: SignIn;
  /** The key store, for secrets of other parts: their accounts begin with a name of their own. */
  secrets: Pick<KeyStore, 'read' | 'write' | 'remove'>;
  /** The agent tools implemented here. */
  tools(): Promise<readonly Tool[]>;
  /** Whether the provider responds; sends only free requests. Throws PROVIDER_INVALID, PROVIDER_STORE_UNAVAILABLE. */
  test(provider: string): Promise<ProbeResult>;
  /**
   * A provider's address and the headers with its credentials, for requests other than model calls. Throws
   * PROVIDER_INVALID, PROVIDER_STORE_UNAVAILABLE.
   */
  reach(provider: string): Promise<{ endpoint: string | null; headers: Record<string, string> }>;
  /** The addresses of all providers: their own and those that the user configured. Throws PROVIDER_STORE_UNAVAILABLE. */
  addresses(): readonly string[];
  /** A copy of a picture with at most this many bytes; undefined if none can be made. */
  smallerPicture: PictureFitting['smaller'];
  /** Preloads what a call of this model needs, so that its first answer is as fast as later ones. */
  warm(model: string): Promise<void>;
}

export interface ProvidersNeeds {
  ambient: Ambient;
  dataDir: string;
  keyStore: 'system' | 'memory';
  http: OutboundHttp;
  /** Environment of this process: the external agent gets only its safe part. Default: nothing. */
  environment?: Environment;
  /** Address of the local engine; undefined while it has not loaded the model. Default: never. */
  localEngine?: (model: string) => Promise<LocalEngine | undefined>;
  /** In tokens: the size with which the local engine loaded a model. Default: unknown. */
  localWindow?: (model: string) => number | undefined;
  /** The user's choice of dialects; default: by the family of each model. */
  dialects?: DialectChoice | undefined;
  /** From the user's settings file; default: nothing. */
  chosen?: ChosenSettings | undefined;
  /** Whether the public catalog of models may be asked; default: yes. */
  publicCatalog?: boolean;
  /** Models of the local engine. Default: none. */
  localModels?: () => Promise<ModelRow[]>;
}

/** Cheap: files, key store and libraries are opened at first use. */
export function createProviders(needs: ProvidersNeeds): Providers {
  const { ambient, dataDir, http, localEngine = async () => undefined, localModels = async () => [] } = needs;
  const { chosen = {} } = needs;
  const store = createStore(dataDir);
  const service = (): string => `Fucina ${store.installationId(() => ambient.newId())}`;
  const keyStore = needs.keyStore === 'memory' ? createMemoryKeyStore() : createSystemKeyStore({ ambient, service });
  const runtimes = createRuntimes(store, chosen.runtimes);
  const { address } = runtimes;
  const index = createKeyIndex({ ambient, dataDir, keyStore, store });
  const cooldowns = createKeyCooldowns(ambient);
  const keys = createKeys({ ambient, keyStore, index, cooldowns, originOf: (id) => address(providerOf(id)).origin });
  const extraHeaders = createExtraHeaders({ ambient, dataDir, keyStore, store });
  const { accessTo, reach } = createAccesses({ address, keys, extraHeaders });
  const exclusions = createExclusions({ http, store, aggregator: () => reach('aggregator') });

  const lists = createListCache({ ambient, store });
  const prices = createOwnPrices(store);
  const publicCatalog = createPublicCatalog({ ambient, http, store, isOn: needs.publicCatalog ?? true });
  let agents: Promise<ExternalAgents> | undefined;
  const externalAgents = (): Promise<ExternalAgents> => {
    agents ??= import('./external/external-agents.ts').then((made) =>
      made.createExternalAgents({ ambient, environment: needs.environment ?? {} }),
    );
    return agents;
  };
  let fitting: Promise<PictureFitting> | undefined;
  const pictures = (): Promise<PictureFitting> => {
    fitting ??= import('./pictures/fitting-pictures.ts').then((made) =>
      made.createPictureFitting({ ambient, environment: needs.environment ?? {} }),
    );
    return fitting;
  };
  const externalAgent = (): ExternalAgent | undefined => runtimes.get('esterno').agent ?? undefined;
  const common = { ambient, http, keys, extraHeaders, address };
  const listing = { ambient, http, lists, publicCatalog, address, accessTo };
  const firstUse = createFirstUse(listing);
  const facts = { lists, publicCatalog, address, chosen, prices, loadedWindow: loadedWindowOf(needs, firstUse) };
  const knowledge = createModelKnowledge(facts);
  const client = tracedClient(
    createModelClient({ ...common, chosen, knowledge, pictures, localEngine, externalAgent, externalAgents }),
    ambient.tracing,
  );
  const search = createSearch({ ambient, http, store, keys: createSearchKeys({ ambient, keyStore, index }) });

  return {
    registry: createRegistry({ keys, runtime: runtimes, exclusions }),
    keys,
    runtime: runtimes,
    connections: createConnections({ runtimes, extraHeaders }),
    exclusions,
    search,
    secrets: keyStore,
    signIn: createSignIn({ ...common, endpoint: () => address(providerOf('aggregator')).endpoint }),
    async tools() {
      const { createAgentTools } = await import('./agent-tools.ts');
      return createAgentTools({ search, http, address, accessTo });
    },
    catalog: createCatalog({ ...listing, runtime: runtimes, localModels }),
    prices,
    knowledge,
    lookUp: firstUse.lookUp,
    profile: async (model) => {
      await firstUse.lookUp(modelIdOf(parseModelId(model)));
      return modelProfile({ ...facts, dialects: needs.dialects }, model);
    },
    modelProblem: (model) => modelProblem({ address, runtimes, keys }, model),
    client,
    prompts: createPromptImprover({ ambient, client }),
    test: (provider) =>
      probe(
        {
          ambient,
          http,
          address,
          accessTo,
          externalAgent,
          checkAgent: async (agent) => (await externalAgents()).check(agent),
        },
        provider,
      ),
    reach,
    addresses: () => addressesOf(runtimes),
    smallerPicture: async (bytes, maxBytes) => (await pictures()).smaller(bytes, maxBytes),
    async warm(model) {
      address(providerOf('openai'));
      await Promise.all([http.warm(), preloadWire(model)]);
    },
    async [Symbol.asyncDispose]() {
      firstUse.close();
      publicCatalog.close();
      await (await agents)?.[Symbol.asyncDispose]();
      await (await fitting)?.[Symbol.asyncDispose]();
      store.close();
    },
  };
}

function loadedWindowOf({ localWindow }: ProvidersNeeds, firstUse: FirstUse): FirstUse['loadedWindow'] {
  return (provider, model) => (provider === 'local' ? localWindow?.(model) : firstUse.loadedWindow(provider, model));
}

function addressesOf(runtimes: Runtimes): string[] {
  const all = PROVIDERS.flatMap(({ id, defaultEndpoint }) => [defaultEndpoint ?? '', runtimes.get(id).endpoint ?? '']);
  return all.filter((address) => address !== '');
}
