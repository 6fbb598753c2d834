import { join } from 'node:path';
import {
  type Ambient,
  isAppError,
  type ModelClient,
  openBlobs,
  openDatabase,
  StoreOpenError,
  systemCode,
  type Tool,
  type ToolSpec,
} from '@fucina/shared';
import { type Agents, createAgents } from './agents.ts';
import { type Artifact, createArtifacts } from './artifacts.ts';
import { createDelegation, type Delegation, MAX_DEPTH } from './delegation.ts';
import { createEditing, type Editing } from './editing.ts';
import { sessionsError } from './errors.ts';
import { createImageTable, sweepLater } from './image-table.ts';
import { type ChatImages, createChatImages } from './images.ts';
import { createJournal, type FollowItem } from './journal.ts';
import { type Ledger, readLedger } from './ledger.ts';
import { measure, type SessionMetrics } from './metrics.ts';
import { type CommandRunner, createOwnCommands, type OwnCommands } from './own-commands.ts';
import { createOwnTools } from './own-tools/own-tools.ts';
import { createPlanDesk } from './plans.ts';
import { createProcesses } from './processes.ts';
import { createRegistry, eventsOf } from './registry.ts';
import { createRequests, type Requests } from './requests.ts';
import { listRows, rowOf, type SessionRow } from './row.ts';
import type { MessageRequest, SessionHeader, SessionSettings } from './session.ts';
import { changeSettings, type SettingsPatch } from './settings.ts';
import { createSessionStore, MIGRATIONS, type SessionRecord, type SessionStore } from './store.ts';
import { createTurns, type Turns } from './turns.ts';
import { createViews } from './views.ts';

export interface SessionsNeeds {
  ambient: Ambient;
  dataDir: string;
  /** This process's own lock under `<dataDir>/locks`, held for its life: the lease of the sessions it runs. */
  lease: string;
  model: ModelClient;
  tools(): Promise<readonly Tool[]>;
  toolSpecs(): Promise<readonly ToolSpec[]>;
  /** Files whose change could run code or widen rights later. */
  isControlFile(path: string): boolean | Promise<boolean>;
  /** Throws MODEL_ID_INVALID. */
  checkModelId(model: string): void;
  /** Throws PROVIDER_FALLBACK_INVALID or PROVIDER_FALLBACK_TOOLS_UNSUPPORTED. */
  checkFallback(fallback: readonly { provider: string; model: string }[]): void;
  branchOf(folder: string): Promise<string | null>;
  commands: CommandRunner;
  /** Asked when the disk is full and a person deletes: gives room back, false when it has none. */
  freeDisk?(): boolean;
  /** True when this folder is known to have held sessions: a missing file is then damage, not a first run. */
  mustExist?: boolean;
  /** Only the holder of the server lock recovers what dead processes left. */
  recovers: boolean;
}

export interface NewSession {
  folder: Pick<SessionHeader, 'folder' | 'taskId' | 'project' | 'isProjectFolder'>;
  input: MessageRequest;
  testCommand: string | null;
  client: 'desktop' | 'mobile';
  settings: SessionSettings;
}

export interface SessionExport {
  record: SessionRow;
  events: unknown[];
}

/** Sessions: one folder, one conversation, its turns. Unknown ids throw NOT_FOUND everywhere. */
export interface Sessions {
  create(session: NewSession): Promise<{ sessionId: string }>;
  list(): Promise<SessionRow[]>;
  read(sessionId: string): Promise<SessionRow>;
  /** Answers the tools left at `deny`. Mode changes only between turns (SESSION_NOT_READY). */
  changeSettings(sessionId: string, patch: SettingsPatch): Promise<string[]>;
  /** 1 to 80 characters after trim, else QUERY_INVALID. */
  rename(sessionId: string, name: string): Promise<void>;
  /** SESSION_STILL_RUNNING while a turn runs. */
  remove(sessionId: string): Promise<void>;
  export(sessionId: string): Promise<SessionExport>;
  metrics(sessionId: string, ageOf?: number): Promise<SessionMetrics>;
  ledger(sessionId: string): Promise<Ledger>;
  follow(sessionId: string, after: number, signal: AbortSignal): AsyncIterable<FollowItem>;
  folderOf(sessionId: string): Promise<string>;
  requests: Requests;
  commands: Omit<OwnCommands, 'forget' | 'settled'>;
  agents: Agents;
  editing: Editing;
  /** Ends one running command; the turn goes on. PROCESS_NOT_RUNNING when it is not. */
  stopProcess(sessionId: string, id: string): Promise<void>;
  /** Lets one running command go on after its call is answered. PROCESS_NOT_RUNNING when it cannot. */
  sendToBackground(sessionId: string, id: string): Promise<void>;
  turns: Turns;
  images: Pick<ChatImages, 'upload' | 'read'>;
  /** A page the agent made. NOT_FOUND once it is gone: with its session, or with the process. */
  artifact(id: string): Promise<Artifact>;
  /** What the model of this session is offered now. */
  offered(sessionId: string): Promise<{ tools: readonly Tool[]; specs: readonly ToolSpec[] }>;
  /** The agent tools that act on a conversation, to be offered beside those of other domains. */
  ownTools: readonly Tool[];
  /** Store facts for the doctor. */
  check(): { sessions: number; recovered: number };
  /** Refuses new turns, stops the running ones, waits for their last event. */
  [Symbol.asyncDispose](): Promise<void>;
}

