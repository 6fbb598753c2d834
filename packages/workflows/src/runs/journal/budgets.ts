import type { SqliteDatabase } from '@fucina/shared';
import { BUDGET_KEYS, type BudgetKey, type Budgets, type WorkflowNode } from '../../definition/core.ts';
import type { StepUsage } from '../ports.ts';

/** Reserved or used budget of a step: omitted keys are 0. */
export type Amounts = Partial<Record<BudgetKey, number>>;

/** The budgets of one run inside one transaction. */
export interface BudgetLedger {
  used(name: BudgetKey): number;
  reserved(name: BudgetKey): number;
  /** One reservation per step; a second one replaces the first. */
  reserve(node: number, executionId: string, amounts: Amounts): void;
  /** Releases the reservation of a step; returns it, or undefined without one. */
  release(node: number): Amounts | undefined;
  use(amounts: Amounts): void;
  save(): void;
}

/** Usage of retries counts in the total and, separately, here. */
const OF_RETRIES = { retryPromptTokens: 'promptTokens', retryModelRequests: 'modelRequests' } as const;

/** A step is expected to use its own budget, and to call its model at least once. */
export function estimateOf({ budget }: WorkflowNode, isRetry: boolean): Amounts {
  const amounts: Amounts = {};
  for (const name of BUDGET_KEYS) {
    if (name in OF_RETRIES) continue;
    const expected = budget[name] ?? (name === 'modelRequests' ? 1 : 0);
    if (expected > 0) amounts[name] = expected;
  }
  if (!isRetry) return amounts;
  for (const [name, counted] of Object.entries(OF_RETRIES) as [BudgetKey, BudgetKey][]) {
    const expected = budget[name] ?? amounts[counted] ?? 0;
    if (expected > 0) amounts[name] = expected;
  }
  return amounts;
}

export function amountsUsed(usage: StepUsage, { wallMs, isRetry }: { wallMs: number; isRetry: boolean }): Amounts {
  const { promptTokens, completionTokens, toolCalls, modelRequests, costUsd } = usage;
  return {
    promptTokens,
    completionTokens,
    wallMs,
    agentSeconds: wallMs / 1_000,
    toolCalls,
    modelRequests,
    ...(costUsd !== null && { knownCostUsd: costUsd }),
    ...(isRetry && { retryPromptTokens: promptTokens, retryModelRequests: modelRequests }),
  };
}

/** The first budget without room for another step; undefined when there is none. */
export function shortOf(bounds: Budgets, book: BudgetLedger, estimate: Amounts): BudgetKey | undefined {
  return BUDGET_KEYS.find((name) => {
    const bound = bounds[name];
    if (bound === null) return false;
    const expected = estimate[name] ?? 0;
    if (expected === 0 && name in OF_RETRIES) return false;
    const taken = book.used(name) + book.reserved(name);
    return taken + expected > bound || taken >= bound;
  });
}

/** Budgets of a run that are exceeded. */
export function overrunsOf(bounds: Budgets, book: BudgetLedger): BudgetKey[] {
  return BUDGET_KEYS.filter((name) => bounds[name] !== null && book.used(name) > (bounds[name] ?? 0));
}

/** The unreserved rest of a budget; null without a limit. */
export function remainingBudget(bounds: Budgets, book: BudgetLedger, name: BudgetKey): number | null {
  const bound = bounds[name];
  return bound === null ? null : Math.max(0, bound - book.used(name) - book.reserved(name));
}

export type OpenLedger = (run: number) => BudgetLedger;

export function createBudgetLedgers(db: SqliteDatabase): OpenLedger {
  const sql = {
    lines: db.prepare<[number], { name: BudgetKey; reserved: number; used: number }>(
      'SELECT name, reserved, used FROM run_budgets WHERE run = ?',
    ),
    save: db.prepare('UPDATE run_budgets SET reserved = ?, used = ? WHERE run = ? AND name = ?'),
    reserve: db.prepare('INSERT INTO run_reservations (run, node, execution_id, amounts) VALUES (?, ?, ?, ?)'),
    reserved: db
      .prepare<[number, number], string>('DELETE FROM run_reservations WHERE run = ? AND node = ? RETURNING amounts')
      .pluck(),
  };
  return (run) => openBook(sql, run);
}

interface Statements {
  lines: { all(run: number): { name: BudgetKey; reserved: number; used: number }[] };
  save: { run(...values: unknown[]): unknown };
  reserve: { run(...values: unknown[]): unknown };
  reserved: { get(run: number, node: number): string | undefined };
}

function openBook(sql: Statements, run: number): BudgetLedger {
  const lines = new Map(sql.lines.all(run).map(({ name, reserved, used }) => [name, { reserved, used }]));
  const changed = new Set<BudgetKey>();
  const add = (amounts: Amounts, what: 'reserved' | 'used', sign: 1 | -1): void => {
    for (const [name, amount] of Object.entries(amounts) as [BudgetKey, number][]) {
      const line = lines.get(name);
      if (!line || amount === 0) continue;
      line[what] += sign * amount;
      changed.add(name);
    }
  };
  const release = (node: number): Amounts | undefined => {
    const kept = sql.reserved.get(run, node);
    if (kept === undefined) return undefined;
    const amounts = JSON.parse(kept) as Amounts;
    add(amounts, 'reserved', -1);
    return amounts;
  };
  return {
    used: (name) => lines.get(name)?.used ?? 0,
    reserved: (name) => lines.get(name)?.reserved ?? 0,
    release,
    reserve(node, executionId, amounts) {
      release(node);
      sql.reserve.run(run, node, executionId, JSON.stringify(amounts));
      add(amounts, 'reserved', 1);
    },
    use: (amounts) => add(amounts, 'used', 1),
    save() {
      for (const name of changed) {
        const line = lines.get(name);
        // Rounds away floating point errors.
        if (line) sql.save.run(Math.max(0, settled(line.reserved)), settled(line.used), run, name);
      }
      changed.clear();
    },
  };
}

function settled(amount: number): number {
  return Math.round(amount * 1e9) / 1e9;
}
