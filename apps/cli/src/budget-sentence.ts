import type { BudgetView } from '@fucina/host';
import type { Say } from './words/index.ts';

/** How near the budget is; undefined while it is far. */
export function budgetSentence({ state }: BudgetView, say: Say): string | undefined {
  const { level, scope, unit, spent, limit } = state;
  if (level === 'within') return undefined;
  const amount = (value: number): string => (unit === 'usd' ? `$${value.toFixed(2)}` : String(value));
  return say(level === 'stopped' ? 'usage.stopped' : level === 'allowed' ? 'usage.beyond' : 'usage.warning', {
    scope: say(scope === 'session' ? 'usage.of-session' : 'usage.of-day'),
    spent: amount(spent),
    limit: amount(limit ?? 0),
  });
}
