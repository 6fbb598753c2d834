import { describe, expect, test } from '@jest/globals';
import { providerOfId, settingsOfProvider, wireIdOf } from '../../wire/model-id.ts';
import type { Catalog, ModelRow, ProviderRow } from '../../wire/records.ts';
import { ageOf, entriesOf, linesFor, unreadyLines } from './catalog.ts';

const model = (provider: string, id: string, more: Partial<ModelRow> = {}): ModelRow => ({
  id,
  name: id,
  provider,
  contextLength: null,
  isContextVerified: false,
  capabilities: { vision: 'unknown', toolUse: 'unknown', reasoning: 'unknown' },
  quantization: null,
  maxOutputTokens: null,
  price: null,
  observedAt: '2026-01-02T00:00:00.000Z',
  ...more,
});

const provider = (id: string, more: Partial<ProviderRow> = {}): ProviderRow => ({
  id,
  label: id,
  requiresKey: true,
  keyConfigured: false,
  pool: [],
  reserveModels: [],
  defaultEndpoint: 'https://example.com/v1',
  supportsEndpoint: true,
  supportsTimeout: true,
  endpoint: 'https://example.com/v1',
  endpointConfigured: false,
  timeoutSeconds: 60,
  execution: 'cloud',
  supportsOAuth: false,
  keyOrigin: null,
  ...more,
});

const LABELS: Record<string, string> = { ollama: 'Ollama', openai: 'OpenAI', aggregator: 'OpenRouter' };
const label = (id: string) => LABELS[id] ?? id;
const none = { search: '', capabilities: new Set<never>() };

describe('the model list', () => {
  const entries = entriesOf(
    [model('openai', 'gpt-10'), model('ollama', 'qwen'), model('openai', 'gpt-5'), model('aggregator', 'meta/llama-4')],
    label,
  );
  const rowsFor = (search: string) =>
    linesFor(entries, { ...none, search }).map((line) => (line.kind === 'model' ? line.id : `# ${line.key}`));

  test('sorts by provider and name with natural numbers', () => {
    expect(rowsFor('')).toEqual([
      '# name ollama',
      'ollama:qwen',
      '# name openai',
      'openai:gpt-5',
      'openai:gpt-10',
      '# name aggregator',
      'meta/llama-4',
    ]);
  });

  test('matches names before providers, every word, ignoring accents', () => {
    expect(rowsFor('LLAMA')).toEqual(['# name aggregator', 'meta/llama-4', '# provider ollama', 'ollama:qwen']);
    expect(rowsFor('openai 10')).toEqual(['# provider openai', 'openai:gpt-10']);
    expect(rowsFor('gpt zzz')).toEqual([]);
  });

  test('filtered by a capability excludes models that do not declare it', () => {
    const seeing = model('openai', 'sees', {
      capabilities: { vision: 'observed-yes', toolUse: 'unknown', reasoning: 'observed-no' },
    });
    const all = entriesOf([seeing, model('openai', 'untold')], label);
    const lines = linesFor(all, { search: '', capabilities: new Set(['vision'] as const) });
    expect(lines.map(({ kind }) => kind)).toEqual(['group', 'model']);
  });

  test('searches all of five thousand models', () => {
    const many = entriesOf(
      Array.from({ length: 5_000 }, (_, at) => model('aggregator', `vendor/model-${at}`)),
      label,
    );
    expect(linesFor(many, { ...none, search: 'model 4999' })).toHaveLength(2);
  });
});

describe('unavailable providers', () => {
  const rows = [
    provider('openai', { reserveModels: ['gpt-5'] }),
    provider('azure', { keyConfigured: true, endpoint: null, defaultEndpoint: null }),
    provider('esterno', { requiresKey: false, supportsEndpoint: false, execution: 'agent' }),
    provider('groq', { keyConfigured: true }),
    provider('mistral', { keyConfigured: true }),
    provider('local', { label: 'Ours', requiresKey: false, supportsEndpoint: false, execution: 'local' }),
  ];
  const rowsFor = (search: string) =>
    unreadyLines(rows, new Set(['mistral']), search).flatMap((line) =>
      line.kind === 'unready' ? [`${line.provider} ${line.model ?? '-'} ${line.why}`] : [],
    );

  test('show a reason and exclude listed ones', () => {
    expect(rowsFor('')).toEqual([
      'openai - no-key',
      'azure - no-address',
      'esterno - not-set-up',
      'groq - no-list',
      'local - no-model',
    ]);
  });

  test('are found by their documented models', () => {
    expect(rowsFor('gpt')).toEqual(['openai gpt-5 no-key']);
    expect(rowsFor('gro')).toEqual(['groq - no-list']);
    expect(rowsFor('nothing of this name')).toEqual([]);
  });
});

describe('model ids', () => {
  test('convert to a provider and back', () => {
    expect(wireIdOf('openai', 'gpt-5')).toBe('openai:gpt-5');
    expect(wireIdOf('aggregator', 'meta/llama:free')).toBe('meta/llama:free');
    expect(providerOfId('ollama:qwen:7b')).toBe('ollama');
    expect(providerOfId('meta/llama:free')).toBe('aggregator');
  });

  test('link to the settings of their provider', () => {
    expect(settingsOfProvider(providerOfId('openai:gpt-5'))).toBe('/settings/providers?provider=openai');
    expect(settingsOfProvider(providerOfId('local:mine'))).toBe('/local-models');
  });
});

describe('the age of the catalog', () => {
  const catalog = { directLevels: {}, directWires: {}, catalogWire: {} };
  test('is that of the oldest list', () => {
    const models = [
      model('a', 'x'),
      model('b', 'y', { observedAt: '2026-01-01T00:00:00.000Z' }),
      model('c', 'z', { observedAt: null }),
    ];
    const full: Catalog = { ...catalog, models, publicCatalog: { isOn: false, observedAt: null } };
    expect(ageOf(full)).toEqual({ lists: '2026-01-01T00:00:00.000Z', facts: { isOff: true, at: undefined } });
    expect(ageOf({ ...full, models: [], publicCatalog: { isOn: true, observedAt: null } })).toEqual({
      lists: undefined,
      facts: { isOff: false, at: undefined },
    });
  });
});
