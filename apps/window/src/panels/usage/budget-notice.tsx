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
  const { livello, ambito, unita, speso, limite } = budget.stato;
  const pass = useMutation({
    mutationFn: () => passBudget(ambito ?? 'giorno', sessionId),
    onSettled: () => refreshUsage(client),
  });
  if (livello === 'entro' || ambito === null || limite === null) return null;
  const amount = (value: number): string => (unita === 'usd' ? money(value) : short(value));
  const used = say(`budget.used.${ambito}.${unita ?? 'usd'}`, { spent: amount(speso), limit: amount(limite) });
  const Icon = livello === 'fermo' ? CircleAlert : TriangleAlert;
  return (
    <div className="usage-notice" data-level={livello} role="status">
      <Icon size={16} aria-hidden />
      <div>
        <p>
          <b>{say(`budget.${livello}`)}</b> {used}
        </p>
        {livello === 'fermo' && (ambito === 'giorno' || sessionId !== undefined) && (
          <Button size="compact-sm" variant="default" loading={pass.isPending} onClick={() => pass.mutate()}>
            {say(`budget.pass.${ambito}`)}
          </Button>
        )}
        {pass.error && <Failure error={pass.error} />}
      </div>
    </div>
  );
}
