import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Answer, Failure } from '../../../parts/states.tsx';
import {
  addRule,
  appliesIn,
  refusalsQuery,
  rulesQuery,
  SANDBOX_KEY,
  type SandboxRefusal,
} from '../../../wire/sandbox.ts';
import { useWords } from '../../../words/words.ts';

const keyOf = ({ kind, subject, folder }: SandboxRefusal): string => `${kind} ${subject} ${folder}`;

/** Blocked accesses, each with the rule that would allow it. */
export function Refusals() {
  const { say, ago } = useWords();
  const client = useQueryClient();
  const query = useQuery(refusalsQuery);
  const rules = useQuery(rulesQuery);
  const allow = useMutation({
    mutationFn: ({ rule, folder }: SandboxRefusal) => addRule({ rule: rule ?? '', folder }),
    onSettled: () => client.invalidateQueries({ queryKey: SANDBOX_KEY }),
  });
  const isAllowed = (refusal: SandboxRefusal): boolean =>
    rules.data?.some((rule) => rule.rule === refusal.rule && appliesIn(rule, refusal.folder)) ?? false;
  return (
    <section className="field" aria-label={say('sandbox.refusals')}>
      <h2 className="sandbox-title">{say('sandbox.refusals')}</h2>
      <Answer query={query} lines={3}>
        {(refusals) =>
          refusals.length === 0 ? (
            <p className="muted small">{say('sandbox.refusals.none')}</p>
          ) : (
            <ul className="sandbox-rows">
              {refusals.map((one) => (
                <li key={keyOf(one)} className="sandbox-row">
                  <div className="sandbox-subject">
                    <code>{one.subject}</code>
                    <p className="small muted">
                      {say(`sandbox.refused.${one.reason}`)} · <span title={one.folder}>{one.folder}</span> ·{' '}
                      {ago(one.at)}
                    </p>
                    {one.rule !== null && (
                      <p className="small muted">
                        {say('sandbox.refused.ruleName')} <code>{one.rule}</code>
                      </p>
                    )}
                  </div>
                  {one.rule !== null &&
                    (isAllowed(one) ? (
                      <span className="small muted">{say('sandbox.allowed')}</span>
                    ) : (
                      <Button variant="default" disabled={allow.isPending} onClick={() => allow.mutate(one)}>
                        {say('ask.project')}
                      </Button>
                    ))}
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {allow.error && <Failure error={allow.error} />}
    </section>
  );
}
