import { type Effort, NO_REASONING } from './reasoning.ts';
import { type ProviderRecord, provider } from './record.ts';

const CLAUDE_EFFORTS: readonly Effort[] = ['none', 'low', 'medium', 'high'];

/** Cloud platforms, whose address depends on a resource, region or project, and the local engine. */
export const PLATFORMS: readonly ProviderRecord[] = [
  provider({
    id: 'azure',
    label: 'Azure OpenAI',
    description: 'Deployments of an Azure resource; a model is the name of a deployment.',
    keysPage: 'https://ai.azure.com',
    keyHeader: 'api-key',
    defaultEndpoint: '',
    reserveModels: ['gpt-5', 'gpt-5-mini', 'gpt-4.1'],
    reasoning: { field: 'effort', levels: [{ models: 'gpt-5*', efforts: ['minimal', 'low', 'medium', 'high'] }] },
    quirks: { maxTokensField: 'max_completion_tokens' },
  }),
  provider({
    id: 'bedrock',
    label: 'Amazon Bedrock',
    description: 'Models of a Bedrock region; Claude through its own interface.',
    keysPage: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
    defaultEndpoint: '',
    reserveModels: ['openai.gpt-oss-120b', 'openai.gpt-oss-20b'],
    reasoning: {
      field: 'effort',
      levels: [
        { models: 'openai.gpt-oss*', efforts: ['low', 'medium', 'high'] },
        ...['', 'us.', 'eu.', 'apac.', 'global.'].map((place) => ({
          models: `${place}anthropic.claude*`,
          efforts: CLAUDE_EFFORTS,
        })),
      ],
    },
  }),
  provider({
    id: 'vertex',
    label: 'Google Vertex AI',
    description: 'Models of a Vertex project and region; the key is a temporary access token.',
    keysPage: 'https://console.cloud.google.com/vertex-ai',
    defaultEndpoint: '',
    models: null,
    modelForm: 'vendor/name',
    reserveModels: ['google/gemini-2.5-pro', 'google/gemini-2.5-flash'],
    auxiliaryModel: 'google/gemini-2.5-flash',
    reasoning: {
      field: 'effort',
      levels: [
        { models: 'google/gemini*', efforts: ['none', 'low', 'medium', 'high'] },
        { models: 'anthropic/claude*', efforts: CLAUDE_EFFORTS },
      ],
    },
    hasProbe: false,
  }),
  provider({
    id: 'local',
    label: 'Local models',
    description: 'Models that this application runs itself on this computer.',
    keysPage: null,
    wire: 'locale',
    key: 'never',
    defaultEndpoint: null,
    supportsEndpoint: false,
    supportsTimeout: false,
    execution: 'local',
    models: null,
    hasCatalog: false,
    toolCalling: 'unknown',
    reasoning: NO_REASONING,
    hasProbe: false,
  }),
];
