import type { Ambient, Environment, OutboundHttp, Tool } from '@fucina/shared';
import { extensionsError } from '../errors.ts';
import type { RowsOrProblem } from '../hooks/hooks.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { createElicitations, type ElicitationAnswer, type WaitingElicitation } from './elicitations.ts';
import { examine } from './examine.ts';
import { createImports, type McpImports } from './import/imports.ts';
import type { KnownServer } from './known-server.ts';
import { readServers } from './mcp-file.ts';
import { type CallChoice, createCallAnswers } from './own/call-answers.ts';
import { createOwnServers, type SecretStore } from './own/own-servers.ts';
import { createServerChoices } from './own/server-choices.ts';
import { type AskedPrompt, createRunner, type PromptAnswer, type RunnerSession } from './runner.ts';
import { StartFailure } from './server-failure.ts';
import { createServerLogs } from './server-log.ts';
import type { PromptCommand } from './server-prompts.ts';
import { createMcpServers, type McpServers } from './servers.ts';
import { createSessionResources } from './session-resources.ts';
import { broughtKey, broughtServer, type SessionServer } from './session-server.ts';
import { createSignInStore } from './sign-in/sign-in-store.ts';
import { createSignIns } from './sign-in/sign-ins.ts';
import { type Suggestion, suggest } from './suggestions.ts';
import { toolName } from './tool-name.ts';

export interface McpRow {
  id: string;
  /** A program, or the address of a remote server. */
  command: string;
  args: readonly string[];
  allowlist: readonly string[];
  isTrusted: boolean;
}

/**
 * Servers of the Model Context Protocol, of the user and of projects: started for a session, those of a project once
 * they are trusted, never before.
 */
export interface Mcp extends AsyncDisposable {
  /** Shown and changed. */
  servers: McpServers;
  /** Configurations of other programs. */
  imports: McpImports;
  /** Those that a project declares. */
  list(folder: string): Promise<RowsOrProblem<McpRow>>;
  /** Trusts the current version on disk. MCP_INVALID, NOT_FOUND. */
  trust(folder: string, id: string): Promise<void>;
  /** The tools of the servers that may run; one that cannot start has none, and is retried later. */
  tools(session: RunnerSession, options?: MayDeclare): Promise<readonly Tool[]>;
  /** Prompts of the servers in this folder, as slash commands; of servers that were connected before. */
  prompts(folder: string): Promise<readonly PromptCommand[]>;
  /** The text of a prompt for the model; starts its server. Undefined: there is no such prompt. */
  readPrompt(folder: string, asked: AskedPrompt): Promise<PromptAnswer | undefined>;
  /** What goes to the model with a message that names resources as `@server:uri`; see `SessionResources`. */
  resourceText(session: RunnerSession, message: string, options?: MayDeclare): Promise<string | undefined>;
  /** Ways to continue `@server:uri`, or the arguments after `/mcp__server__prompt`; may start the named server. */
  suggest(folder: string | undefined, typed: string): Promise<readonly Suggestion[]>;
  /**
   * Sets the servers that the client (an editor) brings for this session: they replace its earlier ones and take
   * precedence over all others with the same id. One that cannot start has no tools, and is retried later.
   */
  useServers(sessionId: string, servers: readonly SessionServer[]): Promise<void>;
  /** Whether calls ask, of the server that this session uses under that id. NOT_FOUND, MCP_INVALID. */
  answerCalls(session: RunnerSession, id: string, choice: CallChoice): Promise<void>;
  /** Pending questions of servers in that session, oldest first. */
  waiting(sessionId: string): WaitingElicitation[];
  /** ELICITATION_NOT_PENDING, ELICITATION_ANSWER_INVALID. */
  answer(sessionId: string, requestId: string, answer: ElicitationAnswer): Promise<void>;
  /** Stops the servers of a session. */
  forget(sessionId: string): Promise<void>;
}

/** Whether the project may declare servers: false skips its file. Default: true. */
export interface MayDeclare {
  mayDeclare?: boolean;
}

export interface McpNeeds {
  ambient: Ambient;
  environment: Environment;
  http: OutboundHttp;
  trust: TrustStore;
  dataDir: string;
  homeDir: string;
  secrets: SecretStore;
  isEnabled(id: string): boolean;
  /** Address of a public document about this program, for servers that accept one instead of a registration. */
  clientMetadataUrl?: string | undefined;
}

