import { toCsv, USAGE_COLUMNS } from '@fucina/conversation';
import type { UsageRow } from '../../wire/usage.ts';

export interface UsageSum {
  key: string;
  calls: number;
  input: number;
  output: number;
  cached: number;
  /** Null: no call has a known cost. */
  usd: number | null;
  callsWithoutCost: number;
  ms: number;
}

export type Metric = 'cost' | 'tokens' | 'time';
export type Dimension = 'day' | 'model' | 'folder';

const emptySum = (key: string): UsageSum => ({
  key,
  calls: 0,
  input: 0,
  output: 0,
  cached: 0,
  usd: null,
  callsWithoutCost: 0,
  ms: 0,
});

function add(sum: UsageSum, row: UsageRow): UsageSum {
  return {
    key: sum.key,
    calls: sum.calls + row.calls,
    input: sum.input + row.promptTokens,
    output: sum.output + row.completionTokens,
    cached: sum.cached + row.cachedTokens,
    usd: row.costUsd === null ? sum.usd : (sum.usd ?? 0) + row.costUsd,
    callsWithoutCost: sum.callsWithoutCost + row.callsWithoutCost,
    ms: sum.ms + row.durationMs,
  };
}

export const totalOf = (rows: readonly UsageRow[]): UsageSum => rows.reduce(add, emptySum(''));

export function sumsBy(rows: readonly UsageRow[], dimension: Dimension): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const row of rows) {
    const key = row[dimension];
    sums.set(key, add(sums.get(key) ?? emptySum(key), row));
  }
  return [...sums.values()];
}

export function valueOf({ usd, input, output, ms }: UsageSum, metric: Metric): number {
  if (metric === 'cost') return usd ?? 0;
  return metric === 'tokens' ? input + output : ms;
}

export interface DayBar {
  day: string;
  value: number;
  parts: readonly { key: string; value: number }[];
}

/** One bar a day, also for days without use, with a part for each model in a fixed order. */
export function barsOf(rows: readonly UsageRow[], days: readonly string[], metric: Metric): DayBar[] {
  return days.map((day) => {
    const parts = sumsBy(
      rows.filter((row) => row.day === day),
      'model',
    )
      .map((sum) => ({ key: sum.key, value: valueOf(sum, metric) }))
      .filter(({ value }) => value > 0)
      .sort((one, other) => one.key.localeCompare(other.key));
    return { day, value: parts.reduce((total, part) => total + part.value, 0), parts };
  });
}

const two = (value: number): string => String(value).padStart(2, '0');
const nameOf = (time: Date): string => `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;

/** The last days up to this time, oldest first. */
export function lastDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const time = new Date(now);
    time.setDate(time.getDate() - (count - 1 - at));
    return nameOf(time);
  });
}

/** The days from one to another, both included. */
export function daysBetween(from: string, to: string): string[] {
  const end = new Date(`${to}T12:00:00`).getTime();
  const start = new Date(`${from}T12:00:00`).getTime();
  return lastDays(end, Math.max(1, Math.round((end - start) / 86_400_000) + 1));
}

/** A round number at or above the highest bar. */
export function scaleTop(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power;
}

export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => [
    row.day,
    row.folder,
    row.model,
    row.calls,
    row.promptTokens,
    row.completionTokens,
    row.cachedTokens,
    row.costUsd,
    row.callsWithoutCost,
    row.durationMs,
  ]);
  return toCsv([USAGE_COLUMNS, ...lines]);
}
