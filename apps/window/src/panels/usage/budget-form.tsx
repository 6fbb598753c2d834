import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { type BudgetLimits, budgetQuery, refreshUsage, setBudget } from '../../wire/usage.ts';
import { useWords } from '../../words/words.ts';
import { BudgetNotice } from './budget-notice.tsx';

const FIELDS = ['dayUsd', 'dayTokens', 'sessionUsd', 'sessionTokens'] as const;
type Draft = Record<(typeof FIELDS)[number], string>;

const draftOf = (limits: BudgetLimits): Draft =>
  Object.fromEntries(FIELDS.map((name) => [name, limits[name] === null ? '' : String(limits[name])])) as Draft;

/** An empty field is no limit; undefined for one that is not a positive number. */
function limitsOf(draft: Draft): BudgetLimits | undefined {
  const values = FIELDS.map((name) => [name, draft[name].trim() === '' ? null : Number(draft[name].replace(',', '.'))]);
  const isValid = values.every(([, value]) => value === null || (typeof value === 'number' && value > 0));
  return isValid ? (Object.fromEntries(values) as BudgetLimits) : undefined;
}

/** Limits for a day and a session. */
export function BudgetForm() {
  const { say } = useWords();
  const query = useQuery(budgetQuery());
  return (
    <section className="field" aria-label={say('budget.title')}>
      <h2 className="usage-title">{say('budget.title')}</h2>
      <p className="small muted">{say('budget.why')}</p>
      <Answer query={query} lines={3}>
        {(budget) => (
          <>
            <BudgetNotice budget={budget} />
            <LimitFields key={JSON.stringify(budget.limits)} limits={budget.limits} />
          </>
        )}
      </Answer>
    </section>
  );
}

function LimitFields({ limits }: { limits: BudgetLimits }) {
  const { say } = useWords();
  const id = useId();
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(limits));
  const save = useMutation({ mutationFn: setBudget, onSettled: () => refreshUsage(client) });
  const given = limitsOf(draft);
  const isChanged = JSON.stringify(given) !== JSON.stringify(limitsOf(draftOf(limits)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given) save.mutate(given);
  };
  return (
    <form className="usage-budget" onSubmit={submit}>
      {FIELDS.map((name) => (
        <div key={name}>
          <label className="field-label" htmlFor={`${id}-${name}`}>
            {say(`budget.${name}`)}
          </label>
          <input
            id={`${id}-${name}`}
            className="input tabular"
            inputMode="decimal"
            autoComplete="off"
            placeholder={say('budget.noLimit')}
            value={draft[name]}
            onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
          />
        </div>
      ))}
      <div className="usage-budget-foot">
        <Button type="submit" disabled={!given || !isChanged} loading={save.isPending}>
          {say('act.save')}
        </Button>
        {!given && (
          <span className="small danger" role="alert">
            {say('budget.invalid')}
          </span>
        )}
      </div>
      {save.error && <Failure error={save.error} />}
    </form>
  );
}
