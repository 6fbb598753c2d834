import { isAbsolute, resolve } from 'node:path';
import { type Ambient, isAppError, isWithin, realFolder, type SessionEvent, textStart } from '@fucina/shared';
import { type AgentKind, agentKind, NO_KIND } from './agent-kind.ts';
import type { Registry } from './registry.ts';
import type { SessionHeader } from './state/session.ts';
import { eventsOf } from './store/events.ts';
import type { SessionRecord, SessionStore } from './store/store.ts';
import type { Turns } from './turn/turns.ts';
import { diffsOf } from './undo/diff-text.ts';
import type { TurnChanges } from './undo/turn-changes.ts';

export const MAX_DEPTH = 2;
const MAX_RUNNING = 10;
const MAX_STARTED_ALONE = 20;
const TASK_LENGTH = 80;
const MAX_REPORT = 8_000;
const DIFF_LIMITS = { files: 50, characters: 16_000 };

/** Folders of their own for sub-agents. */
export interface Isolation {
  /**
   * A worktree with the last commit of the folder's repository: the folder in it, and its branch. Codes of git, as
   * GIT_NOT_A_REPOSITORY and GIT_COMMIT_UNKNOWN.
   */
  open(folder: string, task: string, traceparent?: string): Promise<{ folder: string; branch: string | null }>;
  /** Removes it if it has no changes: then true. */
  removeUnchanged(folder: string): Promise<boolean>;
}

/** Starts sub-agents for an agent and returns their reports. */
export interface Delegation {
  /** Runs a child session to its end. A refusal is text for the model. Aborting the signal stops the child. */
  run(parentId: string, order: DelegationOrder): Promise<DelegationReport | { refused: string }>;
}

export interface DelegationOrder {
  task: string;
  /** Absolute; the parent's folder if absent. */
  folder?: string;
  /** Name of a kind of sub-agent that the project defines. */
  agent?: string | undefined;
  isWholeDisk: boolean;
  /** Works in a worktree: its changes reach the folder only when the user applies them. */
  isIsolated?: boolean;
  signal: AbortSignal;
  /** The trace context of the call that starts it. */
  traceparent?: string | undefined;
}

/** Data from another agent, never instructions. */
export interface DelegationReport {
  schema: 'svc.subagent-result.v1';
  childId: string;
  task: string;
  outcome: string;
  textUntrusted: string;
  filesChanged: string[];
  /** Of a kind of sub-agent: what of its definition does not apply here. */
  notApplied?: string[];
  /** Of an isolated agent that changed something: where its changes are, and what they are. */
  worktree?: { branch: string | null; diff: string };
}

interface DelegationNeeds {
  ambient: Ambient;
  registry: Registry;
  store: SessionStore;
  turns: Turns;
  lease: string;
  turnChanges: TurnChanges;
  /** Absent where there are no worktrees. */
  isolation?: Isolation | undefined;
  branchOf(folder: string): Promise<string | null>;
  /** The context size of a model; null when the model is unknown. */
  windowOf(model: string): number | null;
  /** False when the author of the automation did not allow sub-agents. */
  mayDelegate(record: SessionRecord): boolean;
}

export function createDelegation(needs: DelegationNeeds): Delegation {
  const { registry, turns } = needs;
  /** Sub-agents start one after the other, in the order of the calls, and then run in parallel. */
  let starting: Promise<unknown> = Promise.resolve();

  const start = async (parentId: string, order: DelegationOrder) => {
    const { task, folder, agent, isWholeDisk, isIsolated, traceparent } = order;
    const parent = registry.get(parentId);
    const refused = refusal(parent, needs);
    if (refused) return { refused };
    const kind = agent === undefined ? NO_KIND : await agentKind(parent, agent, needs);
    if ('refused' in kind) return kind;
    const place = await placeOf(parent, folder, isWholeDisk);
    if (place === undefined) return { refused: `${folder} is not a folder inside this session's own.` };
    const own = isIsolated
      ? await isolate(parent, { task, folder: place, traceparent }, needs.isolation)
      : { folder: place, branch: await needs.branchOf(place), isolatedIn: parent.header.isolatedIn };
    return 'refused' in own
      ? own
      : {
          child: startChild(parent, { task, kind, ...own, traceparent }, needs),
          notApplied: kind.notApplied,
        };
  };

  return {
    async run(parentId, order) {
      const { signal } = order;
      const started = starting.then(() => start(parentId, order));
      starting = started.catch(() => undefined);
      const begun = await started;
      if ('refused' in begun) return begun;
      const { child, notApplied } = begun;
      const { sessionId } = child.header;
      const stop = (): void => registry.live.get(sessionId)?.stop(signal.reason === 'shutdown' ? 'shutdown' : 'user');
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      await turns.settled(sessionId);
      signal.removeEventListener('abort', stop);
      const ended = registry.get(sessionId);
      const reported = { ...report(ended, needs.store), ...(notApplied.length && { notApplied }) };
      return order.isIsolated ? withWorktree(ended, reported, needs) : reported;
    },
  };
}

