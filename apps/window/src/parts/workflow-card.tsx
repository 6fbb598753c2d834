import type { WorkflowItem } from '@fucina/conversation';
import { Workflow } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { isWordKey, useWords } from '../words/words.ts';

const PROPOSED = /workflow ([0-9a-f-]{36}), version (\d+)/;

/** A link from a workflow call to the page where the user decides about it. */
export function WorkflowCard({ content }: { content: string }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const [, workflowId, version] = PROPOSED.exec(content) ?? [];
  const to = workflowId ? `?workflow=${workflowId}&version=${version}` : '';
  return (
    <p className="notice small">
      <Workflow size={14} aria-hidden />
      <Link to={`/sessions/${sessionId}/workflows${to}`}>
        {say(workflowId ? 'workflow.card.open' : 'workflow.card.runs')}
      </Link>
    </p>
  );
}

/** The outcome of a run proposed in this conversation: the agent is told in its next turn. */
export function OutcomeCard({ item: { runId, title, status } }: { item: WorkflowItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const key = `workflow.state.${status}`;
  return (
    <p className="notice small">
      <Workflow size={14} aria-hidden />
      <span>{say('workflow.outcome', { title, state: isWordKey(key) ? say(key) : status })}</span>
      <Link to={`/sessions/${sessionId}/workflows?run=${encodeURIComponent(runId)}`}>{say('workflow.decide.run')}</Link>
    </p>
  );
}
