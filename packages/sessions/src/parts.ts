import { join } from 'node:path';
import {
  type Ambient,
  type Command,
  type DialectChoice,
  lengthenLog,
  type ModelClient,
  openBlobs,
  openDatabase,
  type RuleVerdict,
  type SqliteDatabase,
  StoreOpenError,
  type Tool,
  type ToolAction,
  type ToolSpec,
} from '@fucina/shared';
import { type Artifacts, createArtifacts } from './artifacts.ts';
import { offerOf } from './calls/offered-tools.ts';
import type { CommandRunner } from './commands/command-runner.ts';
import { createProcesses, type Processes } from './commands/processes.ts';
import { createUserCommands, type UserCommands } from './commands/user-commands.ts';
import { type Compactions, createCompactions } from './context/compaction.ts';
import { scheduleImageSweep } from './context/image-sweep.ts';
import { type ChatImages, createChatImages } from './context/images.ts';
import { sessionPrompt } from './context/session-prompt.ts';
import { createDelegation, type Delegation, type Isolation } from './delegation.ts';
import { createEditors, type KnownEditors } from './editors.ts';
import { sessionsError } from './errors.ts';
import type { WatchFolder } from './reading/outside-changes.ts';
import { createSearch, type Search } from './reading/search.ts';
import { sessionCost } from './reading/session-cost.ts';
import { createViews, type Views } from './reading/views.ts';
import { createWatching, type Watching } from './reading/watching.ts';
import { createRegistry, type Registry } from './registry.ts';
import { claudeCommands, ownCommands, projectCommands } from './slash/command-places.ts';
import { createSlashCommands, type OfferedCommands, type SlashCommands } from './slash/slash.ts';
import { builtInCommands } from './slash/slash-commands.ts';
import type { SessionHeader } from './state/session.ts';
import { createImageTable } from './store/image-table.ts';
import { createJournal, type Journal } from './store/journal.ts';
import { createSearchTable } from './store/search-table.ts';
import { createSessionStore, MIGRATIONS, type SessionRecord, type SessionStore } from './store/store.ts';
import { createTurnTable } from './store/turn-table.ts';
import type { TurnHooks, TurnNeeds } from './turn/turn-context.ts';
import { createTurns, type Turns } from './turn/turns.ts';
import { createFileChanges, type FileChanges } from './undo/file-changes.ts';
import type { FileHistory } from './undo/file-history.ts';
import { createHistorySweep, type HistorySweep } from './undo/history-sweep.ts';
import { createTurnChanges, type TurnChanges } from './undo/turn-changes.ts';
import { createUndo, type Undo } from './undo/undo.ts';
import { undoCommands } from './undo/undo-commands.ts';
import type { TokenPrice } from './usage/cost.ts';
import { createUsage, type Usage } from './usage/usage.ts';
import { createUsageTable } from './usage/usage-table.ts';

