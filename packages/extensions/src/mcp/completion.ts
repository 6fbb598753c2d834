import type { Client, CompleteRequest, Resource } from '@modelcontextprotocol/client';

/** What a server knows about the texts that refer to it. */
export interface ServerCompletion {
  resources(): Promise<readonly Resource[]>;
  templates(): Promise<readonly { uriTemplate: string; name: string }[]>;
  /** Values of an argument; none where the server completes nothing. */
  values(params: CompleteRequest['params']): Promise<readonly string[]>;
}

const TIMEOUT_MS = 5_000;

export function completionOf(client: Client): ServerCompletion {
  const options = { timeout: TIMEOUT_MS };
  const capabilities = () => client.getServerCapabilities() ?? {};
  return {
    resources: async () => (capabilities().resources ? (await client.listResources({}, options)).resources : []),
    templates: async () =>
      capabilities().resources ? (await client.listResourceTemplates({}, options)).resourceTemplates : [],
    values: async (params) =>
      capabilities().completions ? (await client.complete(params, options)).completion.values : [],
  };
}
