import { BUDGETS, type BudgetKey, type Budgets, type ChangedBudgets } from '../../wire/workflows.ts';
import type { Words } from '../../words/words.ts';

const MINUTE_MS = 60_000;

/** A budget amount for display. */
export function amountWords(key: BudgetKey, amount: number, { number, short, duration, money }: Words): string {
  if (key === 'wallMs') return duration(amount);
  if (key === 'knownCostUsd') return money(amount);
  return amount >= 100_000 ? short(amount) : number(amount);
}

/** Form values: time in minutes, empty for no limit. */
export type Draft = Record<BudgetKey, string>;

export function draftOf(budgets: Budgets): Draft {
  const shown = (key: BudgetKey): string => {
    const amount = budgets[key];
    if (amount === null) return '';
    return String(key === 'wallMs' ? amount / MINUTE_MS : amount);
  };
  return Object.fromEntries(BUDGETS.map((key) => [key, shown(key)])) as Draft;
}

/** The changed budgets, or `bad` for an invalid field. */
export function changesIn(draft: Draft, budgets: Budgets): ChangedBudgets | 'bad' {
  const changes: ChangedBudgets = {};
  const before = draftOf(budgets);
  for (const key of BUDGETS) {
    const text = draft[key].trim().replace(',', '.');
    if (text === before[key]) continue;
    const amount = amountIn(key, text);
    if (amount === undefined) return 'bad';
    if (amount === budgets[key]) continue;
    if (key === 'knownCostUsd') changes[key] = amount;
    else if (amount !== null) changes[key] = amount;
  }
  return changes;
}

/** Undefined for an invalid amount. Only the cost can be unlimited. */
function amountIn(key: BudgetKey, text: string): number | null | undefined {
  if (key === 'knownCostUsd') {
    if (text === '') return null;
    const cost = Number(text);
    return Number.isFinite(cost) && cost > 0 ? cost : undefined;
  }
  const whole = key === 'wallMs' ? Math.round(Number(text) * MINUTE_MS) : Number(text);
  return text !== '' && Number.isSafeInteger(whole) && whole >= 1 ? whole : undefined;
}
