import { Link } from 'react-router';
import { useConversation } from '../../../session/use-session.tsx';
import type { TraceStep } from '../../../wire/records.ts';
import { useWords, type Words } from '../../../words/words.ts';
import { lengthOf } from './trace-scale.ts';
import { stepError, stepName, stepSubject } from './trace-words.ts';

type Fact = readonly [label: string, value: string | undefined];

function factsOf(step: TraceStep, total: number, words: Words): Fact[] {
  const { say, duration, number, money } = words;
  const { token, costoUsd, primoOutputMs, attesaUtente, inizioMs, tipo } = step;
  const isWaiting = step.esito === 'in-corso' && attesaUtente?.fineMs === null;
  return [
    [say('trace.start'), duration(inizioMs)],
    [say('trace.waited'), attesaUtente ? duration(lengthOf(attesaUtente, total)) : undefined],
    [say(tipo === 'strumento' ? 'trace.ran' : 'trace.length'), isWaiting ? undefined : duration(lengthOf(step, total))],
    [say('metric.first'), primoOutputMs === null ? undefined : duration(primoOutputMs - inizioMs)],
    [say('trace.input'), token ? number(token.ingresso) : undefined],
    [say('trace.cached'), token?.cache ? number(token.cache) : undefined],
    [say('trace.output'), token ? number(token.uscita) : undefined],
    [say('usage.metric.cost'), costoUsd === null ? undefined : money(costoUsd)],
    [say('trace.error'), stepError(step, words)],
  ];
}

/** The facts of the chosen step. */
export function StepDetails({ step, total }: { step: TraceStep; total: number }) {
  const words = useWords();
  const { say } = words;
  const subject = stepSubject(step, useConversation());
  return (
    <section className="trace-details small" aria-label={say('trace.details')}>
      <p className="trace-details-name">
        <strong>{stepName(step, words)}</strong>
        {subject && <code>{subject}</code>}
        {step.esito !== 'riuscito' && <span className="muted">{say(`trace.outcome.${step.esito}`)}</span>}
      </p>
      <dl className="trace-facts">
        {factsOf(step, total, words).map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label}>
                <dt className="muted">{label}</dt>
                <dd className="tabular">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {step.sessionId && <Link to={`/sessions/${step.sessionId}`}>{say('agents.open')}</Link>}
    </section>
  );
}
