import '../../styles/forms.css';
import '../../styles/run-mark.css';
import '../../styles/workflows.css';
import '../../styles/workflow-step.css';
import { useSearchParams } from 'react-router';
import { Overview } from './overview.tsx';
import { ProposalPage } from './proposal-page.tsx';
import { RunPage } from './run-page.tsx';

/** Workflow proposals of a session, and its runs; the selected one is in the address. */
export function WorkflowsPanel({ sessionId }: { sessionId: string }) {
  const [search] = useSearchParams();
  const run = search.get('run');
  const workflow = search.get('workflow');
  if (run !== null) return <RunPage key={run} sessionId={sessionId} runId={run} />;
  if (workflow !== null) {
    const version = Number(search.get('version')) || 1;
    return (
      <ProposalPage key={`${workflow} ${version}`} sessionId={sessionId} workflowId={workflow} version={version} />
    );
  }
  return <Overview sessionId={sessionId} />;
}
