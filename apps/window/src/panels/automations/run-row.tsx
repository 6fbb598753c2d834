import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { MessageSquare, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Diff } from '../../parts/diff.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { type AutomationRun, decideProposal, markRead } from '../../wire/automations.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import { isWordKey, useWords } from '../../words/words.ts';
import { RunMark } from './run-mark.tsx';
import { useAction } from './use-action.ts';

interface RowProps {
  automationId: string;
  run: AutomationRun;
  /** Its automation, if the context does not show it. */
  name?: ReactNode;
}

/** The error, as text if known, else as a code. */
function Detail({ code }: { code: string }) {
  const { say } = useWords();
  const known = [`automation.why.${code}`, `failure.${code}`].find(isWordKey);
  return known ? say(known) : <code>{code}</code>;
}

/** Why it ended, if its state does not say it. */
function Reason({ run }: { run: AutomationRun }) {
  const { say } = useWords();
  if (run.reason === undefined) return null;
  const key = `automation.reason.${run.reason}`;
  return (
    <p className="small muted">
      {isWordKey(key) ? say(key) : run.reason}
      {run.detail !== undefined && (
        <>
          {' '}
          <Detail code={run.detail} />
        </>
      )}
    </p>
  );
}

function Proposal({ automationId, run, name }: RowProps) {
  const { say } = useWords();
  const { act, isBusy } = useAction();
  const { proposal } = run;
  if (!proposal) return null;
  // In the history of an automation, or alone in the inbox.
  const Title = name === undefined ? 'h3' : 'h2';
  const decide = (decision: 'approve' | 'discard') => act(() => decideProposal(automationId, run.runId, decision));
  return (
    <section className="card automation-proposal" data-tone={proposal.state === 'waiting' ? 'ask' : undefined}>
      <Title>{say(`automation.proposal.${proposal.state}`)}</Title>
      {proposal.threats.length > 0 && (
        <ul className="automation-threats" aria-label={say('automation.threats')}>
          {proposal.threats.map((code) => {
            const key = `automation.threat.${code}`;
            return (
              <li key={code} className="warning small">
                <TriangleAlert size={14} aria-hidden />
                {isWordKey(key) ? say(key) : code}
              </li>
            );
          })}
        </ul>
      )}
      <Diff isPiece before={proposal.before} after={proposal.after} label={say('automation.proposal.diff')} />
      {proposal.state === 'waiting' && (
        <div className="automation-acts">
          <Button variant="filled" disabled={isBusy} onClick={() => decide('approve')}>
            {say('automation.proposal.approve')}
          </Button>
          <Button disabled={isBusy} onClick={() => decide('discard')}>
            {say('automation.proposal.discard')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** One run: its state, result and proposals. */
export function RunRow({ automationId, run, name }: RowProps) {
  const { say, date } = useWords();
  const { act, isBusy } = useAction();
  const client = useQueryClient();
  // Sessions started automatically may not be in the list yet.
  const lookAgain = () => void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const at = run.startedAt ?? run.skippedAt ?? run.plannedAt;
  const isNews = run.needsLook && !run.isRead;
  return (
    <li className="automation-run" data-news={isNews || undefined}>
      <div className="automation-run-head">
        {name}
        <RunMark state={run.outcome} />
        {at && (
          <time className="small muted tabular" dateTime={at}>
            {date(at)}
          </time>
        )}
        {run.isManual && <span className="small muted">{say('automation.byHand')}</span>}
        {run.delay && run.delay !== 'on-time' && (
          <span className="small muted">{say(`automation.late.${run.delay}`)}</span>
        )}
        <span className="automation-run-acts">
          {run.sessionId && (
            <Link className="text-button" to={`/sessions/${run.sessionId}`} onClick={lookAgain}>
              <MessageSquare size={14} aria-hidden />
              {say('automation.conversation')}
            </Link>
          )}
          {isNews && (
            <button
              type="button"
              className="text-button"
              disabled={isBusy}
              onClick={() => act(() => markRead(automationId, run.runId))}
            >
              {say('automation.markRead')}
            </button>
          )}
        </span>
      </div>
      <Reason run={run} />
      {run.summary !== null && (
        <div className="automation-summary">
          <Markdown text={run.summary} />
        </div>
      )}
      {run.changes.includes('nextRunAt') && <p className="small muted">{say('automation.changedNext')}</p>}
      <Proposal automationId={automationId} run={run} name={name} />
    </li>
  );
}
