import { describe, expect, test } from '@jest/globals';
import { auxiliaryModel, checkFallback, modelIdOf, parseModelId } from '../index.ts';
import { chatReasoning, effortSent } from './reasoning.ts';
import { PROVIDERS, providerOf } from './registry.ts';

/** id | address | wire | key | address editable | models path | form | catalog in the window. */
const DOCUMENT = `
esterno | - | acp | never | no | - | name | yes
openai | https://api.openai.com/v1 | openai-responses | required | yes | /models | name | yes
deepseek | https://api.deepseek.com | openai-chat | required | yes | /models | name | yes
kimi | https://api.moonshot.ai/v1 | openai-chat | required | yes | /models | name | yes
minimax | https://api.minimax.io/v1 | openai-chat | required | yes | /models | name | yes
qwen | https://dashscope-intl.aliyuncs.com/compatible-mode/v1 | openai-chat | required | yes | /api/v1/models | name | yes
zai | https://api.z.ai/api/paas/v4 | openai-chat | required | yes | /models | name | yes
anthropic | https://api.anthropic.com/v1 | anthropic-messages | required | no | /models | name | yes
gemini | https://generativelanguage.googleapis.com/v1beta | gemini | required | no | /models | name | yes
aggregator | https://openrouter.ai/api/v1 | openai-chat | required | yes | /models | vendor/name | no
ollama | http://127.0.0.1:11434 | openai-chat | optional | yes | /api/tags | name | no
lmstudio | http://127.0.0.1:1234 | openai-chat | optional | yes | /api/v1/models | name | yes
groq | https://api.groq.com/openai/v1 | openai-chat | required | yes | /models | vendor/name | yes
cerebras | https://api.cerebras.ai/v1 | openai-chat | required | yes | /models | name | yes
mistral | https://api.mistral.ai/v1 | openai-chat | required | yes | /models | name | yes
together | https://api.together.ai/v1 | openai-chat | required | yes | /models | vendor/name | yes
fireworks | https://api.fireworks.ai/inference/v1 | openai-chat | required | yes | /models | vendor/name | yes
deepinfra | https://api.deepinfra.com/v1/openai | openai-chat | required | yes | /models | vendor/name | yes
novita | https://api.novita.ai/openai/v1 | openai-chat | required | yes | /models | vendor/name | yes
nebius | https://api.tokenfactory.nebius.com/v1 | openai-chat | required | yes | /models | vendor/name | yes
xai | https://api.x.ai/v1 | openai-chat | required | yes | /models | name | yes
ollama-cloud | https://ollama.com/v1 | openai-chat | required | yes | /models | name | yes
hub | https://router.huggingface.co/v1 | openai-chat | required | yes | /models | vendor/name | yes
zai-anthropic | https://api.z.ai/api/anthropic/v1 | anthropic-messages | required | yes | - | name | yes
minimax-anthropic | https://api.minimax.io/anthropic/v1 | anthropic-messages | required | yes | /models | name | yes
azure |  | openai-chat | required | yes | /models | name | yes
bedrock |  | openai-chat | required | yes | /models | name | yes
vertex |  | openai-chat | required | yes | - | vendor/name | yes
local | - | locale | never | no | - | name | no`;

describe('the provider registry', () => {
  test('contains the 29 documented providers in order', () => {
    const rows = PROVIDERS.map((record) =>
      [
        record.id,
        record.defaultEndpoint ?? '-',
        record.wire,
        record.key,
        record.supportsEndpoint ? 'yes' : 'no',
        record.models?.path ?? '-',
        record.modelForm,
        record.hasCatalog ? 'yes' : 'no',
      ].join(' | '),
    );
    expect(rows.join('\n')).toBe(DOCUMENT.trim());
    expect(rows).toHaveLength(29);
  });

  test('deviates from the defaults only where documented', () => {
    const ids = (holds: (record: (typeof PROVIDERS)[number]) => boolean): string[] =>
      PROVIDERS.filter(holds).map(({ id }) => id);
    expect(ids(({ defaultTimeoutSeconds }) => defaultTimeoutSeconds !== 60)).toEqual(['esterno']);
    expect(providerOf('esterno').defaultTimeoutSeconds).toBe(180);
    expect(ids(({ keyHeader }) => keyHeader === 'x-api-key')).toEqual(['anthropic', 'minimax-anthropic']);
    expect(ids(({ keyHeader }) => keyHeader === 'api-key')).toEqual(['azure']);
    expect(ids(({ keyHeader }) => keyHeader === 'x-goog-api-key')).toEqual(['gemini']);
    expect(ids(({ hasProbe }) => !hasProbe)).toEqual(['esterno', 'zai-anthropic', 'vertex', 'local']);
    expect(ids(({ supportsTimeout }) => !supportsTimeout)).toEqual(['esterno', 'local']);
    expect(ids(({ supportsSignIn }) => supportsSignIn)).toEqual(['aggregator']);
    expect(ids(({ wirePrefix }) => wirePrefix === '/v1')).toEqual(['ollama', 'lmstudio']);
    expect(ids(({ execution }) => execution !== 'cloud')).toEqual(['esterno', 'ollama', 'lmstudio', 'local']);
    for (const { id } of PROVIDERS) expect(id).toMatch(/^[a-z][a-z0-9-]{0,31}$/);
  });

  test('an unknown provider is PROVIDER_INVALID', () => {
    expect(() => providerOf('nobody')).toThrow('PROVIDER_INVALID');
    expect(() => providerOf('__proto__')).toThrow('PROVIDER_INVALID');
  });
});

