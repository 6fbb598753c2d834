import type { Tool } from '@fucina/shared';
import { openContentStore } from './content/content-store.ts';
import { createProposals, type ProposalNeeds, type Proposals } from './proposals/proposals.ts';
import { createFollowers } from './runs/followers.ts';
import type { RunsNeeds } from './runs/needs.ts';
import { createRuns, type Runs } from './runs/runs.ts';
import { openStore, type StoreNeeds } from './store/store.ts';
import { createProposeTool, type Proposer } from './tools/propose-tool.ts';
import { createRunTools, type RunToolNeeds } from './tools/run-tools.ts';
import { createViews, type Views } from './views/views.ts';

export interface WorkflowsNeeds
  extends StoreNeeds,
    Omit<ProposalNeeds, 'ambient' | 'store'>,
    Pick<RunsNeeds, 'steps' | 'concurrency' | 'reportOutcome' | 'isBackground'>,
    Pick<RunToolNeeds, 'rootOf'> {
  proposerOf(sessionId: string): Promise<Proposer>;
}

/** Workflow proposals, their approval, their runs, and views of both. */
export interface Workflows extends AsyncDisposable {
  proposals: Proposals;
  runs: Runs;
  views: Views;
  tools: readonly Tool[];
  /** Deletes unreferenced results, except recent ones that a run may be about to reference. Returns how many. */
  sweepResults(): Promise<number>;
}

const ABOUT_TO_BE_NAMED_MS = 10 * 60_000;

/** Opened at first use. */
export function createWorkflows(needs: WorkflowsNeeds): Workflows {
  const { ambient } = needs;
  const store = openStore(needs);
  const content = openContentStore({ dataDir: needs.dataDir, db: store.db });
  const followers = createFollowers();
  const proposals = createProposals({ ...needs, store });
  const runs = createRuns({ ...needs, db: store.db, content });
  runs.onCommit(({ runId }) => followers.tell(runId));
  const views = createViews({ ...needs, store, content, follow: followers.follow });
  return {
    proposals,
    runs,
    views,
    tools: [createProposeTool({ ...needs, proposals }), ...createRunTools({ ...needs, runs, views })],
    async sweepResults() {
      const named = store.db().prepare('SELECT 1 FROM run_results WHERE sha256 = ? LIMIT 1');
      return content.sweep((sha256) => named.get(sha256) !== undefined, ambient.now() - ABOUT_TO_BE_NAMED_MS);
    },
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]();
      store.close();
    },
  };
}
