import { availableParallelism } from 'node:os';
import { parseModelId } from '@fucina/providers';
import type { SessionHeader, Sessions } from '@fucina/sessions';
import { type Ambient, isAppError } from '@fucina/shared';
import type { RunOutcome, Workflows, WorkflowsNeeds } from '@fucina/workflows';
import { createStepSessions } from './step-sessions.ts';

type FromOthers = Omit<WorkflowsNeeds, 'ambient' | 'dataDir' | 'isInitialised' | 'onOpened' | 'isBackground'>;

/** Steps of one provider at once; in total, that many plus one per core of this computer. */
const PER_PROVIDER = 4;
const MOST_STEPS = 16;

/**
 * What workflows need from other domains: who proposes them, sessions for their steps, and who is notified of their
 * end.
 */
export function workflowNeeds(sessions: () => Sessions, stepsAtOnce: number | undefined): FromOthers {
  const total = stepsAtOnce ?? Math.min(MOST_STEPS, PER_PROVIDER + 2 * availableParallelism());
  return {
    sessionExists: (sessionId) => sessions().has(sessionId),
    async proposerOf(sessionId) {
      const { header, settings } = await sessions().read(sessionId);
      return { isRoot: header.parentId === null, plannerModel: settings.plannerModel, sessionModel: settings.model };
    },
    isKnownModel,
    steps: createStepSessions(sessions),
    concurrency: { total, perProvider: stepsAtOnce ?? PER_PROVIDER },
    rootOf: (sessionId) => rootOf(sessions(), sessionId),
    reportOutcome: async (outcome) => reportOutcome(sessions(), outcome),
  };
}

/** A provider's models are known only by asking it: only a malformed id can be rejected here. */
function isKnownModel(model: string): boolean | undefined {
  try {
    parseModelId(model);
    return undefined;
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
}

export async function rootOf(sessions: Sessions, sessionId: string): Promise<string> {
  let { header } = await sessions.read(sessionId);
  while (header.parentId !== null) header = (await sessions.read(header.parentId)).header;
  return header.sessionId;
}

function reportOutcome(sessions: Sessions, { outcomeId, sessionId, ...value }: RunOutcome): void {
  try {
    sessions.workflowSteps.reportOutcome(sessionId, {
      id: outcomeId,
      value: { schema: 'svc.workflow-outcome.v1', ...value },
    });
  } catch (error) {
    // Nobody is left to notify.
    if (!isAppError(error, 'NOT_FOUND')) throw error;
  }
}

export interface RemovalNeeds {
  ambient: Ambient;
  sessions(): Sessions;
  /** After the last session of a folder may have gone; never rejects. */
  releaseFolder?(folder: string): Promise<void>;
  /** Undefined if there was never a workflow. */
  workflows(): Workflows | undefined;
}

/** What was deleted with a session, and what could not be deleted although the session is gone. */
export interface SessionRemoval {
  removedRuns: string[];
  keptRuns: { runId: string; code: string }[];
}

/**
 * WORKFLOW_RUN_NOT_FINISHED while a run of the conversation is in progress, for its root and for the sessions of its
 * steps.
 */
export function checkRemoval({ ambient, workflows }: Omit<RemovalNeeds, 'sessions'>, header: SessionHeader): void {
  const root = header.workflowStep ? header.parentId : header.sessionId;
  try {
    if (root !== null) workflows()?.runs.assertFinished(root);
  } catch (error) {
    if (!isAppError(error, 'WORKFLOW_STORE_UNAVAILABLE')) throw error;
    ambient.log.warn('session.removed-without-its-runs', { sessionId: header.sessionId, error });
  }
}

/**
 * Resumes the runs that an earlier process left. First deletes what belongs to deleted sessions: a process may have
 * ended in the middle of a deletion.
 */
export async function beginWorkflows({ ambient, sessions, workflows }: RemovalNeeds): Promise<void> {
  const used = workflows();
  try {
    for (const sessionId of used?.proposals.proposers() ?? []) {
      if (!sessions().has(sessionId)) await used?.proposals.removeOf(sessionId);
    }
    await used?.sweepResults();
  } catch (error) {
    ambient.log.warn('workflows.orphans-not-removed', { error });
  }
  used?.runs.begin();
}

/** Deletes a session, then its workflow proposals and their runs. */
export async function removeSession(needs: RemovalNeeds, sessionId: string): Promise<SessionRemoval> {
  const runs = runsOf(needs.workflows(), sessionId);
  const folders = await foldersOf(needs.sessions(), sessionId);
  await needs.sessions().remove(sessionId);
  for (const folder of folders) await needs.releaseFolder?.(folder);
  try {
    await needs.workflows()?.proposals.removeOf(sessionId);
    if (runs.length > 0) await needs.workflows()?.sweepResults();
    return { removedRuns: runs, keptRuns: [] };
  } catch (error) {
    needs.ambient.log.warn('session.runs-not-removed', { sessionId, error });
    const code = isAppError(error) ? error.code : 'WORKFLOW_STORE_UNAVAILABLE';
    return { removedRuns: [], keptRuns: runs.map((runId) => ({ runId, code })) };
  }
}

/** Of the session and of its sub-agents, which are deleted with it. */
async function foldersOf(sessions: Sessions, sessionId: string): Promise<Set<string>> {
  const folders = new Set([await sessions.folderOf(sessionId)]);
  const family = new Set([sessionId]);
  // Newest first: a sub-agent is listed before its parent.
  for (const { header } of [...(await sessions.list())].reverse()) {
    if (header.parentId === null || !family.has(header.parentId)) continue;
    family.add(header.sessionId);
    folders.add(header.folder);
  }
  return folders;
}

function runsOf(workflows: Workflows | undefined, sessionId: string): string[] {
  try {
    return workflows?.runs.ofSession(sessionId) ?? [];
  } catch (error) {
    if (isAppError(error, 'WORKFLOW_STORE_UNAVAILABLE')) return [];
    throw error;
  }
}
