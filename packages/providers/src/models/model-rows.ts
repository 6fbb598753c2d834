import { textStart } from '@fucina/shared';
import type { ModelsForm } from '../table/record.ts';

/** A model as a provider lists it. An undeclared property is unknown, not absent. */
export interface ModelRow {
  /** Without the provider's prefix. */
  id: string;
  name: string;
  provider: string;
  /** In tokens. */
  contextLength: number | null;
  /** True when the provider itself stated the length. */
  isContextVerified: boolean;
  /** In tokens. */
  maxOutputTokens: number | null;
  capabilities: ModelCapabilities;
  inputModalities?: string[];
  quantization: string | null;
  /** Null when unknown; 0 is a stated price. */
  price: ModelPrice | null;
  /** Wall time in ms; null for a built-in model that was not listed. */
  observedAt: number | null;
}

export interface ModelPrice {
  promptPerMillion: number;
  completionPerMillion: number;
  /** Price of cached prompt tokens; null when equal to others, or unknown. */
  cachedPerMillion: number | null;
  /** Price of prompt tokens that are written to the cache; absent when equal to others, or unknown. */
  cacheWritePerMillion?: number;
  currency: 'USD';
}

export interface ModelCapabilities {
  vision: Capability;
  toolUse: Capability;
  reasoning: Capability;
}

export type Capability = 'observed-yes' | 'observed-no' | 'unknown';

const MAX_MODELS = 10_000;

