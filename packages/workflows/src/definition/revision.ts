import { type AnyNode, type Budgets, REVISABLE_KEYS, type RevisableKey } from './core.ts';
import type { Graph } from './graph.ts';

/** New budgets for the run; omitted keys are unchanged. Integers from 1, the cost above 0 or null. */
export type BudgetChange = { readonly [Key in RevisableKey]?: number | null | undefined };

/** False when every key already has the requested value. */
export function changesBudgets(budgets: Budgets, change: BudgetChange): boolean {
  return REVISABLE_KEYS.some((key) => change[key] !== undefined && change[key] !== budgets[key]);
}

/**
 * The same graph under other budgets. If the steps' budgets add up to more than a lowered budget of the run, each step
 * is limited to its share: otherwise the first steps would reserve what the last ones need.
 */
export function withBudgets(graph: Graph, change: BudgetChange): Graph {
  const changed = REVISABLE_KEYS.filter((key) => change[key] !== undefined);
  const budgets: Budgets = { ...graph.head.budgets };
  for (const key of changed) budgets[key] = change[key] ?? null;
  const shares = sharesOf(graph, budgets, changed);
  const tightened = (node: AnyNode): AnyNode => {
    const over = shares.filter(([key, most]) => (node.budget[key] ?? 0) > most);
    return over.length === 0 ? node : { ...node, budget: { ...node.budget, ...Object.fromEntries(over) } };
  };
  return {
    head: { ...graph.head, budgets },
    edges: graph.edges,
    *nodes() {
      for (const node of graph.nodes()) yield shares.length === 0 ? node : tightened(node);
    },
  };
}

/** The most that one step may use of each budget that the steps together would exceed. */
function sharesOf(graph: Graph, budgets: Budgets, changed: readonly RevisableKey[]): [RevisableKey, number][] {
  const sums = new Map<RevisableKey, number>(changed.map((key) => [key, 0]));
  let steps = 0;
  for (const { budget } of graph.nodes()) {
    steps += 1;
    for (const key of changed) sums.set(key, (sums.get(key) ?? 0) + (budget[key] ?? 0));
  }
  return changed.flatMap((key): [RevisableKey, number][] => {
    const most = budgets[key];
    if (most === null || (sums.get(key) ?? 0) <= most) return [];
    return [[key, key === 'knownCostUsd' ? most / steps : Math.max(1, Math.floor(most / steps))]];
  });
}
