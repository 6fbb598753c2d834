import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../parts/states.tsx';
import { BUDGETS, type BudgetKey, type Proposal, proposalQuery, reviseVersion } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import { Field } from '../notes-tasks-memories/field.tsx';
import { amountWords, changesIn, draftOf } from './amounts.ts';

/** The budget of the previous version, if different. */
function Was({ budget, before }: { budget: BudgetKey; before: number | null }) {
  const words = useWords();
  const amount = before === null ? words.say('workflow.budgets.unbounded') : amountWords(budget, before, words);
  return <span className="workflow-was small">{words.say('workflow.budgets.was', { amount })}</span>;
}

function Table({ proposal }: { proposal: Proposal }) {
  const words = useWords();
  const { say } = words;
  const { workflowId, version, budgets } = proposal;
  const before = useQuery({ ...proposalQuery(workflowId, version - 1), enabled: version > 1 }).data?.budgets;
  return (
    <dl className="workflow-facts">
      {BUDGETS.map((key) => {
        const amount = budgets[key];
        return (
          <div key={key}>
            <dt className="muted">{say(`workflow.budget.${key}`)}</dt>
            <dd className="tabular">
              {amount === null ? say('workflow.budgets.unbounded') : amountWords(key, amount, words)}{' '}
              {before && before[key] !== amount && <Was budget={key} before={before[key]} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface FormProps {
  proposal: Proposal;
  onMade: (version: number) => void;
  leave: () => void;
}

function Form({ proposal, onMade, leave }: FormProps) {
  const { say } = useWords();
  const [draft, setDraft] = useState(() => draftOf(proposal.budgets));
  const [problem, setProblem] = useState<'same' | 'bad'>();
  const revise = useMutation({
    mutationFn: (changes: Parameters<typeof reviseVersion>[1]) => reviseVersion(proposal, changes),
    onSuccess: ({ version }) => onMade(version),
  });
  const send = () => {
    const changes = changesIn(draft, proposal.budgets);
    if (changes === 'bad') return setProblem('bad');
    if (Object.keys(changes).length === 0) return setProblem('same');
    setProblem(undefined);
    revise.mutate(changes);
  };
  const nameOf = (key: BudgetKey) =>
    key === 'wallMs' || key === 'knownCostUsd' ? say(`workflow.budget.${key}.unit`) : say(`workflow.budget.${key}`);
  return (
    <form
      className="workflow-budget-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="small muted">{say('workflow.budgets.change.why')}</p>
      {BUDGETS.map((key) => (
        <Field key={key} label={nameOf(key)}>
          {(id) => (
            <input
              id={id}
              className="input tabular"
              inputMode="decimal"
              autoComplete="off"
              value={draft[key]}
              placeholder={say('workflow.budgets.unbounded')}
              onChange={({ currentTarget: { value } }) => setDraft((was) => ({ ...was, [key]: value }))}
            />
          )}
        </Field>
      ))}
      {problem && (
        <p role="alert" className="small danger">
          {say(`workflow.budgets.${problem}`)}
        </p>
      )}
      {revise.error && <Failure error={revise.error} />}
      <div className="workflow-form-foot">
        <Button onClick={leave}>{say('act.cancel')}</Button>
        <Button type="submit" variant="filled" loading={revise.isPending}>
          {say('workflow.budgets.make')}
        </Button>
      </div>
    </form>
  );
}

interface BudgetsProps {
  proposal: Proposal;
  /** The latest version that was not started: it can be revised. */
  canRevise: boolean;
  onMade: (version: number) => void;
}

/** The budgets of the run compared with the previous version; and the form that creates another version. */
export function BudgetTable({ proposal, canRevise, onMade }: BudgetsProps) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className="workflow-part" aria-label={say('workflow.budgets')}>
      <header className="workflow-part-head">
        <h3>{say('workflow.budgets')}</h3>
        {canRevise && !isOpen && (
          <button type="button" className="text-button" onClick={() => setIsOpen(true)}>
            {say('workflow.budgets.change')}
          </button>
        )}
      </header>
      {isOpen ? (
        <Form proposal={proposal} onMade={onMade} leave={() => setIsOpen(false)} />
      ) : (
        <Table proposal={proposal} />
      )}
    </section>
  );
}