export interface SessionsNeeds {
  ambient: Ambient;
  dataDir: string;
  /** This process's own lock under `<dataDir>/locks`, held while it runs: the lease of its sessions. */
  lease: string;
  model: ModelClient;
  tools(): Promise<readonly Tool[]>;
  toolSpecs(): Promise<readonly ToolSpec[]>;
  /** The tools that extensions of the project currently add. */
  projectOffer?(session: {
    sessionId: string;
    folder: string;
  }): Promise<{ tools: readonly Tool[]; specs: readonly ToolSpec[] }>;
  /** Slash commands that extensions of the project currently add. */
  offeredCommands?: OfferedCommands;
  /** What goes to the model with a message that names resources of MCP servers. */
  mentionedText?(session: { sessionId: string; folder: string }, message: string): Promise<string | undefined>;
  /** Hooks of a project, notified of events in its sessions. */
  hooks?: TurnHooks;
  /**
   * Control files, whose change could run code or widen rights later, unless the user's rules allow the change in this
   * folder.
   */
  isControlFile(path: string, folder: string): boolean | Promise<boolean>;
  /** The effect of the user's permission rules on a call in a folder, if any. */
  rule?(action: ToolAction, folder: string): Promise<RuleVerdict | undefined>;
  /** The network policy, for tools that ask something outside this computer; default: everything is allowed. */
  reach?: TurnNeeds['reach'];
  /** Whether a command line shows that it sends something out; default: none does. */
  isSending?: TurnNeeds['isSending'];
  /** What an approval of a command line covers for the session; default: the line alone. */
  commandPrefixes?: TurnNeeds['commandPrefixes'];
  /** Throws MODEL_ID_INVALID. */
  checkModelId(model: string): void;
  /** Throws PROVIDER_FALLBACK_INVALID or PROVIDER_FALLBACK_TOOLS_UNSUPPORTED. */
  checkFallback(fallback: readonly { provider: string; model: string }[]): void;
  branchOf(folder: string): Promise<string | null>;
  /**
   * Whether a folder contains more than a project should: Workspace write does not change files there. Default: no.
   */
  isTooWide?(folder: string): Promise<boolean>;
  commands: CommandRunner;
  /** Applies settings of one session's commands to another session that continues its work. */
  keepCommandSettings?(from: string, to: string): Promise<void>;
  /** Watches a folder while a client follows a session; the returned function ends it. */
  watchFolder?: WatchFolder;
  fileHistory: FileHistory;
  /** Slash commands of other domains. */
  slashCommands?: readonly Command[];
  /** The model's context size in tokens, null when unknown. */
  windowOf(model: string): number | null;
  /** Asks for what is not yet known of a model, its context size first; default: nothing is asked. */
  lookUp?: TurnNeeds['lookUp'];
  /** The catalog's price of a model; null when unknown. */
  priceOf(model: string): TokenPrice | null;
  /** The text of a file inside a folder; undefined when it is missing, binary or too large. */
  readTextFile(folder: string, path: string): Promise<string | undefined>;
  /** Throws an error with its own code if a session may not be deleted. */
  checkRemoval?(header: SessionHeader): void;
  /** True when this folder is known to have contained sessions: then a missing file is damage, not a first run. */
  mustExist?: boolean;
  /** Folders of their own for sub-agents; absent where there are no worktrees. */
  isolation?: Isolation | undefined;
  /** Calls of the model for one answer, 1 to 10; default 10. */
  modelTries?: number | undefined;
  /** The user's choice of dialects; default: by the family of each model. */
  dialects?: DialectChoice | undefined;
  /** The automation run of a root session: no user is available; includes whether it may start sub-agents. */
  unattended?(rootId: string): Attendance | undefined;
  /** Only the holder of the server lock recovers sessions of ended processes. */
  recovers: boolean;
}

/** The rights of an automation run. */
export interface Attendance {
  mayDelegate: boolean;
  /** It was created before addresses were asked for: it keeps that reach until it is edited. */
  readsAnyAddress: boolean;
}

/** The shared parts of this package's services, each created once. */
export interface Parts {
  store: SessionStore;
  journal: Journal;
  registry: Registry;
  usage: Usage;
  turns: Turns;
  processes: Processes;
  images: ChatImages;
  artifacts: Artifacts;
  views: Views;
  delegation: Delegation;
  slash: SlashCommands;
  turnChanges: TurnChanges;
  undo: Undo;
  search: Search;
  historySweep: HistorySweep;
  watching: Watching;
  compactions: Compactions;
  commands: UserCommands;
  offer: TurnNeeds['offer'];
  isUnattended: TurnNeeds['isUnattended'];
  readsAnyAddress: TurnNeeds['readsAnyAddress'];
  editors: KnownEditors;
  /** Sessions found interrupted at startup. */
  recovered: number;
  close(): Promise<void>;
}

export function createParts(needs: SessionsNeeds): Parts {
  const { ambient } = needs;
  const db = openStore(needs);
  const store = createSessionStore(db, () => ambient.now());
  const images = createChatImages(openBlobs(join(needs.dataDir, 'blobs', 'sessions', 'images')));
  const journal = createJournal({ ambient, store });
  const registry = createRegistry({ ...needs, store, journal, locksDir: join(needs.dataDir, 'locks') });
  const recovered = needs.recovers ? registry.recover() : 0;
  const processes = createProcesses({ ambient, append: registry.append });
  const editors = createEditors();
  const usage = createUsage({ ...needs, table: createUsageTable(db), registry });
  const offering = { offer: offerOf(needs), ...attendanceOf(needs, registry) };
  const base = { store, journal, registry, images, usage };
  const promptOf = (record: SessionRecord) =>
    sessionPrompt(record, { registry, ...offering, dialects: needs.dialects });
  const compactions = createCompactions({ ...needs, ...base, promptOf, readFile: needs.readTextFile });
  const changes = createFileChanges({ ...needs, history: needs.fileHistory, registry });
  const undoing = undoOf(needs, db, { registry, store, changes });
  const slash = slashOf(needs, { registry, compactions, journal, store, changes, ...undoing });
  const search = createSearch({ ambient, store, table: createSearchTable(db) });
  if (needs.recovers) search.nudge();
  const turns = createTurns({
    ...base,
    needs: {
      ...needs,
      journal,
      images,
      processes,
      ...offering,
      compactions,
      changes,
      reread: registry.reread,
      ancestorKnows: registry.ancestorKnows,
      resolveSlash: slash.resolve,
      onTurnOver: search.nudge,
      budget: usage,
      editorOf: (record) => editors.of(registry.rootOf(record).header.sessionId),
    },
  });
  const commands = createUserCommands({ ambient, registry, processes, turns, changes, runner: needs.commands });
  const { historySweep, stopSweeping } = sweepsOf(needs, images, db);
  return {
    ...base,
    turns,
    processes,
    artifacts: createArtifacts(ambient),
    views: createViews(store),
    delegation: createDelegation({ ...needs, ...offering, ...undoing, registry, store, turns }),
    commands,
    compactions,
    slash,
    ...undoing,
    search,
    historySweep,
    watching: createWatching({ ...needs, registry, store, processes, changes }),
    ...offering,
    editors,
    recovered,
    async close() {
      stopSweeping();
      await turns.close();
      await compactions.close();
      await processes.close();
      await search.close();
      await commands.settled();
      await changes.close();
      journal.close();
      store.close();
    },
  };
}

