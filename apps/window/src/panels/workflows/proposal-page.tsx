import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { Answer, Failure } from '../../parts/states.tsx';
import { sessionsQuery } from '../../wire/queries.ts';
import {
  graphQuery,
  type Proposal,
  proposalQuery,
  proposalsQuery,
  refreshWorkflows,
  runsQuery,
} from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import { BudgetTable } from './budgets.tsx';
import { Decision } from './decision.tsx';
import { Estimates, PermissionSummary, PreflightProblems } from './facts.tsx';
import { useGraphLocation } from './graph-location.ts';
import { GraphPart } from './graph-part.tsx';
import { ProposalMark } from './marks.tsx';
import { latestOf, proposalStateOf, runOf } from './proposal-state.ts';

interface ShownProps {
  sessionId: string;
  proposal: Proposal;
  show: (version: number) => void;
  leave: () => void;
}

/** The number of this version, and its state. */
function useStanding(sessionId: string, proposal: Proposal) {
  const { pages = [] } = useInfiniteQuery(proposalsQuery(sessionId)).data ?? {};
  const runs = useInfiniteQuery(runsQuery(sessionId)).data?.pages.flatMap(({ items }) => items) ?? [];
  const latest = Math.max(
    proposal.version,
    latestOf(
      pages.flatMap(({ items }) => items),
      proposal.workflowId,
    ),
  );
  const row = { ...proposal, createdAt: proposal.proposal.createdAt };
  return { latest, run: runOf(runs, proposal), standing: proposalStateOf(row, latest, runs) };
}

function Head({ proposal, latest, show, leave }: Omit<ShownProps, 'sessionId'> & { latest: number }) {
  const { say, number, date } = useWords();
  return (
    <>
      <header className="workflow-head">
        <button
          type="button"
          className="icon-button"
          aria-label={say('workflows.all')}
          title={say('workflows.all')}
          onClick={leave}
        >
          <ArrowLeft size={14} aria-hidden />
        </button>
        <h2>{proposal.title}</h2>
        {latest > 1 && (
          <select
            className="chip"
            aria-label={say('workflows.version', { number: '' }).trim()}
            value={proposal.version}
            onChange={({ currentTarget: { value } }) => show(Number(value))}
          >
            {Array.from({ length: latest }, (_, at) => latest - at).map((version) => (
              <option key={version} value={version}>
                {say('workflows.version', { number: number(version) })}
              </option>
            ))}
          </select>
        )}
      </header>
      <p className="workflow-subhead small muted">
        <span>{say('workflow.proposedAt', { at: date(proposal.proposal.createdAt) })}</span>
        {proposal.approval && <span>{say('workflow.approvedAt', { at: date(proposal.approval.approvedAt) })}</span>}
      </p>
    </>
  );
}

function Shown(props: ShownProps) {
  const { sessionId, proposal, show } = props;
  const { say } = useWords();
  const client = useQueryClient();
  const place = useGraphLocation();
  const { latest, run, standing } = useStanding(sessionId, proposal);
  const { workflowId, version } = proposal;
  const graph = { kind: 'plan', workflowId, version } as const;
  const overview = useQuery(graphQuery(graph));
  const session = useQuery(sessionsQuery).data?.find((row) => row.sessionId === sessionId);
  const refresh = () =>
    Promise.all([
      refreshWorkflows(client, sessionId),
      client.invalidateQueries({ queryKey: proposalQuery(workflowId, version).queryKey }),
    ]);
  const model = proposal.proposal.sessionModel ?? session?.model ?? undefined;
  return (
    <article className="workflow-view" aria-label={proposal.title}>
      <Head {...props} latest={latest} />
      <ProposalMark standing={standing} />
      <p className="workflow-objective">
        <span className="muted small">{say('workflow.objective')}</span>
        <span>{proposal.objective}</span>
      </p>
      <PreflightProblems preflight={proposal.preflight} />
      <div className="workflow-review">
        <PermissionSummary proposal={proposal} />
        <Estimates proposal={proposal} model={model} />
        <BudgetTable
          proposal={proposal}
          canRevise={version === latest && !run}
          onMade={(made) => {
            void refresh();
            show(made);
          }}
        />
      </div>
      <Decision sessionId={sessionId} proposal={proposal} latest={latest} run={run} refresh={refresh} show={show} />
      <Answer query={overview} lines={6}>
        {(found) => <GraphPart graph={graph} overview={found} place={place} />}
      </Answer>
    </article>
  );
}

interface PageProps {
  sessionId: string;
  workflowId: string;
  version: number;
}

/** A proposed version: goal, permissions, budgets, steps, and the decision. */
export function ProposalPage({ sessionId, workflowId, version }: PageProps) {
  const { say } = useWords();
  const [, setSearch] = useSearchParams();
  const query = useQuery(proposalQuery(workflowId, version));
  const leave = () => setSearch({});
  if (query.isError && !query.data) {
    return (
      <div className="workflow-page">
        <button type="button" className="text-button" onClick={leave}>
          <ArrowLeft size={14} aria-hidden /> {say('workflows.all')}
        </button>
        <Failure error={query.error} retry={() => void query.refetch()} />
      </div>
    );
  }
  return (
    <div className="workflow-page">
      <Answer query={query} lines={10}>
        {(proposal) => (
          <Shown
            sessionId={sessionId}
            proposal={proposal}
            leave={leave}
            show={(asked) => setSearch({ workflow: workflowId, version: String(asked) })}
          />
        )}
      </Answer>
    </div>
  );
}
