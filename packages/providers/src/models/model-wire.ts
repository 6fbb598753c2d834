import { modelFamily } from '@fucina/shared';
import type { ProviderRecord, WireKind } from '../table/record.ts';

/** Families that Azure serves through chat completions only. */
const AZURE_CHAT = new Set([
  'claude',
  'gpt-oss',
  'gemini',
  'kimi',
  'deepseek',
  'qwen',
  'glm',
  'minimax',
  'grok',
  'mistral',
]);

/**
 * The wire of a model at its provider. The cloud platforms serve models of several vendors: Claude goes through its own
 * interface, which alone gives its thinking back, and deployments of Azure through responses, unless their names are
 * those of other vendors' models.
 */
export function wireOfModel({ id, wire }: ProviderRecord, model: string): WireKind {
  const family = modelFamily(model);
  if ((id === 'bedrock' || id === 'vertex') && family === 'claude') return 'anthropic-messages';
  if (id === 'azure' && !AZURE_CHAT.has(family)) return 'openai-responses';
  return wire;
}
