import { toCsv, USAGE_COLUMNS } from '@fucina/conversation';
import type { BudgetLimits, BudgetView, UsageRow } from '@fucina/host';
import { budgetSentence } from '../../budget-sentence.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import type { Cell } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, oneLine, reportDone, show } from './listing.ts';

interface Sum {
  key: string;
  calls: number;
  promptTokens: number;
  completionTokens: number;
  usd: number | null;
  callsWithoutCost: number;
  turnMs: number;
}

const KEYS = { day: 'day', model: 'model', project: 'folder' } as const;

/** Tokens, cost and time of the last days: by day, model or project; with --csv every row. */
export async function showUsage(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, say, style } = terminal;
  const { report, budget } = await withHost(io, flags, async ({ services: { usage } }) => {
    const all = usage.report({});
    return { report: { ...all, rows: within(all.rows, flags.days) }, budget: usage.budget() };
  });
  if (flags.csv) {
    io.stdout.write(csvOf(report.rows));
    return EXIT.done;
  }
  const by = KEYS[(flags.by as keyof typeof KEYS | undefined) ?? 'day'];
  const sums = sumsBy(report.rows, by);
  const cells = (sum: Sum): Cell[] => [
    { text: oneLine(sum.key || '-', 60), paint: style.accent },
    { text: say('usage.calls', { count: sum.calls }) },
    { text: say('usage.tokens', { input: String(sum.promptTokens), output: String(sum.completionTokens) }) },
    { text: costWords(sum, terminal), paint: style.bold },
    { text: `${Math.round(sum.turnMs / 1000)} s`, paint: style.muted },
  ];
  show({ name: 'usage', rows: sums, empty: say('usage.none'), cells }, flags, terminal);
  if (!flags.json && budget.state.level !== 'within') out(budgetWords(budget, terminal));
  return EXIT.done;
}

/** Without options: the limits and what is used. With options: sets them; 0 removes a limit. */
export async function usageBudget(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out, err } = terminal;
  const given = {
    dayUsd: flags.dayUsd,
    dayTokens: flags.dayTokens,
    sessionUsd: flags.sessionUsd,
    sessionTokens: flags.sessionTokens,
  };
  const numbers = Object.entries(given).map(([name, text]) => [name, text === undefined ? undefined : Number(text)]);
  if (numbers.some(([, value]) => typeof value === 'number' && !(value >= 0))) {
    err(`fucina: ${say('usage.bad-limit')}`);
    return EXIT.usage;
  }
  const changes = Object.fromEntries(
    numbers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value === 0 ? null : value]])),
  ) as Partial<BudgetLimits>;
  const budget = await withHost(io, flags, async ({ services: { usage } }) => {
    if (Object.keys(changes).length > 0) usage.setLimits({ ...usage.budget().limits, ...changes });
    return usage.budget();
  });
  if (flags.json) {
    out(JSON.stringify(budget));
    return EXIT.done;
  }
  const { limits, day } = budget;
  const none = say('usage.no-limit');
  out(say('usage.day-usd', { spent: day.usd.toFixed(4), limit: String(limits.dayUsd ?? none) }));
  out(say('usage.day-tokens', { spent: String(day.tokens), limit: String(limits.dayTokens ?? none) }));
  out(say('usage.session-usd', { limit: String(limits.sessionUsd ?? none) }));
  out(say('usage.session-tokens', { limit: String(limits.sessionTokens ?? none) }));
  if (budget.state.level !== 'within') out(budgetWords(budget, terminal));
  return EXIT.done;
}

/** Lets turns start beyond the limit: today, or in one session. */
export async function allowUsage(flags: Flags, [sessionId]: string[], terminal: Terminal): Promise<ExitCode> {
  const scope = sessionId === undefined ? 'day' : 'session';
  const budget = await withHost(terminal.io, flags, async ({ services: { usage } }) => {
    usage.allow(scope, sessionId);
    return usage.budget(sessionId);
  });
  reportDone(terminal.say(`usage.allowed-${scope}`), budget, { flags, terminal });
  return EXIT.done;
}

/** Dollars per million tokens; without prices the own one is removed. */
export async function setUsagePrice(flags: Flags, given: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  const [model = '', ...texts] = given;
  const [input, output, cached] = texts.map(Number);
  const isMissing = texts.length === 1 || texts.some((text) => !(Number(text) >= 0));
  if (isMissing) {
    err(`fucina: ${say('usage.bad-price')}`);
    return EXIT.usage;
  }
  const price =
    input === undefined || output === undefined
      ? null
      : { promptPerMillion: input, completionPerMillion: output, cachedPerMillion: cached ?? null };
  const row = await withHost(io, flags, async ({ services }) => services.usage.setPrice(model, price));
  const sentence = say(price ? 'usage.price-set' : 'usage.price-removed', { model: oneLine(model) });
  reportDone(sentence, row, { flags, terminal });
  return EXIT.done;
}

/** The rows of the last days, this one included. */
function within(rows: readonly UsageRow[], days: unknown): UsageRow[] {
  if (typeof days !== 'number') return [...rows];
  const found = [...new Set(rows.map(({ day }) => day))].sort().slice(-days);
  return rows.filter(({ day }) => found.includes(day));
}

function sumsBy(rows: readonly UsageRow[], by: 'day' | 'model' | 'folder'): Sum[] {
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    const key = row[by];
    const before = sums.get(key);
    sums.set(key, {
      key,
      calls: row.calls + (before?.calls ?? 0),
      promptTokens: row.promptTokens + (before?.promptTokens ?? 0),
      completionTokens: row.completionTokens + (before?.completionTokens ?? 0),
      usd: row.usd === null ? (before?.usd ?? null) : row.usd + (before?.usd ?? 0),
      callsWithoutCost: row.callsWithoutCost + (before?.callsWithoutCost ?? 0),
      turnMs: row.turnMs + (before?.turnMs ?? 0),
    });
  }
  return [...sums.values()];
}

function costWords({ usd, callsWithoutCost }: Sum, { say }: Terminal): string {
  if (usd === null) return say('cost.unknown');
  return `${callsWithoutCost > 0 ? '≥ ' : ''}$${usd.toFixed(4)}`;
}

function budgetWords(budget: BudgetView, { say, style }: Terminal): string {
  const words = budgetSentence(budget, say) ?? '';
  return budget.state.level === 'stopped' ? style.danger(words) : style.accent(words);
}

function csvOf(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => [
    row.day,
    row.folder,
    row.model,
    row.calls,
    row.promptTokens,
    row.completionTokens,
    row.cachedTokens,
    row.usd,
    row.callsWithoutCost,
    row.turnMs,
  ]);
  return toCsv([USAGE_COLUMNS, ...lines]);
}
