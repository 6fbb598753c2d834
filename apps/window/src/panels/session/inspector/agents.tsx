import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Fold, Panel } from '../../../parts/box.tsx';
import { lazyPart, Waiting } from '../../../parts/lazy-part.tsx';
import { ModelName } from '../../../parts/model-name.tsx';
import { SessionMark } from '../../../parts/session-mark.tsx';
import { Loading } from '../../../parts/states.tsx';
import { toolLabels } from '../../../parts/tool-words.ts';
import { type SessionState, stateOfClosing } from '../../../session/session-state.ts';
import type { ChildAgent } from '../../../wire/records.ts';
import { childrenQuery } from '../../../wire/session-details.ts';
import { worktreesQuery } from '../../../wire/worktrees.ts';
import { useWords } from '../../../words/words.ts';
import { usageWords } from '../rows/turn-end.tsx';

const Timeline = lazyPart(async () => (await import('./agent-timeline.tsx')).AgentTimeline);
const Markdown = lazyPart(async () => (await import('../../../parts/markdown.tsx')).Markdown);

/** Their words are shown too: an icon alone would not tell them apart at a glance. */
const ENDED_EARLY: ReadonlySet<SessionState> = new Set(['stopped', 'failed', 'interrupted', 'exhausted']);

function stateOfChild(child: ChildAgent): SessionState {
  if (child.approvalPendingCount + child.questionPendingCount > 0) return 'waiting';
  if (child.isInterrupted) return 'interrupted';
  return child.isConcluded ? stateOfClosing(child.closingReason) : 'running';
}

function Files({ label, paths }: { label: string; paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <p className="small">
      <span className="muted">{label}</span> {paths.join(', ')}
    </p>
  );
}

function Child({ child }: { child: ChildAgent }) {
  const words = useWords();
  const { say } = words;
  const state = stateOfChild(child);
  const tool = child.currentOperation;
  return (
    <li>
      <Fold
        head={
          <>
            <SessionMark state={state} isWorded={ENDED_EARLY.has(state)} />
            <span className="agent-task">{child.task ?? say('session.untitled')}</span>
            {state === 'running' && tool && (
              <span className="muted small">{say(toolLabels(tool).now, { name: tool })}</span>
            )}
          </>
        }
      >
        {() => (
          <div className="agent-body">
            {child.delegationSummary && <Markdown text={child.delegationSummary} />}
            {child.delegationDeliveryError && <p className="danger small">{child.delegationDeliveryError}</p>}
            {child.delegationEvidence && <code className="small">{child.delegationEvidence}</code>}
            <Files label={say('agents.wrote')} paths={child.tasks.filesWritten} />
            <Files label={say('agents.collisions')} paths={child.collisions.map(({ path }) => path)} />
            <p className="small muted tabular">
              <ModelName id={child.model} /> {child.sessionUsage && `· ${usageWords(child.sessionUsage, words)}`}
            </p>
            <Link className="small" to={`/sessions/${child.sessionId}`}>
              {say('agents.open')}
            </Link>
            <Review sessionId={child.sessionId} />
            <Children sessionId={child.sessionId} />
          </div>
        )}
      </Fold>
    </li>
  );
}

/** To the changes of an agent that worked in a worktree, where they can be applied. */
function Review({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const isApart = useQuery(worktreesQuery).data?.some(({ sessions }) => sessions.includes(sessionId));
  if (!isApart) return null;
  return (
    <Link className="small" to={`/compare?sessions=${sessionId}`}>
      {say('agents.review')}
    </Link>
  );
}

function Children({ sessionId }: { sessionId: string }) {
  const query = useQuery(childrenQuery(sessionId));
  if (!query.data || query.data.length === 0) return null;
  return (
    <ul className="rows agents">
      {query.data.map((child) => (
        <Child key={child.sessionId} child={child} />
      ))}
    </ul>
  );
}

/** The sub-agents of this session, their activity, and the timeline of all. */
export function Agents({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const query = useQuery(childrenQuery(sessionId));
  if (!query.data || query.data.length === 0) return null;
  return (
    <Panel title={say('inspector.agents')}>
      <Waiting fallback={<Loading lines={2} />}>
        <Children sessionId={sessionId} />
        <Fold head={<span className="small muted">{say('agents.timeline')}</span>}>
          {() => <Timeline sessionId={sessionId} />}
        </Fold>
      </Waiting>
    </Panel>
  );
}
