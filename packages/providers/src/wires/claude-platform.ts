import { modelFamily } from '@fucina/shared';
import type { WireCall } from './wire.ts';

/**
 * Claude's interface at a cloud platform, beside the chat-completions one of the user's address. Sources: "Inference
 * using Anthropic Messages API" (Amazon Bedrock, bedrock-mantle) and "Claude on Vertex AI" (Anthropic).
 */
export function atPlatform(call: WireCall): WireCall {
  const { record, endpoint } = call;
  if (record.id === 'bedrock') {
    return {
      ...call,
      endpoint: endpoint.replace(/\/v1$/, '/anthropic/v1'),
      record: { ...record, keyHeader: 'x-api-key' },
    };
  }
  return record.id === 'vertex' ? { ...call, endpoint: endpoint.replace(/\/endpoints\/openapi$/, '') } : call;
}

/** Vertex has the model in the path and the version in the body. */
export function platformRequest(
  { record, model }: WireCall,
  { url, body }: { url: string; body: string },
): { url: string; body: string } {
  if (record.id !== 'vertex' || modelFamily(model) !== 'claude') return { url, body };
  const { model: _inPath, ...rest } = JSON.parse(body) as Record<string, unknown>;
  const name = encodeURIComponent(model.slice(model.lastIndexOf('/') + 1)).replaceAll('%40', '@');
  return {
    url: url.replace(/\/messages(?=\?|$)/, `/publishers/anthropic/models/${name}:streamRawPredict`),
    body: JSON.stringify({ anthropic_version: 'vertex-2023-10-16', ...rest }),
  };
}
