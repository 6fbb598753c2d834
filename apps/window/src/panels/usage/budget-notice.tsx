import '../../styles/usage.css';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { Failure } from '../../parts/states.tsx';
import { type Budget, passBudget, refreshUsage } from '../../wire/usage.ts';
import { useWords } from '../../words/words.ts';

/** Nothing while the limits are far; near them a warning, beyond them how to go on. */
export function BudgetNotice({ budget, sessionId }: { budget: Budget; sessionId?: string }) {
  const { say, money, short } = useWords();
  const client = useQueryClient();
  const { level, scope, unit, spent, limit } = budget.state;
  const pass = useMutation({
    mutationFn: () => passBudget(scope ?? 'day', sessionId),
    onSettled: () => refreshUsage(client),
  });
  if (level === 'within' || scope === null || limit === null) return null;
  const amount = (value: number): string => (unit === 'usd' ? money(value) : short(value));
  const used = say(`budget.used.${scope}.${unit ?? 'usd'}`, { spent: amount(spent), limit: amount(limit) });
  const Icon = level === 'stopped' ? CircleAlert : TriangleAlert;
  return (
    <div className="usage-notice" data-level={level} role="status">
      <Icon size={16} aria-hidden />
      <div>
        <p>
          <b>{say(`budget.${level}`)}</b> {used}
        </p>
        {level === 'stopped' && (scope === 'day' || sessionId !== undefined) && (
          <Button size="compact-sm" variant="default" loading={pass.isPending} onClick={() => pass.mutate()}>
            {say(`budget.pass.${scope}`)}
          </Button>
        )}
        {pass.error && <Failure error={pass.error} />}
      </div>
    </div>
  );
}
