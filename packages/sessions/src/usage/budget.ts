import * as z from 'zod';

const limit = z.number().positive().max(1e12).nullable();
const stored = z.strictObject({ dayUsd: limit, dayTokens: limit, sessionUsd: limit, sessionTokens: limit });

/** Null: no limit. */
export type BudgetLimits = z.infer<typeof stored>;

export const NO_LIMITS: BudgetLimits = { dayUsd: null, dayTokens: null, sessionUsd: null, sessionTokens: null };

export interface Spent {
  /** US dollars of the calls with a known cost. */
  usd: number;
  /** Input and output. */
  tokens: number;
  callsWithoutCost: number;
}

export interface BudgetState {
  /** `warning` from 80% on; `allowed`: beyond the limit, and the user lets turns start anyway. */
  level: 'within' | 'warning' | 'stopped' | 'allowed';
  /** Of the limit that is nearest. */
  scope: 'day' | 'session' | null;
  unit: 'usd' | 'tokens' | null;
  spent: number;
  limit: number | null;
}

const WARNING = 0.8;

export function parseLimits(text: string | undefined): BudgetLimits | undefined {
  if (text === undefined) return undefined;
  const parsed = stored.safeParse(JSON.parse(text));
  if (!parsed.success) return undefined;
  return Object.values(parsed.data).every((one) => one === null) ? NO_LIMITS : parsed.data;
}

/** Pure: how near the nearest limit is. One that the user let pass counts only when no other stops. */
export function stateOf(
  limits: BudgetLimits,
  spent: { day: Spent; session: Spent | null },
  allowed: { day: boolean; session: boolean },
): BudgetState {
  const meters = [
    meter('day', 'usd', { spent: spent.day.usd, limit: limits.dayUsd, isAllowed: allowed.day }),
    meter('day', 'tokens', { spent: spent.day.tokens, limit: limits.dayTokens, isAllowed: allowed.day }),
    ...(spent.session
      ? [
          meter('session', 'usd', { spent: spent.session.usd, limit: limits.sessionUsd, isAllowed: allowed.session }),
          meter('session', 'tokens', {
            spent: spent.session.tokens,
            limit: limits.sessionTokens,
            isAllowed: allowed.session,
          }),
        ]
      : []),
  ].filter((one) => one !== undefined);
  const rank = { stopped: 3, allowed: 2, warning: 1, within: 0 } as const;
  const [nearest] = meters.sort((one, other) => rank[other.level] - rank[one.level] || shareOf(other) - shareOf(one));
  return nearest ?? { level: 'within', scope: null, unit: null, spent: 0, limit: null };
}

const shareOf = ({ spent, limit: most }: BudgetState): number => (most === null ? 0 : spent / most);

function meter(
  scope: 'day' | 'session',
  unit: 'usd' | 'tokens',
  given: { spent: number; limit: number | null; isAllowed: boolean },
): BudgetState | undefined {
  const { spent, limit: most, isAllowed } = given;
  if (most === null) return undefined;
  const share = spent / most;
  const reached = isAllowed ? 'allowed' : 'stopped';
  const level = share >= 1 ? reached : share >= WARNING ? 'warning' : 'within';
  return { level, scope, unit, spent, limit: most };
}
