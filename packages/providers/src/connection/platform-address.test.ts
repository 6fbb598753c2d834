import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn } from '../../test/harness.ts';

describe('the address of a cloud platform', () => {
  test.each([
    ['azure', 'My-Resource', 'https://my-resource.openai.azure.com/openai/v1'],
    ['azure', 'https://res.openai.azure.com/', 'https://res.openai.azure.com/openai/v1'],
    ['azure', 'https://res.services.ai.azure.com', 'https://res.services.ai.azure.com/openai/v1'],
    ['azure', 'https://gateway.example/azure', 'https://gateway.example/azure'],
    ['bedrock', 'eu-west-1', 'https://bedrock-mantle.eu-west-1.api.aws/v1'],
    ['bedrock', ' us-gov-west-1 ', 'https://bedrock-mantle.us-gov-west-1.api.aws/v1'],
    [
      'bedrock',
      'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1/',
      'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1',
    ],
    [
      'vertex',
      'my-project-1/europe-west4',
      'https://europe-west4-aiplatform.googleapis.com/v1/projects/my-project-1/locations/europe-west4/endpoints/openapi',
    ],
    [
      'vertex',
      'my-project-1 global',
      'https://aiplatform.googleapis.com/v1/projects/my-project-1/locations/global/endpoints/openapi',
    ],
  ])('of %s is built from %s', async (provider, text, endpoint) => {
    await using harness = await createHarness();
    expect(harness.providers.runtime.change(provider, { endpoint: text })).toMatchObject({ endpoint });
  });

  test.each([
    ['azure', 'two words'],
    ['bedrock', 'somewhere'],
    ['vertex', 'project-alone'],
    ['kimi', 'eu-west-1'],
  ])('of %s rejects %s', async (provider, text) => {
    await using harness = await createHarness();
    expect(() => harness.providers.runtime.change(provider, { endpoint: text })).toThrow('PROVIDER_RUNTIME_INVALID');
  });

  test.each([
    ['azure', 'azure:my-deployment', '/v1/responses', { 'api-key': 'platform-key-0000' }],
    ['azure', 'azure:DeepSeek-V3.2', '/v1/chat/completions', { 'api-key': 'platform-key-0000' }],
    ['bedrock', 'bedrock:openai.gpt-oss-120b', '/v1/chat/completions', { authorization: 'Bearer platform-key-0000' }],
    [
      'bedrock',
      'bedrock:us.anthropic.claude-opus-4-6-v1',
      '/anthropic/v1/messages',
      { 'x-api-key': 'platform-key-0000' },
    ],
    ['vertex', 'vertex:google/gemini-2.5-pro', '/v1/chat/completions', { authorization: 'Bearer platform-key-0000' }],
    [
      'vertex',
      'vertex:anthropic/claude-opus-4-5@20251101',
      '/v1/publishers/anthropic/models/claude-opus-4-5@20251101:streamRawPredict',
      { authorization: 'Bearer platform-key-0000' },
    ],
  ])('%s serves %s at %s with its own key header', async (provider, model, path, headers) => {
    await using harness = await createHarness();
    expect(failureIn(await harness.ask(model))).toMatchObject({ code: 'PROVIDER_RUNTIME_INVALID' });
    await harness.connect(provider, 'platform-key-0000');
    expect((await harness.ask(model)).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(harness.server.requests[0]).toMatchObject({ path, headers });
    const { body } = harness.server.requests[0] ?? {};
    const isInPath = path.includes('streamRawPredict');
    expect([body?.['anthropic_version'], 'model' in (body ?? {})]).toEqual(
      isInPath ? ['vertex-2023-10-16', false] : [undefined, true],
    );
  });
});
