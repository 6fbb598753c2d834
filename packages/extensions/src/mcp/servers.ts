import { type Ambient, isAppError, type McpCallAnswer } from '@fucina/shared';
import { extensionsError } from '../errors.ts';
import { declaredId } from '../project-file.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { type ExamineNeeds, examine, trustedSubject, trustSubject } from './examine.ts';
import {
  type KnownServer,
  type ServerDefinition,
  type ServerFailure,
  type ServerReference,
  serverKey,
} from './known-server.ts';
import { readServers } from './mcp-file.ts';
import { type CallAnswer, type CallAnswers, type CallChoice, serverCalls } from './own/call-answers.ts';
import { ownDefinition, secretValues } from './own/own-definition.ts';
import type { OwnServers } from './own/own-servers.ts';
import { separateSecrets } from './own/secret-values.ts';
import type { ServerChoices } from './own/server-choices.ts';
import { secretNames } from './placeholders.ts';
import type { RunnableServer, Runner, ServerState } from './runner.ts';
import { failureOf, StartFailure } from './server-failure.ts';
import type { LogLine, ServerLogs } from './server-log.ts';
import type { SignInReturn, SignInStart, SignInState, SignIns } from './sign-in/sign-ins.ts';
import { toolName } from './tool-name.ts';

export interface ServerRow extends ServerReference {
  definition: ServerDefinition;
  /** Of a file's server; null: all tools. */
  allowlist: readonly string[] | null;
  secrets: readonly { name: string; isStored: boolean }[];
  isOn: boolean;
  offTools: readonly string[];
  state: ServerState['state'] | 'off' | 'untrusted';
  failure: ServerFailure | null;
  signIn: SignInState;
  /** What the user answered about its calls as it is now; null: the first call asks. */
  calls: CallAnswer | null;
  tools: ServerState['tools'];
  /** Another server with this id is used in its place. */
  isReplaced: boolean;
}

export interface ServerList {
  rows: ServerRow[];
  /** Why the project's file cannot be read. */
  problem: string | null;
}

export interface ServerChange extends Omit<ServerReference, 'scope'> {
  scope: 'everywhere' | 'project';
  definition: ServerDefinition;
  /** New values; a stored one stays without being sent again. */
  secrets: Readonly<Record<string, string>>;
  /** What the user answers about its calls; a server that cannot start yet asks at its first call. */
  calls?: McpCallAnswer | undefined;
}

/** The servers of the user and of projects, as they are shown and changed. */
export interface McpServers {
  /** Of a project, with those of every project; without a folder all that the user added. */
  list(folder: string | undefined): Promise<ServerList>;
  row(reference: ServerReference, folder: string | undefined): Promise<ServerRow>;
  /** MCP_INVALID also when there is one with this id; PROVIDER_STORE_UNAVAILABLE. */
  add(server: ServerChange): Promise<void>;
  /** NOT_FOUND, MCP_INVALID, PROVIDER_STORE_UNAVAILABLE. */
  change(server: ServerChange): Promise<void>;
  /** NOT_FOUND, PROVIDER_STORE_UNAVAILABLE. MCP_INVALID for one that a file declares. */
  remove(reference: ServerReference): Promise<void>;
  /** NOT_FOUND. */
  choose(
    reference: ServerReference,
    choice: { isOn?: boolean | undefined; offTools?: readonly string[] | undefined },
  ): Promise<void>;
  /** Trusts the current version in that project, with an answer about its calls. NOT_FOUND, MCP_INVALID. */
  trust(reference: ServerReference, folder: string, calls?: McpCallAnswer): Promise<void>;
  /** Whether its calls ask. NOT_FOUND; MCP_INVALID when it cannot start, or is not trusted as it is now. */
  answerCalls(reference: ServerReference, folder: string | undefined, choice: CallChoice): Promise<void>;
  /** Starts it anew; a failure is in its row. NOT_FOUND. */
  connect(reference: ServerReference, folder: string | undefined): Promise<void>;
  /**
   * Starts a sign-in; `returnTo` is where the browser comes back. NOT_FOUND, MCP_INVALID, and those of `SignIns.start`.
   */
  signIn(reference: ServerReference, folder: string | undefined, returnTo: string): Promise<SignInStart>;
  /** Stores the tokens and connects. As `SignIns.finish`. */
  finishSignIn(answer: SignInReturn): Promise<void>;
  /** Forgets the tokens. NOT_FOUND, PROVIDER_STORE_UNAVAILABLE. */
  signOut(reference: ServerReference): Promise<void>;
  /** NOT_FOUND. */
  log(reference: ServerReference): Promise<readonly LogLine[]>;
  /** Those that a session in this folder uses. */
  active(folder: string, options: { mayDeclare: boolean }): Promise<RunnableServer[]>;
}