/** The rows in a provider's list; throws SyntaxError for invalid data. Unreadable entries are skipped. */
export function readModelRows(body: string, source: { form: ModelsForm; provider: string; now: number }): ModelRow[] {
  const list = listOf(JSON.parse(body), source.form);
  if (!list) throw new SyntaxError('no list of models');
  const rows = list.slice(0, MAX_MODELS).flatMap((entry) => {
    const row = isRecord(entry) ? readRow(entry, source) : undefined;
    return row ? [row] : [];
  });
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

type Entry = Record<string, unknown>;

function listOf(value: unknown, form: ModelsForm): unknown[] | undefined {
  // Some hosts return a bare list.
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const holder = form === 'qwen' && isRecord(value['output']) ? value['output'] : value;
  const list =
    form === 'openai' || form === 'anthropic'
      ? (holder['data'] ?? holder['models'])
      : (holder['models'] ?? holder['data']);
  return Array.isArray(list) ? list : undefined;
}

function readRow(
  entry: Entry,
  { form, provider, now }: { form: ModelsForm; provider: string; now: number },
): ModelRow | undefined {
  const id = text(entry, ID_FIELDS[form])?.replace(/^models\//, '');
  if (!id || id.length > 200 || !isChatModel(entry)) return undefined;
  const contextLength = number(entry, CONTEXT_FIELDS);
  const modalities = strings(at(entry, 'architecture.input_modalities') ?? entry['input_modalities']);
  return {
    id,
    name: textStart(
      text(entry, ['display_name', 'displayName', ...(provider === 'aggregator' ? ['name'] : [])]) ?? id,
      200,
    ),
    provider,
    contextLength,
    isContextVerified: contextLength !== null,
    maxOutputTokens: number(entry, OUTPUT_FIELDS),
    capabilities: readCapabilities(entry, modalities),
    ...(modalities && { inputModalities: modalities }),
    quantization: text(entry, ['quantization.name', 'details.quantization_level', 'quantization']) ?? null,
    price: readPrice(entry),
    observedAt: now,
  };
}

/** Two forms are in use: dollars per token as text (the aggregator), dollars per million as numbers. */
function readPrice(entry: Entry): ModelPrice | null {
  const perToken = (name: string): number | undefined => {
    const text = at(entry, `pricing.${name}`);
    const value = typeof text === 'string' && /^\d+(\.\d+)?(e-\d+)?$/i.test(text) ? Number(text) : undefined;
    // Twelve digits are more than any price has, and hide the rounding error of the multiplication.
    return value === undefined ? undefined : Number((value * 1_000_000).toPrecision(12));
  };
  const perMillion = (name: string): number | undefined => {
    const value = at(entry, `pricing.${name}`);
    return typeof value === 'number' && value >= 0 ? value : undefined;
  };
  const promptPerMillion = perToken('prompt') ?? perMillion('input');
  const completionPerMillion = perToken('completion') ?? perMillion('output');
  if (promptPerMillion === undefined || completionPerMillion === undefined) return null;
  const cachedPerMillion = perToken('input_cache_read') ?? perMillion('cached_input') ?? null;
  const write = perToken('input_cache_write') ?? perMillion('cache_write');
  const written = write !== undefined && { cacheWritePerMillion: write };
  return { promptPerMillion, completionPerMillion, cachedPerMillion, ...written, currency: 'USD' };
}

const ID_FIELDS: Record<ModelsForm, readonly string[]> = {
  openai: ['id'],
  anthropic: ['id'],
  ollama: ['model', 'name'],
  lmstudio: ['key', 'id'],
  gemini: ['name'],
  qwen: ['model', 'id', 'name'],
};

const CONTEXT_FIELDS = [
  'context_length',
  'context_window',
  'max_context_length',
  'context_size',
  'max_input_tokens',
  'inputTokenLimit',
  'max_model_len',
  'metadata.context_length',
  'top_provider.context_length',
  'model_info.context_window',
] as const;

const OUTPUT_FIELDS = [
  'max_completion_tokens',
  'top_provider.max_completion_tokens',
  'outputTokenLimit',
  'max_output_tokens',
] as const;

/** Lists include models that are not for chat; only clearly declared ones are skipped. */
function isChatModel(entry: Entry): boolean {
  const methods = strings(entry['supportedGenerationMethods']);
  if (methods && !methods.includes('generateContent')) return false;
  const type = text(entry, ['type']);
  return !['embedding', 'embeddings', 'image', 'audio', 'video', 'rerank', 'moderation', 'transcribe'].includes(
    type ?? '',
  );
}

function readCapabilities(entry: Entry, modalities: string[] | undefined): ModelCapabilities {
  // A list of parameters or features is complete if present; its absence means nothing.
  const listed =
    strings(entry['supported_parameters']) ?? strings(entry['features']) ?? strings(entry['supported_features']);
  const inList = (...names: string[]): boolean | undefined => listed && names.some((name) => listed.includes(name));
  return {
    vision: toCapability(
      modalities?.includes('image') ??
        flag(entry, [
          'capabilities.vision',
          'capabilities.image_input.supported',
          'supports_image_input',
          'supports_image_in',
          'supports_vision',
        ]),
    ),
    toolUse: toCapability(
      inList('tools', 'function-calling', 'tool_choice') ??
        flag(entry, [
          'capabilities.function_calling',
          'capabilities.trained_for_tool_use',
          'supports_tools',
          'supports_tool_use',
        ]) ??
        toolsOfHosts(entry),
    ),
    reasoning: toCapability(
      inList('reasoning', 'reasoning_effort', 'include_reasoning') ??
        flag(entry, ['capabilities.reasoning', 'capabilities.thinking.supported', 'supports_reasoning', 'thinking']),
    ),
  };
}

/** A router lists it per host. */
function toolsOfHosts(entry: Entry): boolean | undefined {
  const hosts = entry['providers'];
  if (!Array.isArray(hosts)) return undefined;
  const stated = hosts.flatMap((host) =>
    isRecord(host) && typeof host['supports_tools'] === 'boolean' ? [host['supports_tools']] : [],
  );
  return stated.length > 0 ? stated.includes(true) : undefined;
}

function toCapability(value: boolean | undefined): Capability {
  if (value === undefined) return 'unknown';
  return value ? 'observed-yes' : 'observed-no';
}

function flag(entry: Entry, paths: readonly string[]): boolean | undefined {
  for (const path of paths) {
    const value = at(entry, path);
    if (typeof value === 'boolean') return value;
  }
  return undefined;
}

function text(entry: Entry, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const value = at(entry, path);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function number(entry: Entry, paths: readonly string[]): number | null {
  for (const path of paths) {
    const value = at(entry, path);
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  }
  return null;
}

function strings(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;
}

function at(entry: Entry, path: string): unknown {
  let value: unknown = entry;
  for (const name of path.split('.')) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
