import { useState } from 'react';
import type { Claim, Source, Verdict } from '../../wire/research.ts';
import { useWords } from '../../words/words.ts';
import { ChoiceField } from '../notes-tasks-memories/field.tsx';
import { VERDICT_NAMES, VerdictMark } from './states.tsx';

function ClaimCard({ claim, source }: { claim: Claim; source: Source | undefined }) {
  const { say } = useWords();
  const { text, step, source: number, verdict } = claim;
  return (
    <li className="claim">
      <VerdictMark verdict={verdict} />
      <p>{text}</p>
      {step === '' ? (
        <p className="small muted">{say('research.passage.none')}</p>
      ) : (
        <blockquote className="small">{step}</blockquote>
      )}
      {source && (
        <a className="small" href={`#source-${number}`}>
          [{number}] {source.title}
        </a>
      )}
    </li>
  );
}

/** The claims of a report, each with the result of its check and its quote. */
export function Claims({ claims, sources }: { claims: readonly Claim[]; sources: readonly Source[] }) {
  const { say } = useWords();
  const [only, setOnly] = useState<Verdict | 'all'>('all');
  if (claims.length === 0) return <p className="muted research-body">{say('research.claims.none')}</p>;
  const present = VERDICT_NAMES.filter((verdict) => claims.some((claim) => claim.verdict === verdict));
  const listed = claims.filter(({ verdict }) => only === 'all' || verdict === only);
  return (
    <div className="research-body">
      {present.length > 1 && (
        <ChoiceField
          className="chip"
          label={say('research.verdict')}
          value={only}
          values={['all', ...present]}
          nameOf={(name) => say(`research.verdict.${name}`)}
          pick={setOnly}
        />
      )}
      <ul className="claims">
        {listed.map((claim, at) => (
          <ClaimCard key={`${claim.text} ${at}`} claim={claim} source={sources[claim.source - 1]} />
        ))}
      </ul>
    </div>
  );
}