const NAME_LIMIT = 80;

export function createSessions(needs: SessionsNeeds): Sessions {
  const { ambient } = needs;
  const db = openStore(needs);
  const store = createSessionStore(db, () => ambient.now());
  const images = createChatImages(openBlobs(join(needs.dataDir, 'blobs', 'sessions', 'images')));
  const artifacts = createArtifacts(ambient);
  const journal = createJournal({ ambient, store });
  const views = createViews(store);
  const locksDir = join(needs.dataDir, 'locks');
  const registry = createRegistry({ ambient, store, journal, locksDir, lease: needs.lease });
  const recovered = needs.recovers ? registry.recover() : 0;
  const processes = createProcesses({
    append: registry.append,
    onError: (error) => ambient.log.error('background-command.not-noted', { error }),
  });
  const offer = async ({ settings, header }: SessionRecord) => {
    const [tools, specs] = await Promise.all([needs.tools(), needs.toolSpecs()]);
    const isOffered = ({ name }: { name: string }): boolean =>
      (name !== 'present_plan' || settings.mode === 'plan') &&
      (name !== 'delega_sottotask' || header.delegationDepth < MAX_DEPTH);
    return { tools: tools.filter(isOffered), specs: specs.filter(isOffered) };
  };
  const turns = createTurns({ needs: { ...needs, journal, images, processes, offer }, journal, registry, store, images });
  const delegation: Delegation = createDelegation({ ...needs, registry, store, turns });
  const openFresh = (record: SessionRecord, plan: string) => openFromPlan(record, plan, { needs, store, turns });
  const plans = createPlanDesk({ ambient, journal, registry, turns, openFresh });
  const commands = createOwnCommands({ ambient, registry, processes, turns, runner: needs.commands });
  const stopSweeping = needs.recovers ? sweepLater(ambient, images, createImageTable(db)) : () => undefined;

  const removeRecord = (record: SessionRecord): void => {
    try {
      store.remove(record);
    } catch (error) {
      if (!isDiskFull(error) || !needs.freeDisk?.()) throw error;
      store.remove(record);
    }
  };

  const create = async (session: NewSession): Promise<{ sessionId: string }> => {
    turns.assertOpen();
    checkSettings(needs, session.settings);
    const input = await images.compose(session.input);
    const branch = await needs.branchOf(session.folder.folder);
    const record = store.create(headerOf(ambient, session), session.settings, { lease: needs.lease });
    try {
      turns.begin(record, { input, branch });
    } catch (error) {
      // Nobody was told of this session: without its first turn it must not stay.
      store.remove(record);
      throw error;
    }
    return { sessionId: record.header.sessionId };
  };

  return {
    turns,
    create,
    images,
    requests: createRequests({ ambient, journal, registry, turns, plans }),
    commands,
    agents: createAgents({ registry, store, views }),
    editing: createEditing({ ambient, registry, store, journal, turns }),
    ownTools: createOwnTools({ ambient, artifacts, delegation, turnOf: (id) => registry.live.get(id) }),
    async stopProcess(sessionId, id) {
      registry.get(sessionId);
      if (!processes.stop(sessionId, id)) throw sessionsError('PROCESS_NOT_RUNNING');
    },
    async sendToBackground(sessionId, id) {
      registry.get(sessionId);
      if (!processes.sendToBackground(sessionId, id)) throw sessionsError('PROCESS_NOT_RUNNING');
    },
    offered: async (sessionId) => offer(registry.get(sessionId)),
    async artifact(id) {
      const artifact = artifacts.read(id);
      if (!artifact) throw sessionsError('NOT_FOUND', { reason: 'artifact-unknown' });
      return artifact;
    },
    list: async () => listRows(registry.list(), ambient.now()),
    read: async (sessionId) => rowOf(registry.get(sessionId), ambient.now()),

    async changeSettings(sessionId, patch) {
      const record = registry.writable(sessionId);
      checkSettings(needs, patch);
      if (patch.mode && patch.mode !== record.settings.mode && record.state === 'running') {
        throw sessionsError('SESSION_NOT_READY', { reason: 'mode-changes-between-turns' });
      }
      const { settings, notMerged } = changeSettings(record.settings, patch);
      store.writeSettings(record, settings);
      return notMerged;
    },

    async rename(sessionId, name) {
      const record = registry.writable(sessionId);
      const trimmed = name.trim();
      if (!trimmed || [...trimmed].length > NAME_LIMIT) throw sessionsError('QUERY_INVALID', { reason: 'name-length' });
      store.rename(record, trimmed);
    },

    async remove(sessionId) {
      const record = registry.writable(sessionId);
      const family = [record, ...registry.descendants(record)];
      if (family.some(({ state }) => state === 'running')) throw sessionsError('SESSION_STILL_RUNNING');
      removeRecord(record);
      for (const gone of family) {
        processes.stopAll(gone.header.sessionId);
        commands.forget(gone.header.sessionId);
        artifacts.forget(gone.header.sessionId);
        registry.forget(gone);
        views.forget(gone.key);
        journal.forget(gone.key);
      }
    },

    async export(sessionId) {
      const record = registry.get(sessionId);
      journal.flush(record.key);
      const events = [...eventsOf(store, record)].map(({ json }) => JSON.parse(json) as unknown);
      return { record: rowOf(record, ambient.now()), events };
    },

    async metrics(sessionId, ageOf) {
      const record = registry.get(sessionId);
      journal.flush(record.key);
      const { meter } = await views.of(record);
      const [aged] = ageOf === undefined ? [] : store.eventsAfter(record.key, ageOf - 1, 1);
      const eventAge = aged && aged.seq === ageOf ? { sequence: aged.seq, ms: ambient.now() - aged.at } : null;
      return { ...measure(record, meter, ambient.now()), eventAge };
    },

    async ledger(sessionId) {
      const record = registry.get(sessionId);
      journal.flush(record.key);
      const { book } = await views.of(record);
      return readLedger(record, book, ambient.now());
    },

    follow: (sessionId, after, signal) => journal.follow(registry.get(sessionId), after, signal),
    folderOf: async (sessionId) => registry.get(sessionId).header.folder,

    check: () => ({ sessions: store.list().length, recovered }),

    async [Symbol.asyncDispose]() {
      stopSweeping();
      await turns.close();
      await processes.close();
      await commands.settled();
      journal.close();
      store.close();
    },
  };
}

