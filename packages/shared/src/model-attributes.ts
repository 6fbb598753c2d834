import type { SpanAttributes } from './tracing.ts';

/** The conventions' names of providers, where they differ from ours. */
const PROVIDERS: Record<string, string> = {
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  kimi: 'moonshot_ai',
  esterno: 'external_agent',
};

/** By OpenTelemetry's conventions. A model id is `<provider>:<model>`, or `vendor/name` of the aggregator. */
export function modelAttributes(id: string): SpanAttributes & { 'gen_ai.request.model': string } {
  const [, provider = 'aggregator', model = id] = /^([\w-]+):(.+)$/.exec(id) ?? [];
  return { 'gen_ai.provider.name': PROVIDERS[provider] ?? provider, 'gen_ai.request.model': model };
}
