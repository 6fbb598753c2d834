import { Link } from 'react-router';
import { useConversation } from '../../../session/use-session.tsx';
import type { TraceStep } from '../../../wire/records.ts';
import { useWords, type Words } from '../../../words/words.ts';
import { lengthOf } from './trace-scale.ts';
import { stepError, stepName, stepSubject } from './trace-words.ts';

type Fact = readonly [label: string, value: string | undefined];

function factsOf(step: TraceStep, total: number, words: Words): Fact[] {
  const { say, duration, number, money } = words;
  const { token, costUsd, firstOutputMs, userWait, startMs, kind } = step;
  const isWaiting = step.outcome === 'running' && userWait?.endMs === null;
  return [
    [say('trace.start'), duration(startMs)],
    [say('trace.waited'), userWait ? duration(lengthOf(userWait, total)) : undefined],
    [say(kind === 'tool' ? 'trace.ran' : 'trace.length'), isWaiting ? undefined : duration(lengthOf(step, total))],
    [say('metric.first'), firstOutputMs === null ? undefined : duration(firstOutputMs - startMs)],
    [say('trace.input'), token ? number(token.input) : undefined],
    [say('trace.cached'), token?.cache ? number(token.cache) : undefined],
    [say('trace.output'), token ? number(token.output) : undefined],
    [say('usage.metric.cost'), costUsd === null ? undefined : money(costUsd)],
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
        {step.outcome !== 'succeeded' && <span className="muted">{say(`trace.outcome.${step.outcome}`)}</span>}
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
