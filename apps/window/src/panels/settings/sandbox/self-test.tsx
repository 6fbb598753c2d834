import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Check, CircleAlert, CircleSlash, Play } from 'lucide-react';
import { Failure, Loading } from '../../../parts/states.tsx';
import { type SandboxTest, testSandbox } from '../../../wire/sandbox.ts';
import { isWordKey, useWords, type Words } from '../../../words/words.ts';

type Attempt = SandboxTest['attempts'][number];

/** A newer server may run tests without a translation here. */
function titleOf(id: string, say: Words['say']): string {
  const key = `sandbox.try.${id}`;
  return isWordKey(key) ? say(key) : id;
}

function AttemptRow({ attempt }: { attempt: Attempt }) {
  const { say, duration } = useWords();
  const isSkipped = attempt.outcome === 'skipped';
  const isExpected = attempt.outcome === attempt.expected;
  const Icon = isSkipped ? CircleSlash : isExpected ? Check : CircleAlert;
  const tone = isSkipped ? 'muted' : isExpected ? 'success' : 'danger';
  const outcome = say(`sandbox.outcome.${attempt.outcome}`);
  return (
    <li className="sandbox-row">
      <Icon size={16} className={tone} aria-hidden />
      <span className="sandbox-subject">{titleOf(attempt.id, say)}</span>
      <span className={`small ${isExpected || isSkipped ? 'muted' : 'danger'}`}>
        {isExpected || isSkipped ? outcome : say('sandbox.outcome.unexpected', { outcome })}
      </span>
      {!isSkipped && <span className="small muted tabular">{duration(attempt.durationMs)}</span>}
    </li>
  );
}

/** Runs real commands in the sandbox, and shows the result of each. */
export function SelfTest() {
  const { say } = useWords();
  const test = useMutation({ mutationFn: testSandbox });
  const attempts = test.data?.attempts ?? [];
  const wrong = attempts.filter(({ outcome, expected }) => outcome !== 'skipped' && outcome !== expected).length;
  const summary = (): string => {
    if (!test.data?.works) return say('sandbox.try.none');
    return wrong === 0 ? say('sandbox.try.passed') : say('sandbox.try.failed', { count: wrong });
  };
  return (
    <section className="field" aria-label={say('sandbox.try')}>
      <div className="sandbox-head">
        <h2 className="sandbox-title">{say('sandbox.try')}</h2>
        <Button leftSection={<Play size={14} aria-hidden />} loading={test.isPending} onClick={() => test.mutate()}>
          {say('sandbox.try.run')}
        </Button>
      </div>
      <p className="small muted">{say('sandbox.try.why')}</p>
      <div role="status">
        {test.isPending && <Loading lines={6} />}
        {test.data && !test.isPending && <p className={wrong === 0 ? '' : 'danger'}>{summary()}</p>}
      </div>
      {test.error && <Failure error={test.error} />}
      {attempts.length > 0 && !test.isPending && (
        <ul className="sandbox-rows">
          {attempts.map((attempt) => (
            <AttemptRow key={attempt.id} attempt={attempt} />
          ))}
        </ul>
      )}
    </section>
  );
}
