import type { Ambient } from '@fucina/shared';
import { sessionsError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import type { SessionRecord } from '../store/store.ts';
import { type BudgetLimits, type BudgetState, NO_LIMITS, parseLimits, type Spent, stateOf } from './budget.ts';
import { costOf, type TokenPrice } from './cost.ts';
import type { CallSum, UsageTable } from './usage-table.ts';

/** What one model used in one project on one day. */
export interface UsageRow {
  day: string;
  /** Absolute. */
  folder: string;
  model: string;
  calls: number;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  /** US dollars; null when no call has a known cost. */
  usd: number | null;
  /** Calls whose cost is unknown, also with the price that is known now. */
  callsWithoutCost: number;
  /** Of the turns: waiting for the user is included. */
  turnMs: number;
}

export interface BudgetView {
  limits: BudgetLimits;
  day: Spent;
  /** Null without a session. */
  session: Spent | null;
  state: BudgetState;
}

/** Use of models by day, and the limits that the user set. */
export interface Usage {
  /** Days `YYYY-MM-DD`, local time, both included. QUERY_INVALID for another form or order. */
  report(from: string, to: string): UsageRow[];
  /** NOT_FOUND for an unknown session. */
  budget(sessionId?: string): BudgetView;
  /** By a session and its sub-agents. NOT_FOUND. */
  spent(sessionId: string): Spent;
  /** Throws QUERY_INVALID for a limit that is not positive. */
  setLimits(limits: BudgetLimits): void;
  /** Lets turns start beyond the limit: of the day until it ends, of the session from now on. */
  allow(scope: 'day' | 'session', sessionId?: string): void;
  /** Models used in the last 90 days. */
  models(): string[];
}

/** The gate before a turn. */
export interface BudgetGate {
  /** SESSION_NOT_READY with the reason `budget-day` or `budget-session`. */
  assertWithin(record: SessionRecord): void;
  isOver(record: SessionRecord): boolean;
}

interface UsageNeeds {
  ambient: Ambient;
  table: UsageTable;
  priceOf(model: string): TokenPrice | null;
  registry: Pick<Registry, 'get' | 'rootOf'>;
}

const MODELS_MS = 90 * 24 * 60 * 60_000;
const MAX_ALLOWED = 200;

export function createUsage(needs: UsageNeeds): Usage & BudgetGate {
  const { ambient, table, registry } = needs;
  const rootId = (sessionId: string): string => registry.rootOf(registry.get(sessionId)).header.sessionId;
  const limits = (): BudgetLimits => parseLimits(table.setting('limits')) ?? NO_LIMITS;
  const spentOf = (sums: readonly CallSum[]): Spent => {
    const costs = sums.map((sum) => usdOf(sum, needs.priceOf));
    return {
      usd: costs.reduce((total, cost) => total + (cost.usd ?? 0), 0),
      tokens: sums.reduce((total, sum) => total + sum.promptTokens + sum.completionTokens, 0),
      callsWithoutCost: costs.reduce((total, cost) => total + cost.callsWithoutCost, 0),
    };
  };
  const today = (): string => dayOf(ambient.now());
  const allowedSessions = (): string[] => JSON.parse(table.setting('allowed-sessions') ?? '[]') as string[];
  const view = (root: string | undefined): BudgetView => {
    const set = limits();
    const day = spentOf(table.since(startOfDay(today())));
    const session = root === undefined ? null : spentOf(table.ofRoot(root));
    const allowed = {
      day: table.setting('allowed-day') === today(),
      session: root !== undefined && allowedSessions().includes(root),
    };
    return { limits: set, day, session, state: stateOf(set, { day, session }, allowed) };
  };
  const stopOf = ({ header }: SessionRecord): 'day' | 'session' | undefined => {
    // What an agent or a workflow starts belongs to a turn, or to a run with a budget of its own.
    if (header.parentId !== null || header.workflowStep || limits() === NO_LIMITS) return undefined;
    const { state } = view(header.sessionId);
    return state.level === 'stopped' ? (state.scope ?? undefined) : undefined;
  };

  return {
    report(from, to) {
      const until = startOfDay(to, 1);
      const start = startOfDay(from);
      if (start >= until) throw sessionsError('QUERY_INVALID', { reason: 'days-in-order' });
      const turns = new Map(table.turnsByDay(start, until).map((turn) => [keyOf(turn), turn]));
      const rows = table.byDay(start, until).map((sum): UsageRow => {
        const { withoutCost: _uncosted, usd: _usd, ...row } = sum;
        const turnMs = turns.get(keyOf(sum))?.ms ?? 0;
        turns.delete(keyOf(sum));
        return { ...row, ...usdOf(sum, needs.priceOf), turnMs };
      });
      // The model of the session may be another than those that answered.
      const others = [...turns.values()].map(({ ms, ...turn }): UsageRow => ({ ...turn, ...NO_CALLS, turnMs: ms }));
      return [...rows, ...others].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    },
    budget: (sessionId) => view(sessionId === undefined ? undefined : rootId(sessionId)),
    spent: (sessionId) => spentOf(table.ofRoot(rootId(sessionId))),
    setLimits(given) {
      const text = JSON.stringify(given);
      if (!parseLimits(text)) throw sessionsError('QUERY_INVALID', { reason: 'budget-limits' });
      table.saveSetting('limits', text);
    },
    allow(scope, sessionId) {
      if (scope === 'day') return table.saveSetting('allowed-day', today());
      if (sessionId === undefined) throw sessionsError('QUERY_INVALID', { reason: 'budget-session' });
      const root = rootId(sessionId);
      const others = allowedSessions().filter((id) => id !== root);
      table.saveSetting('allowed-sessions', JSON.stringify([...others, root].slice(-MAX_ALLOWED)));
    },
    models: () => table.models(ambient.now() - MODELS_MS),
    assertWithin(record) {
      const scope = stopOf(record);
      if (scope) throw sessionsError('SESSION_NOT_READY', { reason: `budget-${scope}` });
    },
    isOver: (record) => stopOf(record) !== undefined,
  };
}

const NO_CALLS = {
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  usd: null,
  callsWithoutCost: 0,
};

function keyOf({ day, folder, model }: { day: string; folder: string; model: string }): string {
  return JSON.stringify([day, folder, model]);
}

/** Calls without a cost get the price that is known now. */
function usdOf(sum: CallSum, priceOf: UsageNeeds['priceOf']): { usd: number | null; callsWithoutCost: number } {
  const { calls, withoutCost, usd } = sum;
  if (withoutCost.calls === 0) return { usd, callsWithoutCost: 0 };
  const later = costOf(withoutCost, priceOf(sum.model));
  if (later) return { usd: usd + later.usd, callsWithoutCost: 0 };
  return { usd: withoutCost.calls === calls ? null : usd, callsWithoutCost: withoutCost.calls };
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Epoch ms of the local midnight, some days later. QUERY_INVALID for what is no day. */
function startOfDay(day: string, daysLater = 0): number {
  const [, year, month, date] = DAY.exec(day) ?? [];
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater).getTime();
  if (!Number.isFinite(at)) throw sessionsError('QUERY_INVALID', { reason: 'day' });
  return at;
}

function dayOf(at: number): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