describe('a model id', () => {
  test.each([
    ['openai:gpt-6-sol', 'openai', 'gpt-6-sol'],
    ['ollama:qwen3:8b', 'ollama', 'qwen3:8b'],
    ['groq:openai/gpt-oss-120b', 'groq', 'openai/gpt-oss-120b'],
    ['fireworks:accounts/fireworks/models/x', 'fireworks', 'accounts/fireworks/models/x'],
    ['bedrock:openai.gpt-oss-120b-1:0', 'bedrock', 'openai.gpt-oss-120b-1:0'],
    ['local:my-model.gguf', 'local', 'my-model.gguf'],
    ['anthropic/claude-sonnet-4.5', 'aggregator', 'anthropic/claude-sonnet-4.5'],
    ['~vendor/name:free', 'aggregator', '~vendor/name:free'],
    ['aggregator:vendor/name', 'aggregator', 'vendor/name'],
  ])('%s belongs to %s', (id, provider, model) => {
    expect(parseModelId(id)).toEqual({ provider, model });
    expect(parseModelId(modelIdOf({ provider, model }))).toEqual({ provider, model });
  });

  test.each([
    '',
    'gpt-6',
    'nobody:model',
    'openai:',
    'openai: x',
    ':x',
    'a/',
    '/a',
    'a//b',
    'a/b c',
    'a/b\n',
    'aggregator:plain',
    `openai:${'x'.repeat(201)}`,
    'openai:../x',
    'https://a/b',
  ])('%j is MODEL_ID_INVALID', (id) => {
    expect(() => parseModelId(id)).toThrow('MODEL_ID_INVALID');
  });

  test('has a cheap variant', () => {
    expect(auxiliaryModel('anthropic:claude-opus-5-5')).toBe('anthropic:claude-haiku-4-5');
    expect(auxiliaryModel('vendor/name')).toBe('google/gemini-2.5-flash-lite');
    expect(auxiliaryModel('ollama:x')).toBeNull();
  });
});

describe('a fallback list', () => {
  const pair = { provider: 'deepseek', model: 'deepseek-chat' };

  test('accepts eight different pairs', () => {
    const eight = Array.from({ length: 8 }, (_, index) => ({ ...pair, model: `m${index}` }));
    expect(() => checkFallback(eight, { hasTools: false })).not.toThrow();
    expect(() => checkFallback([...eight, pair], { hasTools: false })).toThrow('PROVIDER_FALLBACK_INVALID');
    expect(() => checkFallback([pair, pair], { hasTools: false })).toThrow('PROVIDER_FALLBACK_INVALID');
  });

  test.each([
    { provider: 'nobody', model: 'm' },
    { provider: 'local', model: 'm' },
    { provider: 'ollama', model: 'm' },
    { provider: 'esterno', model: 'm' },
    { provider: 'deepseek', model: '' },
    { provider: 'deepseek', model: 'x'.repeat(201) },
    { provider: 'deepseek', model: 'https://host/x' },
    { provider: 'deepseek', model: 'deepseek:deepseek-chat' },
    { provider: 'deepseek', model: 'a b' },
  ])('rejects %j', (entry) => {
    expect(() => checkFallback([entry], { hasTools: false })).toThrow('PROVIDER_FALLBACK_INVALID');
  });

  test('with tools accepts only models with tool support', () => {
    expect(() => checkFallback([pair], { hasTools: true })).not.toThrow();
    expect(() => checkFallback([{ ...pair, model: 'other' }], { hasTools: true })).toThrow(
      'PROVIDER_FALLBACK_TOOLS_UNSUPPORTED',
    );
  });
});

describe('reasoning levels', () => {
  const openai = providerOf('openai').reasoning;

  test.each([
    ['gpt-6.1-sol', 'none', 'low'],
    ['gpt-6-sol', 'none', 'none'],
    ['gpt-5', 'max', 'high'],
    ['gpt-5-mini', 'none', 'minimal'],
    ['gpt-5.4', 'max', 'xhigh'],
    ['gpt-4.1', 'high', null],
    ['o3', 'minimal', 'low'],
  ] as const)('for %s: %s is sent as %s', (model, asked, sent) => {
    expect(effortSent(openai, model, asked)).toBe(sent);
  });

  test('are sent in the field of each provider', () => {
    const sent = (provider: string, model: string, effort: 'none' | 'high'): unknown =>
      chatReasoning(providerOf(provider).reasoning, model, { effort });
    expect(sent('aggregator', 'a/b', 'high')).toEqual({ reasoning: { effort: 'high' } });
    expect(sent('zai', 'glm-4.7', 'high')).toEqual({ thinking: { type: 'enabled' } });
    expect(sent('zai', 'glm-4.7', 'none')).toEqual({ thinking: { type: 'disabled' } });
    expect(sent('qwen', 'qwen-plus', 'none')).toEqual({ enable_thinking: false });
    expect(sent('groq', 'openai/gpt-oss-120b', 'none')).toEqual({ reasoning_effort: 'low' });
    expect(sent('groq', 'qwen/qwen3-32b', 'high')).toEqual({});
    expect(sent('mistral', 'mistral-large-latest', 'high')).toEqual({});
    expect(chatReasoning(providerOf('zai').reasoning, 'glm-4.7', undefined)).toEqual({});
  });
});
