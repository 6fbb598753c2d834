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
  fallito: { Icon: CircleX, tone: 'danger', count: 'falliti' },
  'in-corso': { Icon: CircleDashed, tone: 'warning', count: 'inCorso' },
  passato: { Icon: CircleCheck, tone: 'success', count: 'passati' },
  saltato: { Icon: CircleSlash, tone: 'muted', count: 'saltati' },
  annullato: { Icon: Ban, tone: 'muted', count: 'annullati' },
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
  if (checks.totale === 0) return <p className="muted small git-note">{say('pulls.checks.none')}</p>;
  return (
    <>
      <p className="pull-counts small">
        {STATES.filter((state) => checks.conteggi[CHECKS[state].count] > 0).map((state) => (
          <span key={state} className="pull-state">
            <Mark state={state} /> {say(`pulls.checks.${state}`, { count: checks.conteggi[CHECKS[state].count] })}
          </span>
        ))}
      </p>
      <ul className="git-rows">
        {checks.voci
          .toSorted((one, other) => STATES.indexOf(one.stato) - STATES.indexOf(other.stato))
          .map(({ nome, flusso, stato, indirizzo, inizio, fine }, at) => (
            <li key={`${flusso} ${nome} ${at}`} className="pull-check">
              <Mark state={stato} />
              <span>{indirizzo ? <OutsideLink address={indirizzo}>{nome}</OutsideLink> : nome}</span>
              <span className="muted small">
                {[flusso, say(`pulls.check.${stato}`), took(inizio, fine)].filter(Boolean).join(' · ')}
              </span>
            </li>
          ))}
      </ul>
    </>
  );
}

function About({ pull }: { pull: PullRequest }) {
  const { say, ago } = useWords();
  const { numero, titolo, url, ramo, base, autore, creata, aggiornata, revisione, unione } = pull;
  const facts = [
    autore && say('pulls.by', { name: autore }),
    creata && say('pulls.created', { when: ago(creata) }),
    aggiornata && say('pulls.updated', { when: ago(aggiornata) }),
  ];
  // The code host may return states without a translation.
  const words = [`pulls.review.${revisione}`, `pulls.merge.${unione}`].filter((key) => isWordKey(key));
  return (
    <header className="git-commit-head">
      <h2>
        <CleanText text={titolo} /> <span className="muted">#{numero}</span>
      </h2>
      <p className="small pull-about">
        <PullState pull={pull} />{' '}
        <code>
          <CleanText text={ramo} />
        </code>{' '}
        →{' '}
        <code>
          <CleanText text={base} />
        </code>
      </p>
      <p className="muted small">{facts.filter(Boolean).join(' · ')}</p>
      {pull.stato === 'open' && words.length > 0 && <p className="small">{words.map((key) => say(key)).join(' · ')}</p>}
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
  const pull = [list?.prDelRamo, ...(list?.aperte ?? [])].find((one) => one && String(one.numero) === number);
  return (
    <div className="git-scroll">
      {pull ? <About pull={pull} /> : <h2 className="git-title">#{number}</h2>}
      <h3 className="git-title">{say('pulls.checks')}</h3>
      <Answer query={checks}>{({ controlli }) => <CheckList checks={controlli} />}</Answer>
      <div className="only-slim git-note">
        <Button onClick={() => panel.go({ view: 'pulls' })}>{say('act.back')}</Button>
      </div>
    </div>
  );
}

/** One pull request with its checks, or the form of a new one. */
export function PullPane({ panel }: { panel: GitPanelState }) {
  const { say } = useWords();
  const isSignedIn = useQuery(hostStatusQuery).data?.accesso.collegato;
  const { pull } = panel.place;
  if (!isSignedIn) return null;
  if (pull === 'new') return <NewPull panel={panel} />;
  if (pull === undefined) return <Empty icon={<GitPullRequest size={20} />} title={say('pulls.choose')} />;
  return <OnePull key={pull} panel={panel} number={pull} />;
}
