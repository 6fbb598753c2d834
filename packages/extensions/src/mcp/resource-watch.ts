import type { Client, McpSubscription } from '@modelcontextprotocol/client';

/** Which resources of a connection changed, where the server can tell. */
export interface ResourceWatch {
  /** From now on its changes are noted. Never rejects: a server that refuses is not watched. */
  watch(uri: string): Promise<void>;
  hasChanged(uri: string): boolean;
  /** It was read again. */
  settle(uri: string): void;
}

const TIMEOUT_MS = 15_000;
const MAX_WATCHED = 64;

export function createResourceWatch(client: Client, logError: (text: string) => void): ResourceWatch {
  const watched = new Set<string>();
  const changed = new Set<string>();
  let stream: McpSubscription | undefined;
  client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => {
    // A server may name a part of a watched resource.
    for (const each of watched) if (uri === each || uri.startsWith(`${each}/`)) changed.add(each);
  });
  const subscribe = async (uri: string): Promise<void> => {
    if (client.getProtocolEra() === 'legacy') {
      await client.subscribeResource({ uri }, { timeout: TIMEOUT_MS });
      return;
    }
    const before = stream;
    stream = await client.listen({ resourceSubscriptions: [...watched] }, { timeout: TIMEOUT_MS });
    await before?.close();
  };
  return {
    async watch(uri) {
      const canSubscribe = client.getServerCapabilities()?.resources?.subscribe;
      if (!canSubscribe || watched.has(uri) || watched.size >= MAX_WATCHED) return;
      watched.add(uri);
      try {
        await subscribe(uri);
      } catch (error) {
        logError(`subscription to ${uri}: ${(error as Error).message}`);
      }
    },
    hasChanged: (uri) => changed.has(uri),
    settle(uri) {
      changed.delete(uri);
    },
  };
}
