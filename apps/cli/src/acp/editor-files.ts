import type {
  AgentContext,
  ClientCapabilities,
  ReadTextFileResponse,
  WriteTextFileResponse,
} from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type { EditorFiles } from '@fucina/shared';

interface EditorFilesNeeds {
  client: AgentContext;
  sessionId: string;
  capabilities: ClientCapabilities | undefined;
}

/** Files with the editor's unsaved changes; undefined if the editor does not support it. */
export function editorFiles({ client, sessionId, capabilities }: EditorFilesNeeds): EditorFiles | undefined {
  const { readTextFile, writeTextFile } = capabilities?.fs ?? {};
  if (!readTextFile && !writeTextFile) return undefined;
  const { fs } = methods.client;
  return {
    async read(path) {
      if (!readTextFile) return undefined;
      const answer = client.request<ReadTextFileResponse>(fs.readTextFile, { sessionId, path });
      // The editor cannot read it: read from disk.
      return answer.then(
        ({ content }) => content,
        () => undefined,
      );
    },
    async write(path, content) {
      if (!writeTextFile) return false;
      const answer = client.request<WriteTextFileResponse>(fs.writeTextFile, { sessionId, path, content });
      return answer.then(
        () => true,
        () => false,
      );
    },
  };
}
