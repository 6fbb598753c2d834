import type { ReasoningProfile } from './reasoning.ts';

/** One row of the registry: every fact about a provider that does not change while the program runs. */
export interface ProviderRecord {
  /** `[a-z][a-z0-9-]{0,31}`. */
  id: string;
  label: string;
  description: string;
  /** Where a user gets a key, or null. */
  keysPage: string | null;
  wire: WireKind;
  /** `optional`: sent when there is one. `never`: not even then. */
  key: 'required' | 'optional' | 'never';
  keyHeader: 'authorization' | 'x-api-key' | 'api-key' | 'x-goog-api-key';
  /** '' when the user must give one (resource, region or project); null when there is no address at all. */
  defaultEndpoint: string | null;
  supportsEndpoint: boolean;
  supportsTimeout: boolean;
  defaultTimeoutSeconds: number;
  execution: 'cloud' | 'local' | 'agent';
  supportsSignIn: boolean;
  /** What is put after the endpoint before the wire's own path (`/v1` for local engines). */
  wirePrefix: string;
  models: ModelsSource | null;
  /** Whether the window offers its own catalog page (GET /providers/{id}/models). */
  hasCatalog: boolean;
  modelForm: 'name' | 'vendor/name';
  streaming: Knowledge;
  toolCalling: Knowledge;
  /** Used when the provider's own list cannot be read; every one has tool calling declared. */
  reserveModels: readonly string[];
  /** Cheap model for titles and other small tasks, or null. */
  auxiliaryModel: string | null;
  reasoning: ReasoningProfile;
  /** Its name in the public catalog of models, or null. */
  publicName: string | null;
  /** Whether a free request can tell that address and key work. */
  hasProbe: boolean;
  quirks: WireQuirks;
}

export type WireKind = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini' | 'locale' | 'acp';
type Knowledge = 'observed' | 'declared' | 'unknown';
export type ModelsForm = 'openai' | 'ollama' | 'lmstudio' | 'gemini' | 'anthropic' | 'qwen';

interface ModelsSource {
  path: string;
  form: ModelsForm;
  /** Taken from the root of the address, not from its path. */
  fromRoot?: boolean;
  /** Answered without a key too, so that it proves nothing about the key. */
  isPublic?: boolean;
}

/** Where a vendor's chat completions differ from the common form. */
interface WireQuirks {
  /** Default `max_tokens`. */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** Usage comes without asking, and asking is refused. */
  refusesStreamOptions?: boolean;
  /** Wants the reasoning of the running turn back with each tool result. */
  wantsReasoningBack?: boolean;
}

type Given = Pick<ProviderRecord, 'id' | 'label' | 'description' | 'keysPage' | 'defaultEndpoint' | 'reasoning'> &
  Partial<ProviderRecord>;

/** A hosted chat-completions provider with a bearer key, but for what is said. */
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

/** models.dev calls many of them otherwise. */
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