function refusal(parent: SessionRecord, { registry, store, mayDelegate }: DelegationNeeds): string | undefined {
  if (!mayDelegate(parent)) return 'This automation may not start agents: do this yourself.';
  if (parent.header.delegationDepth >= MAX_DEPTH) return `Agents go at most ${MAX_DEPTH} deep: do this yourself.`;
  const root = registry.list().find(({ key }) => key === parent.rootKey) ?? parent;
  const isAgent = ({ header }: SessionRecord): boolean => header.workflowStep === null;
  const all = registry.descendants(root).filter(isAgent);
  if (all.filter(({ state }) => state === 'running').length >= MAX_RUNNING) {
    return `${MAX_RUNNING} agents run already: wait for one of them, or do this yourself.`;
  }
  return all.length >= MAX_STARTED_ALONE || store.children(root).filter(isAgent).length >= MAX_STARTED_ALONE
    ? `This conversation has started ${MAX_STARTED_ALONE} agents, which is its limit: do this yourself.`
    : undefined;
}

/** A worktree for the child, or why there is none. */
async function isolate(
  parent: SessionRecord,
  { task, folder, traceparent }: Pick<DelegationOrder, 'task' | 'traceparent'> & { folder: string },
  isolation: Isolation | undefined,
): Promise<Pick<ChildStart, 'folder' | 'branch' | 'isolatedIn'> | { refused: string }> {
  if (parent.settings.permissions === 'Read only')
    return { refused: 'With Read only nothing can be changed: start it without a worktree.' };
  if (!isolation) return { refused: 'There are no worktrees here: start it without one.' };
  try {
    const made = await isolation.open(folder, task, traceparent);
    return { ...made, isolatedIn: made.folder };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const why = NO_WORKTREE.get(error.code) ?? `No worktree could be made (${error.code})`;
    return { refused: `${why}: start it without one.` };
  }
}

const NO_WORKTREE: ReadonlyMap<string, string> = new Map([
  ['GIT_NOT_A_REPOSITORY', 'This folder is in no git repository, so there can be no worktree'],
  ['GIT_COMMIT_UNKNOWN', 'This repository has no commit yet, so there can be no worktree'],
]);

/** The report with the diff of an isolated agent. A worktree without changes is removed. */
async function withWorktree(
  child: SessionRecord,
  reported: DelegationReport,
  { isolation, turnChanges, branchOf }: DelegationNeeds,
): Promise<DelegationReport> {
  const branch = await branchOf(child.header.folder);
  if (await isolation?.removeUnchanged(child.header.folder)) return { ...reported, filesChanged: [] };
  const changes = turnChanges.ofAll(child, turnChanges.turns(child));
  const { text, omitted } = await diffsOf(changes, turnChanges.bytesOf, DIFF_LIMITS);
  return { ...reported, worktree: { branch, diff: omitted > 0 ? `${text}\n[${omitted} more files]` : text } };
}

/** The real path of the child's folder; undefined when it is missing, not a folder, or outside the parent's. */
async function placeOf(parent: SessionRecord, folder: string | undefined, isWholeDisk: boolean) {
  const own = parent.header.folder;
  if (folder === undefined) return own;
  const wanted = isAbsolute(folder) ? folder : resolve(own, folder);
  const real = await realFolder(wanted).catch(() => undefined);
  return real !== undefined && (isWholeDisk || isWithin(own, real)) ? real : undefined;
}

interface ChildStart {
  task: string;
  kind: AgentKind;
  folder: string;
  branch: string | null;
  isolatedIn: string | undefined;
  traceparent: string | undefined;
}

function startChild(
  parent: SessionRecord,
  { task, kind, folder, branch, isolatedIn, traceparent }: ChildStart,
  needs: DelegationNeeds,
): SessionRecord {
  const header: SessionHeader = {
    ...parent.header,
    sessionId: needs.ambient.newId(),
    folder,
    assignment: task,
    startedAt: needs.ambient.now(),
    forkOf: null,
    branchTurn: null,
    parentId: parent.header.sessionId,
    delegationDepth: parent.header.delegationDepth + 1,
    delegationStart: 'alone',
    isolatedIn,
    agent: kind.agent,
    delegatedTask: [...task.trim().replace(/\s+/g, ' ')].slice(0, TASK_LENGTH).join(''),
  };
  const child = needs.store.create(
    header,
    { ...parent.settings, model: kind.model ?? parent.settings.model },
    { lease: needs.lease, parent },
  );
  needs.turns.begin(child, { input: { message: task }, branch, traceparent });
  return child;
}

/** The child's last message and its changes, read from its own journal. */
function report(child: SessionRecord, store: SessionStore): DelegationReport {
  let text = '';
  const files = new Set<string>();
  for (const { json } of eventsOf(store, child)) {
    const event = JSON.parse(json) as SessionEvent;
    if (event.type === 'TextMessageStart') text = '';
    if (event.type === 'TextMessageContent') text += event.delta;
    if (event.type === 'StateDelta') {
      for (const { path } of event.delta) if (path.startsWith('/file/')) files.add(path.slice('/file/'.length));
    }
  }
  return {
    schema: 'svc.subagent-result.v1',
    childId: child.header.sessionId,
    task: child.header.delegatedTask ?? '',
    outcome: child.fold.outcome ?? 'unknown',
    textUntrusted: text.length > MAX_REPORT ? `${textStart(text, MAX_REPORT)} […]` : text,
    filesChanged: [...files],
  };
}