/** Whether a user is available, judged by the root session. */
function attendanceOf({ unattended }: SessionsNeeds, registry: Registry) {
  const runOf = (record: SessionRecord) => unattended?.(registry.rootOf(record).header.sessionId);
  return {
    isUnattended: (record: SessionRecord): boolean => runOf(record) !== undefined,
    mayDelegate: (record: SessionRecord): boolean => runOf(record)?.mayDelegate ?? true,
    readsAnyAddress: (record: SessionRecord): boolean => runOf(record)?.readsAnyAddress ?? false,
  };
}

/** Deletes unreferenced data in the background, if this process is the one that cleans up. */
function sweepsOf(
  { ambient, fileHistory: history, recovers }: SessionsNeeds,
  images: ChatImages,
  db: SqliteDatabase,
): { historySweep: HistorySweep; stopSweeping(): void } {
  const historySweep = createHistorySweep({ ambient, history }, createTurnTable(db));
  if (recovers) historySweep.nudge();
  const stopImages = recovers ? scheduleImageSweep(ambient, images, createImageTable(db)) : () => undefined;
  return {
    historySweep,
    stopSweeping() {
      stopImages();
      historySweep.stop();
    },
  };
}

function undoOf(
  { fileHistory: history }: SessionsNeeds,
  db: SqliteDatabase,
  parts: Pick<Parts, 'registry' | 'store'> & { changes: FileChanges },
): Pick<Parts, 'turnChanges' | 'undo'> {
  const turnChanges = createTurnChanges({ ...parts, table: createTurnTable(db), history });
  return { turnChanges, undo: createUndo({ ...parts, turnChanges, history }) };
}

/** The conversation's own commands, those of other domains, and the ones people and projects wrote. */
function slashOf(
  needs: SessionsNeeds,
  parts: Pick<Parts, 'registry' | 'compactions' | 'journal' | 'store' | 'turnChanges' | 'undo'> & {
    changes: FileChanges;
  },
): SlashCommands {
  const { registry, compactions } = parts;
  const slash = createSlashCommands({
    builtIn: () => typed,
    placesFor: (folder) => [
      projectCommands(folder),
      claudeCommands(folder),
      ownCommands(join(needs.dataDir, 'commands')),
    ],
    offered: needs.offeredCommands,
  });
  const typed: readonly Command[] = [
    ...builtInCommands({ registry, compactions, costOf: (record) => sessionCost(record, parts), slash: () => slash }),
    ...undoCommands({ ...parts, ...needs, history: needs.fileHistory }),
    ...(needs.slashCommands ?? []),
  ];
  return slash;
}

function openStore({ ambient, dataDir, mustExist, recovers }: SessionsNeeds) {
  const file = join(dataDir, 'sessions.db');
  try {
    const db = openDatabase(file, { migrations: MIGRATIONS, mustExist });
    if (recovers) lengthenLog({ ambient, db, file });
    return db;
  } catch (error) {
    if (error instanceof StoreOpenError && error.problem === 'unsupported') {
      throw sessionsError('SESSION_STORE_FS_UNSUPPORTED', { cause: error });
    }
    if (error instanceof StoreOpenError)
      throw sessionsError('SESSION_STORE_AMBIGUOUS', { reason: error.problem, cause: error });
    throw error;
  }
}
