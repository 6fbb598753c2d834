import type { Tool, ToolSpec } from '@fucina/shared';
import type { Artifact } from './artifacts.ts';
import { type Branches, createBranches } from './branches.ts';
import { createPlans } from './cards/plans.ts';
import { createRequests, type Requests } from './cards/requests.ts';
import type { UserCommands } from './commands/user-commands.ts';
import { folderBrief } from './context/folder-brief.ts';
import type { ChatImages } from './context/images.ts';
import type { InstructionSource } from './context/instruction-source.ts';
import { createEditing, type Editing } from './editing.ts';
import type { Editors } from './editors.ts';
import { sessionsError } from './errors.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createParts, type Parts, type SessionsNeeds } from './parts.ts';
import { type Agents, createAgents } from './reading/agents.ts';
import { type Board, createBoard } from './reading/board/board.ts';
import { createObserving, type Observing } from './reading/observing.ts';
import { createSessionTools } from './session-tools/own-tools.ts';
import type { CommandFacts } from './slash/slash.ts';
import type { SessionHeader } from './state/session.ts';
import type { SessionRecord } from './store/store.ts';
import type { Turns } from './turn/turns.ts';
import type { Usage } from './usage/usage.ts';
import { createWorkflowSteps, type WorkflowSteps } from './workflow-steps.ts';

/** Sessions: one folder, one conversation, its turns. Every function throws NOT_FOUND for an unknown id. */
export interface Sessions extends Lifecycle, Observing {
  /** Whether the session exists; needs at most a disk read. */
  has(sessionId: string): boolean;
  /** Its id, then those of its ancestors and fork origins; for an unknown session only the id. */
  lineage(sessionId: string): readonly string[];
  /** Whether any session uses or used this folder. */
  knowsFolder(folder: string): boolean;
  requests: Requests;
  commands: Omit<UserCommands, 'forget' | 'settled'>;
  agents: Agents;
  /** Many sessions at a glance. */
  board: Board;
  workflowSteps: WorkflowSteps;
  editing: Editing;
  branches: Branches;
  /** Stops one running command; the turn continues. PROCESS_NOT_RUNNING when it has ended. */
  stopProcess(sessionId: string, id: string): Promise<void>;
  /** Moves a running command to the background. PROCESS_NOT_RUNNING when that is not possible. */
  sendToBackground(sessionId: string, id: string): Promise<void>;
  usage: Usage;
  turns: Turns;
  editors: Editors;
  images: Pick<ChatImages, 'upload' | 'read' | 'readMedia'>;
  /** The slash commands available in a session, by name. */
  slashCommands(sessionId: string): Promise<CommandFacts[]>;
  /** The same for a new session in this folder, an absolute real path. */
  slashCommandsIn(folder: string): Promise<CommandFacts[]>;
  /**
   * The files with instructions in the folder of a session, by precedence, as they are now: a running session keeps
   * what it read at its first turn.
   */
  instructions(sessionId: string): Promise<readonly InstructionSource[]>;
  /** A page created by the agent. NOT_FOUND after its session or the process has ended. */
  artifact(id: string): Promise<Artifact>;
  /** The tools currently offered to the model of this session. */
  offered(sessionId: string): Promise<{ tools: readonly Tool[]; specs: readonly ToolSpec[] }>;
  /** The agent tools that act on a conversation, offered together with those of other domains. */
  ownTools: readonly Tool[];
  /** Store facts for the doctor. */
  check(): { sessions: number; recovered: number };
  /** Rejects new turns, stops the running ones, waits for their last event. */
  [Symbol.asyncDispose](): Promise<void>;
}

export function createSessions(needs: SessionsNeeds): Sessions {
  const { ambient } = needs;
  const parts = createParts(needs);
  const { registry, processes, artifacts, turns } = parts;
  const openFresh = (record: SessionRecord, plan: string) => openFromPlan(record, plan, { needs, parts });
  const plans = createPlans({ ...parts, ambient, openFresh });

  return {
    ...createLifecycle(needs, parts),
    ...createObserving(needs, parts),
    has: (sessionId) => registry.live.has(sessionId) || parts.store.read(sessionId) !== undefined,
    lineage: (sessionId) => registry.lineage(sessionId),
    knowsFolder: (folder) => registry.list().some(({ header }) => header.folder === folder),
    usage: parts.usage,
    turns,
    editors: parts.editors,
    images: parts.images,
    requests: createRequests({ ...parts, ambient, plans, reach: needs.reach }),
    commands: parts.commands,
    agents: createAgents(parts),
    board: createBoard(ambient, parts),
    workflowSteps: createWorkflowSteps({ ...needs, ...parts }),
    editing: createEditing(parts),
    branches: createBranches({ ...needs, ...parts }),
    ownTools: createSessionTools({ ...parts, ambient, turnOf: (id) => registry.live.get(id) }),
    async stopProcess(sessionId, id) {
      registry.get(sessionId);
      if (!processes.stop(sessionId, id)) throw sessionsError('PROCESS_NOT_RUNNING');
    },
    async sendToBackground(sessionId, id) {
      registry.get(sessionId);
      if (!processes.sendToBackground(sessionId, id)) throw sessionsError('PROCESS_NOT_RUNNING');
    },
    offered: async (sessionId) => parts.offer(registry.get(sessionId)),
    slashCommands: async (sessionId) => parts.slash.list(registry.get(sessionId).header.folder),
    slashCommandsIn: (folder) => parts.slash.list(folder),
    instructions: async (sessionId) => (await folderBrief(registry.get(sessionId).header.folder)).sources,
    async artifact(id) {
      const artifact = artifacts.read(id);
      if (!artifact) throw sessionsError('NOT_FOUND', { reason: 'artifact-unknown' });
      return artifact;
    },
    check: () => ({ sessions: parts.store.list().length, recovered: parts.recovered }),
    [Symbol.asyncDispose]: () => parts.close(),
  };
}

/** Only the plan, in a new conversation on the same folder with write access. */
async function openFromPlan(
  { header, settings }: SessionRecord,
  plan: string,
  { needs, parts: { store, turns } }: { needs: SessionsNeeds; parts: Parts },
): Promise<{ sessionId: string; begin(): void; undo(): void }> {
  turns.assertOpen();
  const branch = await needs.branchOf(header.folder);
  const fresh: SessionHeader = {
    ...header,
    sessionId: needs.ambient.newId(),
    assignment: plan,
    startedAt: needs.ambient.now(),
    forkOf: null,
    branchTurn: null,
  };
  const record = store.create(
    fresh,
    { ...settings, mode: 'normal', permissions: 'Workspace write' },
    { lease: needs.lease },
  );
  try {
    await needs.keepCommandSettings?.(header.sessionId, fresh.sessionId);
  } catch (error) {
    store.remove(record);
    throw sessionsError('PLAN_DECISION_NOT_SAVED', { cause: error });
  }
  return {
    sessionId: fresh.sessionId,
    begin: () =>
      turns.begin(record, {
        input: { message: `Carry out this plan:\n\n${plan}` },
        branch,
        isApproved: true,
      }),
    undo: () => store.remove(record),
  };
}
