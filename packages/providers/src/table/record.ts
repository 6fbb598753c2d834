import type { ReasoningProfile } from './reasoning.ts';

/** One row of the registry: the constant facts about a provider. */
export interface ProviderRecord {
  /** `[a-z][a-z0-9-]{0,31}`. */
  id: string;
  label: string;
  description: string;
  /** Where a user gets a key, or null. */
  keysPage: string | null;
  wire: WireKind;
  /** `optional`: sent when there is one. `never`: never sent. */
  key: 'required' | 'optional' | 'never';
  keyHeader: 'authorization' | 'x-api-key' | 'api-key' | 'x-goog-api-key';
  /** '' when the user must enter one (resource, region or project); null when there is no address at all. */
  defaultEndpoint: string | null;
  supportsEndpoint: boolean;
  supportsTimeout: boolean;
  defaultTimeoutSeconds: number;
  execution: 'cloud' | 'local' | 'agent';
  supportsSignIn: boolean;
  /** Inserted between the endpoint and the wire's own path (`/v1` for local engines). */
  wirePrefix: string;
  models: ModelsSource | null;
  /** Whether the window offers its own catalog page (GET /providers/{id}/models). */
  hasCatalog: boolean;
  modelForm: 'name' | 'vendor/name';
  streaming: Knowledge;
  toolCalling: Knowledge;
  /** Used when the provider's own list cannot be read; all have declared tool calling. */
  reserveModels: readonly string[];
  /** Cheap model for titles and other small tasks, or null. */
  auxiliaryModel: string | null;
  reasoning: ReasoningProfile;
  /** Its name in the public catalog of models, or null. */
  publicName: string | null;
  /** Whether a free request can verify address and key. */
  hasProbe: boolean;
  quirks: WireQuirks;
}

export type WireKind = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini' | 'locale' | 'acp';
type Knowledge = 'observed' | 'declared' | 'unknown';
export type ModelsForm = 'openai' | 'ollama' | 'lmstudio' | 'gemini' | 'anthropic' | 'qwen';

interface ModelsSource {
  path: string;
  form: ModelsForm;
  /** Appended to the root of the address, not to its path. */
  fromRoot?: boolean;
  /** Also responds without a key, so it does not verify the key. */
  isPublic?: boolean;
}

/** A vendor's differences from the common chat-completions form. */
interface WireQuirks {
  /** Default `max_tokens`. */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** Usage is always sent; requesting it is rejected. */
  refusesStreamOptions?: boolean;
}

type Given = Pick<ProviderRecord, 'id' | 'label' | 'description' | 'keysPage' | 'defaultEndpoint' | 'reasoning'> &
  Partial<ProviderRecord>;

/** A hosted chat-completions provider with a bearer key, unless overridden. */
export function provider(given: Given): ProviderRecord {
  return {
    wire: 'openai-chat',
    key: 'required',
    keyHeader: 'authorization',
    supportsEndpoint: true,
    supportsTimeout: true,
    defaultTimeoutSeconds: 60,
    execution: 'cloud',
    supportsSignIn: false,
    wirePrefix: '',
    models: { path: '/models', form: 'openai' },
    hasCatalog: true,
    modelForm: 'name',
    streaming: 'declared',
    toolCalling: 'declared',
    reserveModels: [],
    auxiliaryModel: null,
    publicName: PUBLIC_NAMES[given.id] ?? null,
    hasProbe: true,
    quirks: {},
    ...given,
  };
}

/** models.dev uses other names for many of them. */
const PUBLIC_NAMES: Record<string, string> = {
  openai: 'openai',
  deepseek: 'deepseek',
  kimi: 'moonshotai',
  minimax: 'minimax',
  qwen: 'alibaba',
  zai: 'zai',
  anthropic: 'anthropic',
  gemini: 'google',
  aggregator: 'openrouter',
  groq: 'groq',
  cerebras: 'cerebras',
  mistral: 'mistral',
  together: 'togetherai',
  fireworks: 'fireworks-ai',
  deepinfra: 'deepinfra',
  novita: 'novita-ai',
  nebius: 'nebius',
  xai: 'xai',
  'ollama-cloud': 'ollama-cloud',
  hub: 'huggingface',
  'zai-anthropic': 'zai',
  'minimax-anthropic': 'minimax',
  azure: 'azure',
  bedrock: 'amazon-bedrock',
  vertex: 'google-vertex',
};
