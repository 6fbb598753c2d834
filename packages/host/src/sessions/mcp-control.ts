import type {
  CallChoice,
  Candidate,
  Extensions,
  ImportFile,
  ImportRequest,
  LogLine,
  ServerChange,
  ServerList,
  ServerReference,
  ServerRow,
  ServerScope,
  SignInReturn,
  SignInStart,
  Suggestion,
} from '@fucina/extensions';
import { commonError, type McpCallAnswer } from '@fucina/shared';
import { folderOfPlace, type Place, type PlaceNeeds } from './place-folder.ts';

export type {
  CallChoice,
  Candidate,
  ImportFile,
  LogLine,
  ServerList,
  ServerRow,
  ServerScope,
  SignInReturn,
  Suggestion,
};

/** A server by its name, where it is configured, and the project it is seen from. */
export interface McpTarget extends Place {
  id: string;
  scope: ServerScope;
}

/** Absent: as it is. */
export interface ServerPick {
  isOn?: boolean | undefined;
  offTools?: readonly string[] | undefined;
}

export type McpSave = McpTarget & Pick<ServerChange, 'definition' | 'secrets' | 'calls'>;

/** Without a scope: the server that the session uses under this name, also one that its editor brought. */
export type McpCallTarget = Omit<McpTarget, 'scope'> & { scope?: ServerScope | undefined };

export type McpImportRequest = Place &
  Pick<ImportRequest, 'chosen' | 'scope'> &
  ({ text: string } | { sourceId: string });

/**
 * MCP servers as the user sees and changes them. Throws NOT_FOUND for an unknown session or server,
 * WORKSPACE_NOT_AVAILABLE for an unusable folder, QUERY_INVALID for a scope that needs a project without one.
 */
export interface McpControl {
  list(place: Place): Promise<ServerList>;
  /** MCP_INVALID, PROVIDER_STORE_UNAVAILABLE. */
  add(server: McpSave): Promise<ServerRow>;
  /** MCP_INVALID, PROVIDER_STORE_UNAVAILABLE. */
  change(server: McpSave): Promise<ServerRow>;
  /** MCP_INVALID for one that a file declares; PROVIDER_STORE_UNAVAILABLE. */
  remove(target: McpTarget): Promise<void>;
  choose(target: McpTarget, choice: ServerPick): Promise<ServerRow>;
  /** `calls`: the answer about its calls. MCP_INVALID when it cannot start as it is. */
  trust(target: McpTarget, calls?: McpCallAnswer): Promise<ServerRow>;
  /** Whether its calls ask. MCP_INVALID when it cannot start, or is not trusted as it is now. */
  answerCalls(target: McpCallTarget, choice: CallChoice): Promise<void>;
  /** Starts it anew. A failure is in the row. */
  connect(target: McpTarget): Promise<ServerRow>;
  /**
   * MCP_INVALID for a server without a sign-in; OAUTH_NON_CONFIGURATO, OAUTH_RETE, OAUTH_RISPOSTA_INATTESA.
   * `returnTo` is where the browser comes back.
   */
  signIn(target: McpTarget, returnTo: string): Promise<SignInStart>;
  /** Throws the codes of a sign-in. */
  finishSignIn(answer: SignInReturn): Promise<void>;
  /** PROVIDER_STORE_UNAVAILABLE. */
  signOut(target: McpTarget): Promise<ServerRow>;
  log(target: McpTarget): Promise<readonly LogLine[]>;
  /** Ways to continue `@server:uri`, or the arguments after `/mcp__server__prompt`; may start the named server. */
  suggest(place: Place, typed: string): Promise<readonly Suggestion[]>;
  importFiles(place: Place): Promise<readonly ImportFile[]>;
  /** MCP_INVALID. */
  readText(text: string): Promise<readonly Candidate[]>;
  /** The ids of the added servers. MCP_INVALID, PROVIDER_STORE_UNAVAILABLE. */
  runImport(request: McpImportRequest): Promise<readonly string[]>;
}