export interface McpServersNeeds extends ExamineNeeds {
  ambient: Ambient;
  own: OwnServers;
  choices: ServerChoices;
  answers: CallAnswers;
  runner: Runner;
  logs: ServerLogs;
  signIns: SignIns;
  trust: TrustStore;
  isEnabled(id: string): boolean;
}

export function createMcpServers(needs: McpServersNeeds): McpServers {
  const { ambient, own, choices, answers, runner, logs, signIns, trust, isEnabled, homeDir } = needs;
  /** By key: the servers for which a sign-in was started, and from where. */
  const signingIn = new Map<string, { reference: ServerReference; folder: string | undefined }>();
  /** By key: the connections that follow a sign-in. */
  const connecting = new Map<string, Promise<void>>();

  const declaredIn = async (folder: string): Promise<{ servers: KnownServer[]; problem: string | null }> => {
    const found = await readServers(folder);
    return 'problem' in found ? { servers: [], problem: found.problem } : { servers: found.value, problem: null };
  };
  const find = async (reference: ServerReference): Promise<KnownServer> => {
    const { scope, folder, id } = reference;
    const server =
      scope === 'file'
        ? folder === null
          ? undefined
          : (await declaredIn(folder)).servers.find((each) => each.id === id)
        : await own.find(reference);
    if (!server) throw extensionsError('NOT_FOUND', { reason: 'mcp-server' });
    return server;
  };
  const callsOf = (server: KnownServer, folder: string | undefined) =>
    serverCalls(answers, () => trustedSubject(needs, server, folder));
  const runnable = async (server: KnownServer, folder: string | undefined): Promise<RunnableServer> => ({
    key: serverKey(server),
    id: server.id,
    allowlist: server.allowlist,
    offTools: new Set((await choices.of(server)).offTools),
    calls: callsOf(server, folder),
    signsIn: canSignIn(server),
    async startable() {
      const examined = await examine(needs, server, folder);
      return examined.isTrusted ? examined.prepare() : undefined;
    },
  });
  /** What the runner does not know: whether it may start at all. */
  const verdict = async (
    server: KnownServer,
    folder: string | undefined,
  ): Promise<ServerFailure | 'untrusted' | null> => {
    try {
      return (await examine(needs, server, folder)).isTrusted ? null : 'untrusted';
    } catch (error) {
      return failureOf(error);
    }
  };
  const rowOf = async (server: KnownServer, folder: string | undefined): Promise<Omit<ServerRow, 'isReplaced'>> => {
    const { scope, folder: ofFolder, id, definition, allowlist = null } = server;
    const choice = await choices.of(server);
    const found = await verdict(server, folder);
    const state = runner.stateOf(serverKey(server));
    const names = scope === 'file' ? [] : secretNames(definition);
    const row = {
      scope,
      folder: ofFolder,
      id,
      definition,
      allowlist,
      ...choice,
      secrets: names.map((name) => ({ name, isStored: server.secrets.includes(name) })),
      signIn: await signIns.state(serverKey(server)),
      calls: (await callsOf(server, folder).read()) ?? null,
      tools: state.tools,
    };
    if (!choice.isOn || !isEnabled(id)) return { ...row, state: 'off', failure: null };
    if (found === 'untrusted') return { ...row, state: 'untrusted', failure: null };
    return found ? { ...row, state: 'failed', failure: found } : { ...row, ...state };
  };
  const save = async (change: ServerChange, known: KnownServer | undefined): Promise<void> => {
    const { definition, secrets } = checked(change);
    const kept = known && known.secrets.length > 0 ? await own.secretsOf(known) : {};
    const names = secretNames(definition);
    const isOther = known && addressOf(known.definition) !== addressOf(definition);
    const again = isOther ? names.find((name) => name in kept && !(name in secrets)) : undefined;
    if (again !== undefined) {
      throw extensionsError('MCP_INVALID', { reason: 'secret-for-other-address', params: { name: again } });
    }
    const values = { ...kept, ...secrets };
    const used = Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
    const { scope, folder, id } = change;
    const server = { scope, folder, id, definition, secrets: Object.keys(used) };
    await own.save({ ...server, secrets: known?.secrets ?? [] }, used);
    await runner.endServer(serverKey(server));
    if (known && known.definition.url !== definition.url) await signIns.forget(serverKey(server));
    // Whoever enters a command for this project has decided that it runs here.
    if (folder !== null) await trustIn(server, folder).catch(passOver);
    if (change.calls)
      await callsOf(server, folder ?? undefined)
        .save({ answer: change.calls })
        .catch(ignoreInvalid);
  };
  const addressOfTrusted = async (server: KnownServer, folder: string | undefined) => {
    try {
      const examined = await examine(needs, server, folder);
      const way = examined.isTrusted && canSignIn(server) ? (await examined.prepare()).way : undefined;
      if (way && 'url' in way) return way;
    } catch (error) {
      throw await invalidFor(error);
    }
    throw extensionsError('MCP_INVALID', { reason: 'no-sign-in' });
  };
  const noteConnecting = (key: string, done: Promise<void>): void => {
    connecting.set(key, done);
    void done.finally(() => connecting.get(key) === done && connecting.delete(key));
  };
  const endSignIn = async (key: string): Promise<void> => {
    await signIns.forget(key);
    await connecting.get(key);
    await runner.endServer(key);
    // A connection that opened without its tokens was asked to sign in.
    await signIns.forget(key);
  };
  const trustIn = async (server: KnownServer, folder: string): Promise<void> => {
    const { fingerprint } = await examine(needs, server, folder);
    if (fingerprint !== undefined) await trust.trust(trustSubject(server, folder), fingerprint);
  };

  return {
    async list(folder) {
      const [mine, declared] = await Promise.all([
        own.list(folder),
        folder === undefined ? { servers: [], problem: null } : declaredIn(folder),
      ]);
      const all = [...mine.servers, ...declared.servers];
      const rows = all.map(async (server) => ({
        ...(await rowOf(server, folder)),
        isReplaced: folder !== undefined && isReplaced(server, all),
      }));
      return { rows: [...(await Promise.all(rows)), ...mine.broken.map(brokenRow)], problem: declared.problem };
    },
    async row(reference, folder) {
      const found = (await this.list(folder ?? reference.folder ?? undefined)).rows.find(
        (row) => serverKey(row) === serverKey(reference),
      );
      if (!found) throw extensionsError('NOT_FOUND', { reason: 'mcp-server' });
      return found;
    },
    async add(change) {
      if (await own.find(change)) throw extensionsError('MCP_INVALID', { reason: 'exists', params: { id: change.id } });
      await save(change, undefined);
    },
    async change(change) {
      await save(change, await find(change));
    },
    async remove(reference) {
      if (reference.scope === 'file') throw extensionsError('MCP_INVALID', { reason: 'declared-by-file' });
      if (!(await own.remove(reference))) throw extensionsError('NOT_FOUND', { reason: 'mcp-server' });
      await Promise.all([choices.forget(reference), answers.forget(reference)]);
      await endSignIn(serverKey(reference));
    },
    async choose(reference, choice) {
      const server = await find(reference);
      const before = await choices.of(server);
      await choices.save(server, {
        isOn: choice.isOn ?? before.isOn,
        offTools: [...new Set(choice.offTools ?? before.offTools)].sort(),
      });
      if (choice.isOn === false) await runner.endServer(serverKey(server));
    },
    async trust(reference, folder, calls) {
      const server = await find(reference);
      try {
        await trustIn(server, folder);
      } catch (error) {
        throw await invalidFor(error);
      }
      if (calls) await callsOf(server, folder).save({ answer: calls });
    },
    async answerCalls(reference, folder, choice) {
      await callsOf(await find(reference), folder).save(choice);
    },
    async connect(reference, folder) {
      const server = await find(reference);
      const { isOn } = await choices.of(server);
      if (!isOn || !isEnabled(server.id)) return;
      await runner.inspect(folder ?? server.folder ?? homeDir, await runnable(server, folder));
    },
    async signIn(reference, folder, returnTo) {
      const server = await find(reference);
      const place = folder ?? server.folder ?? homeDir;
      const key = serverKey(server);
      const way = await addressOfTrusted(server, folder);
      if (!signIns.isAsked(key)) await runner.inspect(place, await runnable(server, folder));
      if (!signIns.isAsked(key)) throw extensionsError('MCP_INVALID', { reason: 'no-sign-in' });
      signingIn.set(key, { reference, folder });
      return signIns.start({ key, ...way }, returnTo);
    },
    async finishSignIn(answer) {
      const key = await signIns.finish(answer);
      await runner.endServer(key);
      const known = signingIn.get(key);
      signingIn.delete(key);
      // A failure is in the row.
      if (known) noteConnecting(key, this.connect(known.reference, known.folder).catch(ignoreMissing));
    },
    async signOut(reference) {
      await endSignIn(serverKey(await find(reference)));
    },
    log: async (reference) => logs.read(serverKey(await find(reference))),
    async active(folder, { mayDeclare }) {
      const [mine, declared] = await Promise.all([
        own.list(folder),
        mayDeclare ? declaredIn(folder) : { servers: [], problem: null },
      ]);
      for (const { id, problem } of mine.broken) ambient.log.warn('mcp.server-not-read', { id, problem });
      if (declared.problem !== null) ambient.log.warn('mcp.not-read', { problem: declared.problem });
      const all = [...mine.servers, ...declared.servers];
      const candidates = all.filter((server) => isEnabled(server.id) && !isReplaced(server, all));
      const chosen = await Promise.all(candidates.map(async (server) => (await choices.of(server)).isOn));
      return Promise.all(candidates.filter((_, at) => chosen[at]).map((server) => runnable(server, folder)));
    },
  };
}

