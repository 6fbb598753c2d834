import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheck, CircleDashed, CircleSlash, CircleX, GitPullRequest } from 'lucide-react';
import { CleanText } from '../../parts/clean-text.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { type Checks, checksQuery, hostStatusQuery, type PullRequest, pullsQuery } from '../../wire/github.ts';
import { isWordKey, useWords } from '../../words/words.ts';
import { NewPull } from './new-pull.tsx';
import { PullState, useBranch } from './pulls.tsx';
import type { GitPanelState } from './use-git-panel.ts';

const CHECKS = {
  failed: { Icon: CircleX, tone: 'danger', count: 'failed' },
  running: { Icon: CircleDashed, tone: 'warning', count: 'isRunning' },
  passed: { Icon: CircleCheck, tone: 'success', count: 'passed' },
  skipped: { Icon: CircleSlash, tone: 'muted', count: 'skipped' },
  cancelled: { Icon: Ban, tone: 'muted', count: 'cancelled' },
} as const;
type CheckState = keyof typeof CHECKS;
const STATES = Object.keys(CHECKS) as CheckState[];

function Mark({ state }: { state: CheckState }) {
  const { Icon, tone } = CHECKS[state];
  return <Icon size={14} className={tone} aria-hidden />;
}

function CheckList({ checks }: { checks: Checks }) {
  const { say, duration } = useWords();
  const took = (from: string | null, to: string | null) =>
    from && to ? duration(Math.max(0, new Date(to).getTime() - new Date(from).getTime())) : '';
  if (checks.total === 0) return <p className="muted small git-note">{say('pulls.checks.none')}</p>;
  return (
    <>
      <p className="pull-counts small">
        {STATES.filter((state) => checks.counts[CHECKS[state].count] > 0).map((state) => (
          <span key={state} className="pull-state">
            <Mark state={state} /> {say(`pulls.checks.${state}`, { count: checks.counts[CHECKS[state].count] })}
          </span>
        ))}
      </p>
      <ul className="git-rows">
        {checks.entries
          .toSorted((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state))
          .map(({ name, workflow, state, address, startedAt, end }, at) => (
            <li key={`${workflow} ${name} ${at}`} className="pull-check">
              <Mark state={state} />
              <span>{address ? <OutsideLink address={address}>{name}</OutsideLink> : name}</span>
              <span className="muted small">
                {[workflow, say(`pulls.check.${state}`), took(startedAt, end)].filter(Boolean).join(' · ')}
              </span>
            </li>
          ))}
      </ul>
    </>
  );
}

function About({ pull }: { pull: PullRequest }) {
  const { say, ago } = useWords();
  const { number, title, url, branch, base, author, createdAt, updated, review, merge } = pull;
  const facts = [
    author && say('pulls.by', { name: author }),
    createdAt && say('pulls.created', { when: ago(createdAt) }),
    updated && say('pulls.updated', { when: ago(updated) }),
  ];
  // The code host may return states without a translation.
  const words = [`pulls.review.${review}`, `pulls.merge.${merge}`].filter((key) => isWordKey(key));
  return (
    <header className="git-commit-head">
      <h2>
        <CleanText text={title} /> <span className="muted">#{number}</span>
      </h2>
      <p className="small pull-about">
        <PullState pull={pull} />{' '}
        <code>
          <CleanText text={branch} />
        </code>{' '}
        →{' '}
        <code>
          <CleanText text={base} />
        </code>
      </p>
      <p className="muted small">{facts.filter(Boolean).join(' · ')}</p>
      {pull.state === 'open' && words.length > 0 && <p className="small">{words.map((key) => say(key)).join(' · ')}</p>}
      {url && (
        <p className="small">
          <OutsideLink address={url}>{say('pulls.open')}</OutsideLink>
        </p>
      )}
    </header>
  );
}

function OnePull({ panel, number }: { panel: GitPanelState; number: string }) {
  const { say } = useWords();
  const branch = useBranch(panel);
  const list = useQuery({ ...pullsQuery(panel.sessionId, branch), enabled: branch !== undefined }).data;
  const checks = useQuery(checksQuery(panel.sessionId, number));
  const pull = [list?.branchPull, ...(list?.open ?? [])].find((one) => one && String(one.number) === number);
  return (
    <div className="git-scroll">
      {pull ? <About pull={pull} /> : <h2 className="git-title">#{number}</h2>}
      <h3 className="git-title">{say('pulls.checks')}</h3>
      <Answer query={checks}>{({ checks }) => <CheckList checks={checks} />}</Answer>
      <div className="only-slim git-note">
        <Button onClick={() => panel.go({ view: 'pulls' })}>{say('act.back')}</Button>
      </div>
    </div>
  );
}

/** One pull request with its checks, or the form of a new one. */
export function PullPane({ panel }: { panel: GitPanelState }) {
  const { say } = useWords();
  const isSignedIn = useQuery(hostStatusQuery).data?.signIn.isSignedIn;
  const { pull } = panel.place;
  if (!isSignedIn) return null;
  if (pull === 'new') return <NewPull panel={panel} />;
  if (pull === undefined) return <Empty icon={<GitPullRequest size={20} />} title={say('pulls.choose')} />;
  return <OnePull key={pull} panel={panel} number={pull} />;
}