interface McpControlNeeds extends PlaceNeeds {
  extensions(): Promise<Extensions>;
}

export function createMcpControl(needs: McpControlNeeds): McpControl {
  const mcp = async () => (await needs.extensions()).mcp;
  const located = async ({ id, scope, ...place }: McpTarget) => {
    const folder = await folderOfPlace(needs, place);
    return { reference: referenceOf(id, scope, folder), folder };
  };
  const changed = async (target: McpTarget, act: Change): Promise<ServerRow> => {
    const [{ servers }, { reference, folder }] = await Promise.all([mcp(), located(target)]);
    await act({ servers, reference, folder });
    return servers.row(reference, folder);
  };
  const saved = ({ definition, secrets, calls, ...target }: McpSave, how: 'add' | 'change'): Promise<ServerRow> =>
    changed(target, async ({ servers, reference }) => {
      const { scope, ...rest } = reference;
      if (scope === 'file') throw commonError('QUERY_INVALID', { reason: 'mcp-scope' });
      await servers[how]({ ...rest, scope, definition, secrets, calls });
    });
  return {
    list: async (place) => (await mcp()).servers.list(await folderOfPlace(needs, place)),
    add: (server) => saved(server, 'add'),
    change: (server) => saved(server, 'change'),
    async remove(target) {
      await (await mcp()).servers.remove((await located(target)).reference);
    },
    choose: (target, choice) => changed(target, ({ servers, reference }) => servers.choose(reference, choice)),
    trust: (target, calls) =>
      changed(target, ({ servers, reference, folder }) => {
        if (folder === undefined) throw commonError('QUERY_INVALID', { reason: 'mcp-place' });
        return servers.trust(reference, folder, calls);
      }),
    async answerCalls({ scope, ...target }, choice) {
      const { servers, answerCalls } = await mcp();
      if (scope !== undefined) {
        const { reference, folder } = await located({ ...target, scope });
        return servers.answerCalls(reference, folder, choice);
      }
      const { id, sessionId } = target;
      if (sessionId === undefined) throw commonError('QUERY_INVALID', { reason: 'mcp-scope' });
      const { folder } = await needs.resolver.resolve(sessionId);
      return answerCalls({ sessionId, folder }, id, choice);
    },
    connect: (target) => changed(target, ({ servers, reference, folder }) => servers.connect(reference, folder)),
    async signIn(target, returnTo) {
      const [{ servers }, { reference, folder }] = await Promise.all([mcp(), located(target)]);
      return servers.signIn(reference, folder, returnTo);
    },
    finishSignIn: async (answer) => (await mcp()).servers.finishSignIn(answer),
    signOut: (target) => changed(target, ({ servers, reference }) => servers.signOut(reference)),
    log: async (target) => (await mcp()).servers.log((await located(target)).reference),
    suggest: async (place, typed) => (await mcp()).suggest(await folderOfPlace(needs, place), typed),
    importFiles: async (place) => (await mcp()).imports.files(await folderOfPlace(needs, place)),
    readText: async (text) => (await mcp()).imports.read(text),
    async runImport({ chosen, scope, ...request }) {
      const { sessionId, path } = request;
      const source = 'text' in request ? { text: request.text } : { id: request.sourceId };
      const folder = await folderOfPlace(needs, { sessionId, path });
      if (scope === 'project' && folder === undefined) throw commonError('QUERY_INVALID', { reason: 'mcp-place' });
      return (await mcp()).imports.run({ source, chosen, scope, folder: folder ?? null });
    },
  };
}

type Change = (given: {
  servers: Extensions['mcp']['servers'];
  reference: ServerReference;
  folder: string | undefined;
}) => Promise<void>;

function referenceOf(id: string, scope: ServerScope, folder: string | undefined): ServerReference {
  if (scope === 'everywhere') return { id, scope, folder: null };
  if (folder === undefined) throw commonError('QUERY_INVALID', { reason: 'mcp-place' });
  return { id, scope, folder };
}
