import type {
  ElicitationAnswer,
  Extensions,
  ForgedRow,
  HookRow,
  McpRow,
  PluginRow,
  RowsOrProblem,
  SessionServer,
  Skill,
  WaitingElicitation,
} from '@fucina/extensions';
import type { SessionResolver } from './session-resolver.ts';

/** The extensions of a session's project. NOT_FOUND for an unknown session. */
export interface SessionExtensions {
  hooks(sessionId: string): Promise<RowsOrProblem<HookRow>>;
  mcp(sessionId: string): Promise<RowsOrProblem<McpRow>>;
  plugins(sessionId: string): ReturnType<Extensions['plugins']['list']>;
  skills(sessionId: string): Promise<RowsOrProblem<Skill>>;
  /** The user's own, independent of the session. */
  forged(sessionId: string): Promise<RowsOrProblem<ForgedRow>>;
  /** HOOK_INVALID, NOT_FOUND. */
  trustHook(sessionId: string, id: string): Promise<void>;
  /** MCP_INVALID, NOT_FOUND. */
  trustMcp(sessionId: string, id: string): Promise<void>;
  /** PLUGIN_INVALID, NOT_FOUND. */
  trustPlugin(sessionId: string, id: string): Promise<void>;
  /** NOT_FOUND. */
  enableForged(sessionId: string, id: string, isEnabled: boolean): Promise<void>;
  /** Servers that the client brings for this session, which may not exist yet; see `Mcp.useServers`. */
  useServers(sessionId: string, servers: readonly SessionServer[]): Promise<void>;
  /** Pending questions of servers to the user, oldest first. */
  waiting(sessionId: string): Promise<WaitingElicitation[]>;
  /** ELICITATION_NOT_PENDING, ELICITATION_ANSWER_INVALID. */
  answer(sessionId: string, requestId: string, answer: ElicitationAnswer): Promise<void>;
}

export type { ElicitationAnswer, ForgedRow, HookRow, McpRow, PluginRow, RowsOrProblem, SessionServer, Skill };

interface SessionExtensionsNeeds {
  extensions(): Promise<Extensions>;
  resolver: SessionResolver;
}

export function createSessionExtensions({ extensions, resolver }: SessionExtensionsNeeds): SessionExtensions {
  const within = async <Result>(
    sessionId: string,
    act: (opened: Extensions, folder: string) => Promise<Result>,
  ): Promise<Result> => {
    const { folder } = await resolver.resolve(sessionId);
    return act(await extensions(), folder);
  };
  return {
    hooks: (sessionId) => within(sessionId, ({ hooks }, folder) => hooks.list(folder)),
    mcp: (sessionId) => within(sessionId, ({ mcp }, folder) => mcp.list(folder)),
    plugins: (sessionId) => within(sessionId, ({ plugins }, folder) => plugins.list(folder)),
    skills: (sessionId) => within(sessionId, ({ skills }, folder) => skills.list(folder)),
    forged: (sessionId) => within(sessionId, ({ forge }) => forge.list()),
    trustHook: (sessionId, id) => within(sessionId, ({ hooks }, folder) => hooks.trust(folder, id)),
    trustMcp: (sessionId, id) => within(sessionId, ({ mcp }, folder) => mcp.trust(folder, id)),
    trustPlugin: (sessionId, id) => within(sessionId, ({ plugins }, folder) => plugins.trust(folder, id)),
    enableForged: (sessionId, id, isEnabled) => within(sessionId, ({ forge }) => forge.enable(id, isEnabled)),
    useServers: async (sessionId, servers) => (await extensions()).mcp.useServers(sessionId, servers),
    waiting: (sessionId) => within(sessionId, async ({ mcp }) => mcp.waiting(sessionId)),
    answer: (sessionId, requestId, answer) => within(sessionId, ({ mcp }) => mcp.answer(sessionId, requestId, answer)),
  };
}
