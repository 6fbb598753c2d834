import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Check, CirclePlay } from 'lucide-react';
import { useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Failure } from '../../parts/states.tsx';
import { approveVersion, type Proposal, type RunRow, startVersion } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';

const HASH_SHOWN = 12;

/** One command id per click, even if it is sent again: a lost response does not repeat the command. */
export function useCommandId(): () => string {
  const id = useRef<string>(undefined);
  return () => {
    id.current ??= crypto.randomUUID();
    return id.current;
  };
}

interface DecisionProps {
  sessionId: string;
  proposal: Proposal;
  latest: number;
  run: RunRow | undefined;
  refresh: () => Promise<unknown>;
  show: (version: number) => void;
}

function Steps({ proposal, refresh }: Pick<DecisionProps, 'proposal' | 'refresh'>) {
  const { say } = useWords();
  const [, setSearch] = useSearchParams();
  const approval = useCommandId();
  const beginning = useCommandId();
  const approve = useMutation({ mutationFn: () => approveVersion(proposal, approval()), onSettled: refresh });
  const start = useMutation({
    mutationFn: () => startVersion(proposal, beginning()),
    onSuccess: async ({ runId }) => {
      await refresh();
      setSearch({ run: runId });
    },
  });
  const error = approve.error ?? start.error;
  const isApproved = proposal.status === 'approved';
  const hash = proposal.definitionHash.replace('sha256:', '').slice(0, HASH_SHOWN);
  return (
    <>
      <p>{isApproved ? say('workflow.decide.start.why') : say('workflow.decide.approve.why', { hash })}</p>
      <div className="workflow-decide">
        <Button
          variant={isApproved ? 'default' : 'filled'}
          leftSection={<Check size={14} aria-hidden />}
          loading={approve.isPending}
          disabled={isApproved || proposal.preflight.errorCount > 0}
          onClick={() => approve.mutate()}
        >
          {say(isApproved ? 'workflow.proposal.approved' : 'workflow.decide.approve')}
        </Button>
        <Button
          variant={isApproved ? 'filled' : 'default'}
          leftSection={<CirclePlay size={14} aria-hidden />}
          loading={start.isPending}
          disabled={!isApproved}
          onClick={() => start.mutate()}
        >
          {say('workflow.decide.start')}
        </Button>
      </div>
      {error && <Failure error={error} />}
    </>
  );
}

/** Approval and start: two separate steps. */
export function Decision({ proposal, latest, run, refresh, show }: DecisionProps) {
  const { say } = useWords();
  return (
    <section className="workflow-part workflow-decision" aria-label={say('workflow.decide')}>
      <h3>{say('workflow.decide')}</h3>
      {run ? (
        <p>
          {say('workflow.decide.started')} <Link to={`?run=${run.runId}`}>{say('workflow.decide.run')}</Link>
        </p>
      ) : proposal.version < latest ? (
        <p>
          {say('workflow.decide.superseded')}{' '}
          <button type="button" className="text-button" onClick={() => show(latest)}>
            {say('workflow.decide.latest')}
          </button>
        </p>
      ) : (
        <Steps proposal={proposal} refresh={refresh} />
      )}
    </section>
  );
}