/**
 * With the same id the user's own server for the project is used, then the one for every project, then the project's.
 * A project's server is also left out where its tools would be named as those of a user's server, such as `notes__x`
 * beside `notes`: a project cannot take the place, and so the permission rules, of a server of the user.
 */
const ORDER = { project: 0, everywhere: 1, file: 2 } as const;

function isReplaced({ scope, id }: KnownServer, all: readonly KnownServer[]): boolean {
  const hasName = (other: KnownServer): boolean =>
    scope === 'file' ? toolName(id, '').startsWith(toolName(other.id, '')) : other.id === id;
  return all.some((other) => ORDER[other.scope] < ORDER[scope] && hasName(other));
}

/** One that sends its own key needs no sign-in. */
function canSignIn({ definition: { url, headers } }: KnownServer): boolean {
  return url !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

async function invalidFor(error: unknown): Promise<Error> {
  const { reason, detail } = await failureOf(error);
  return extensionsError('MCP_INVALID', { reason, details: { detail } });
}

/** A server that was removed during its sign-in. */
function ignoreMissing(error: unknown): void {
  if (!isAppError(error, 'NOT_FOUND')) throw error;
}

/** A server that cannot start yet. */
function ignoreInvalid(error: unknown): void {
  if (!isAppError(error, 'MCP_INVALID')) throw error;
}

/** What cannot start yet is reviewed when it can. */
function passOver(error: unknown): void {
  if (!(error instanceof StartFailure)) throw error;
}

/** The origin that gets the secrets; undefined for a program. */
function addressOf({ url }: ServerDefinition): string | undefined {
  return url === undefined || !URL.canParse(url) ? url : new URL(url).origin;
}

function checked({ id, definition: given, secrets: values }: ServerChange) {
  const named = declaredId.safeParse(id);
  const parsed = ownDefinition.safeParse(given);
  const secrets = secretValues.safeParse(values);
  const issue = parsed.error?.issues[0] ?? secrets.error?.issues[0];
  if (!named.success || !parsed.data || !secrets.data) {
    const field = named.success ? (issue?.path.join('.') ?? '') : 'id';
    throw extensionsError('MCP_INVALID', { reason: 'definition', params: { id, field } });
  }
  const separated = separateSecrets(parsed.data);
  return { definition: separated.definition, secrets: { ...separated.secrets, ...secrets.data } };
}

function brokenRow({ scope, folder, id, problem }: ServerReference & { problem: string }): ServerRow {
  return {
    scope,
    folder,
    id,
    allowlist: null,
    secrets: [],
    isOn: true,
    offTools: [],
    signIn: 'none',
    calls: null,
    tools: null,
    isReplaced: false,
    definition: { args: [], environment: {}, headers: {} },
    state: 'failed',
    failure: { reason: 'unreadable', detail: problem },
  };
}
