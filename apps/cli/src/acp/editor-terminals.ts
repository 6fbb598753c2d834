import type {
  AgentContext,
  ClientCapabilities,
  CreateTerminalResponse,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type { EditorTerminal, EditorTerminals } from '@fucina/shared';

/** The calls of a turn, as the editor shows them. */
export interface ShownCalls {
  /** Resolves when the editor knows the call; false when it will not. */
  known(toolCallId: string): Promise<boolean>;
  /** Shows the terminal as the content of the call. */
  showTerminal(toolCallId: string, terminalId: string): void;
}

interface EditorTerminalsNeeds {
  client: AgentContext;
  sessionId: string;
  capabilities: ClientCapabilities | undefined;
  /** Undefined while the editor follows no turn of the session. */
  calls(): ShownCalls | undefined;
}

const { terminal } = methods.client;

/** The editor's terminals, for calls that it shows; undefined if it does not support them. */
export function editorTerminals(needs: EditorTerminalsNeeds): EditorTerminals | undefined {
  const { client, sessionId, capabilities, calls } = needs;
  if (!capabilities?.terminal) return undefined;
  return {
    async create({ sessionId: caller, toolCallId, argv, cwd, environment, outputBytes }) {
      const shown = calls();
      // The editor does not show calls of sub-agents.
      if (caller !== sessionId || !shown || !(await shown.known(toolCallId))) return undefined;
      const [command, ...args] = argv;
      const env = Object.entries(environment).map(([name, value]) => ({ name, value }));
      const asked = { sessionId, command, args, env, cwd, outputByteLimit: outputBytes };
      try {
        const { terminalId } = await client.request<CreateTerminalResponse>(terminal.create, asked);
        shown.showTerminal(toolCallId, terminalId);
        return terminalOf(client, { sessionId, terminalId });
      } catch {
        return undefined; // the editor refuses
      }
    },
  };
}

function terminalOf(client: AgentContext, named: { sessionId: string; terminalId: string }): EditorTerminal {
  return {
    async exit() {
      const { exitCode, signal } = await client.request<WaitForTerminalExitResponse>(terminal.waitForExit, named);
      return { exitCode: exitCode ?? null, signal: signal ?? null };
    },
    async output() {
      const { output, truncated } = await client.request<TerminalOutputResponse>(terminal.output, named);
      return { text: output, isCut: truncated };
    },
    async kill() {
      await client.request(terminal.kill, named);
    },
    async release() {
      await client.request(terminal.release, named);
    },
  };
}
