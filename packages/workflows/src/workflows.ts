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
    Pick<RunsNeeds, 'steps' | 'concurrency' | 'tellOutcome' | 'isBackground'>,
    Pick<RunToolNeeds, 'rootOf'> {
  proposerOf(sessionId: string): Promise<Proposer>;
}

/** Plans an agent proposes and a user approves, their runs, and what can be seen of both. */
export interface Workflows extends AsyncDisposable {
  proposals: Proposals;
  runs: Runs;
  views: Views;
  tools: readonly Tool[];
  /** Deletes results that no run names, but for the last ones: a run may be about to name them. How many. */
  sweepResults(): Promise<number>;
}

const ABOUT_TO_BE_NAMED_MS = 10 * 60_000;

/** Opens nothing before the first use. */
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
