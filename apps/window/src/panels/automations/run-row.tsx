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
  if (run.motivo === undefined) return null;
  const key = `automation.reason.${run.motivo}`;
  return (
    <p className="small muted">
      {isWordKey(key) ? say(key) : run.motivo}
      {run.dettaglio !== undefined && (
        <>
          {' '}
          <Detail code={run.dettaglio} />
        </>
      )}
    </p>
  );
}

function Proposal({ automationId, run, name }: RowProps) {
  const { say } = useWords();
  const { act, isBusy } = useAction();
  const { proposta } = run;
  if (!proposta) return null;
  // In the history of an automation, or alone in the inbox.
  const Title = name === undefined ? 'h3' : 'h2';
  const decide = (decision: 'approva' | 'scarta') => act(() => decideProposal(automationId, run.runId, decision));
  return (
    <section className="card automation-proposal" data-tone={proposta.stato === 'in-attesa' ? 'ask' : undefined}>
      <Title>{say(`automation.proposal.${proposta.stato}`)}</Title>
      {proposta.minacce.length > 0 && (
        <ul className="automation-threats" aria-label={say('automation.threats')}>
          {proposta.minacce.map((code) => {
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
      <Diff isPiece before={proposta.prima} after={proposta.dopo} label={say('automation.proposal.diff')} />
      {proposta.stato === 'in-attesa' && (
        <div className="automation-acts">
          <Button variant="filled" disabled={isBusy} onClick={() => decide('approva')}>
            {say('automation.proposal.approve')}
          </Button>
          <Button disabled={isBusy} onClick={() => decide('scarta')}>
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
  const at = run.partitaAlle ?? run.saltataAlle ?? run.previstaAlle;
  const isNews = run.daGuardare && !run.letta;
  return (
    <li className="automation-run" data-news={isNews || undefined}>
      <div className="automation-run-head">
        {name}
        <RunMark state={run.esito} />
        {at && (
          <time className="small muted tabular" dateTime={at}>
            {date(at)}
          </time>
        )}
        {run.manuale && <span className="small muted">{say('automation.byHand')}</span>}
        {run.ritardo && run.ritardo !== 'in-orario' && (
          <span className="small muted">{say(`automation.late.${run.ritardo}`)}</span>
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
      {run.riassunto !== null && (
        <div className="automation-summary">
          <Markdown text={run.riassunto} />
        </div>
      )}
      {run.cambi.includes('prossimaEsecuzione') && <p className="small muted">{say('automation.changedNext')}</p>}
      <Proposal automationId={automationId} run={run} name={name} />
    </li>
  );
}