function openStore({ dataDir, mustExist }: SessionsNeeds) {
  try {
    return openDatabase(join(dataDir, 'sessions.db'), { migrations: MIGRATIONS, mustExist });
  } catch (error) {
    if (error instanceof StoreOpenError && error.problem === 'unsupported') {
      throw sessionsError('SESSION_STORE_FS_UNSUPPORTED', { cause: error });
    }
    if (error instanceof StoreOpenError)
      throw sessionsError('SESSION_STORE_AMBIGUOUS', { reason: error.problem, cause: error });
    throw error;
  }
}

function isDiskFull(error: unknown): boolean {
  return isAppError(error, 'SESSION_STORE_DELETE_FAILED') && systemCode(error.cause) === 'SQLITE_FULL';
}

function checkSettings(needs: SessionsNeeds, settings: Partial<SessionSettings>): void {
  if (settings.model) needs.checkModelId(settings.model);
  if (settings.plannerModel) needs.checkModelId(settings.plannerModel);
  if (settings.fallbackProviders?.length) needs.checkFallback(settings.fallbackProviders);
}

function headerOf(ambient: Ambient, { folder, input, testCommand, client }: NewSession): SessionHeader {
  return {
    sessionId: ambient.newId(),
    ...folder,
    assignment: input.message,
    testCommand,
    startedAt: ambient.now(),
    client,
    forkOf: null,
    parentId: null,
    delegationDepth: 0,
    delegationStart: null,
    delegatedTask: null,
    workflowStep: null,
    runtime: { provider: 'cloud', runtimeId: null, modelId: null, hasFallbackConsent: false },
  };
}

/** The plan alone, in a new conversation on the same folder, free to change it. */
async function openFromPlan(
  { header, settings }: SessionRecord,
  plan: string,
  { needs, store, turns }: { needs: SessionsNeeds; store: SessionStore; turns: Turns },
): Promise<{ sessionId: string; begin(): void; undo(): void }> {
  turns.assertOpen();
  const branch = await needs.branchOf(header.folder);
  const fresh: SessionHeader = {
    ...header,
    sessionId: needs.ambient.newId(),
    assignment: plan,
    startedAt: needs.ambient.now(),
    forkOf: null,
  };
  const record = store.create(
    fresh,
    { ...settings, mode: 'normal', permissions: 'Workspace write' },
    { lease: needs.lease },
  );
  return {
    sessionId: fresh.sessionId,
    begin: () => turns.begin(record, { input: { message: `Carry out this plan:\n\n${plan}` }, branch }),
    undo: () => store.remove(record),
  };
}