export function createMcp(needs: McpNeeds): Mcp {
  const { ambient, environment, http, dataDir } = needs;
  const elicitations = createElicitations({ ambient });
  const logs = createServerLogs(ambient);
  const signIns = createSignIns({
    ...needs,
    store: createSignInStore(needs),
    logError: (key, text) => logs.of(key).add('error', text),
    hide(key, values) {
      logs.mask(key, values);
      for (const value of values) ambient.log.redact(value);
    },
  });
  const runner = createRunner({ ambient, environment, http, elicitations, logs, signIns });
  const resources = createSessionResources(runner);
  const own = createOwnServers(needs);
  const choices = createServerChoices(dataDir);
  const answers = createCallAnswers(dataDir);
  const servers = createMcpServers({ ...needs, own, choices, answers, runner, logs, signIns });
  /** By session: the servers of its client. */
  const brought = new Map<string, readonly SessionServer[]>();

  const isTrusted = async (server: KnownServer, folder: string): Promise<boolean> => {
    try {
      return (await examine({ ...needs, own }, server, folder)).isTrusted;
    } catch (error) {
      // One that cannot start is shown as not trusted; `servers` says why.
      if (!(error instanceof StartFailure)) throw error;
      return false;
    }
  };

  const serversOf = async ({ sessionId, folder }: RunnerSession, { mayDeclare = true }: MayDeclare = {}) => {
    const ofClient = (brought.get(sessionId) ?? []).map((server) =>
      broughtServer(server, { environment, answers, folder }),
    );
    const others = await servers.active(folder, { mayDeclare });
    return [...ofClient, ...others.filter(({ id }) => !ofClient.some((server) => server.id === id))];
  };

  return {
    servers,
    imports: createImports({ ...needs, servers }),
    async list(folder) {
      const found = await readServers(folder);
      if ('problem' in found) return found;
      const rows = found.value.map(async (server): Promise<McpRow> => {
        const { id, definition, allowlist = [] } = server;
        const command = definition.url ?? definition.command ?? '';
        return { id, command, args: definition.args, allowlist, isTrusted: await isTrusted(server, folder) };
      });
      return { rows: await Promise.all(rows) };
    },
    async trust(folder, id) {
      const found = await readServers(folder);
      if ('problem' in found) throw extensionsError('MCP_INVALID', { details: { problem: found.problem } });
      await servers.trust({ scope: 'file', folder, id }, folder);
    },
    async tools(session, options) {
      const used = await serversOf(session, options);
      return (await Promise.all(used.map((server) => runner.tools(session, server)))).flat();
    },
    resourceText: (session, message, options) => resources.textFor(session, () => serversOf(session, options), message),
    async suggest(folder = needs.homeDir, typed) {
      return suggest({ runner, servers: await servers.active(folder, { mayDeclare: true }), folder }, typed);
    },
    async prompts(folder) {
      const active = await servers.active(folder, { mayDeclare: true });
      return active.flatMap((server) => runner.promptsOf(server));
    },
    async readPrompt(folder, asked) {
      const active = await servers.active(folder, { mayDeclare: true });
      // The id of one server may be the beginning of another's.
      for (const server of active.filter(({ id }) => asked.name.startsWith(toolName(id, '')))) {
        const read = await runner.readPrompt({ sessionId: `prompts ${folder}`, folder }, server, asked);
        if (read) return read;
      }
      return undefined;
    },
    async useServers(sessionId, given) {
      const before = brought.get(sessionId) ?? [];
      if (given.length) brought.set(sessionId, given);
      else brought.delete(sessionId);
      // Unchanged servers keep running; a changed one is stopped at its next use.
      const gone = before.filter(({ id }) => !given.some((server) => server.id === id));
      await Promise.all(gone.map(({ id }) => runner.endInSession(sessionId, broughtKey(id))));
    },
    async answerCalls(session, id, choice) {
      const server = (await serversOf(session)).find((each) => each.id === id);
      if (!server) throw extensionsError('NOT_FOUND', { reason: 'mcp-server' });
      await server.calls.save(choice);
    },
    waiting: (sessionId) => elicitations.waiting(sessionId),
    answer: (sessionId, requestId, answer) => elicitations.answer(sessionId, requestId, answer),
    async forget(sessionId) {
      brought.delete(sessionId);
      resources.forget(sessionId);
      await runner.endSession(sessionId);
    },
    [Symbol.asyncDispose]: () => runner.endAll(),
  };
}
