import { useQuery } from '@tanstack/react-query';
import { Gauge } from '../../parts/box.tsx';
import { sessionsQuery } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { type BudgetKey, proposalQuery, type RunRow } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import { amountWords } from './amounts.ts';

/** Usage of the steps' conversations, which cause the cost. */
function usedBy(rows: readonly SessionRow[]): Partial<Record<BudgetKey, number>> {
  const sum = (amount: (usage: NonNullable<SessionRow['sessionUsage']>) => number): number =>
    rows.reduce((total, { sessionUsage }) => total + (sessionUsage ? amount(sessionUsage) : 0), 0);
  return {
    modelRequests: sum(({ steps }) => steps),
    promptTokens: sum((usage) => usage.prompt_tokens),
    completionTokens: sum((usage) => usage.completion_tokens),
  };
}

/** How much of its budgets a run has used. */
export function Meters({ row, isOver }: { row: RunRow; isOver: boolean }) {
  const words = useWords();
  const { say } = words;
  const budgets = useQuery(proposalQuery(row.workflowId, row.version)).data?.budgets;
  const { data: sessions } = useQuery(sessionsQuery);
  const steps = sessions?.filter(({ workflowStep }) => workflowStep?.runId === row.runId) ?? [];
  if (!budgets || (isOver && steps.length === 0)) return null;
  const used = usedBy(steps);
  return (
    <section className="workflow-meters" aria-label={say('workflow.used')}>
      {(Object.keys(used) as BudgetKey[]).map((key) => {
        const amount = amountWords(key, used[key] ?? 0, words);
        const most = budgets[key];
        const text =
          most === null
            ? say('workflow.used.unbounded', { used: amount })
            : say('workflow.used.of', { used: amount, most: amountWords(key, most, words) });
        return (
          <Gauge
            key={key}
            label={say(`workflow.budget.${key}`)}
            fraction={most === null ? undefined : (used[key] ?? 0) / most}
            text={text}
          />
        );
      })}
    </section>
  );
}
