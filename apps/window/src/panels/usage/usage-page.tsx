import '../../styles/forms.css';
import '../../styles/usage.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { now } from '../../ambient.ts';
import { Answer } from '../../parts/states.tsx';
import { type UsageReport, usageQuery } from '../../wire/usage.ts';
import { useWords } from '../../words/words.ts';
import { BudgetForm } from './budget-form.tsx';
import { DayChart } from './day-chart.tsx';
import { Prices } from './prices.tsx';
import {
  barsOf,
  type Dimension,
  daysBetween,
  lastDays,
  type Metric,
  sumsBy,
  totalOf,
  usageCsv,
  valueOf,
} from './usage-sums.ts';
import { UsageTable } from './usage-table.tsx';

const RANGES = [7, 30, 90] as const;
const METRICS = ['cost', 'tokens', 'time'] as const satisfies readonly Metric[];
const DIMENSIONS = ['day', 'model', 'folder'] as const satisfies readonly Dimension[];

/** Settings → Usage: what models used by day, model and project; budget and prices. */
export function UsageSettings() {
  const { say } = useWords();
  const [range, setRange] = useState<(typeof RANGES)[number]>(30);
  const days = lastDays(now(), range);
  const query = useQuery(usageQuery(days[0] ?? '', days.at(-1) ?? ''));
  return (
    <div className="form usage">
      <div className="usage-head">
        <Choice
          label={say('usage.range')}
          options={RANGES}
          value={range}
          nameOf={(count) => say('usage.days', { count })}
          choose={setRange}
        />
        <Button
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          disabled={!query.data?.lines.length}
          onClick={() => query.data && saveCsv(query.data)}
        >
          {say('usage.csv')}
        </Button>
      </div>
      <Answer query={query} lines={8}>
        {(report) =>
          report.lines.length === 0 ? <p className="muted">{say('usage.none')}</p> : <Report report={report} />
        }
      </Answer>
      <BudgetForm />
      <Prices />
    </div>
  );
}

function Report({ report }: { report: UsageReport }) {
  const { say, number, money, duration, short } = useWords();
  const { lines } = report;
  const total = totalOf(lines);
  const [chosen, setMetric] = useState<Metric>();
  // Without any known cost its chart would be empty.
  const metric = chosen ?? (total.usd ? 'cost' : 'tokens');
  const [dimension, setDimension] = useState<Dimension>('day');
  const days = daysBetween(report.from, report.to);
  const models = sumsBy(lines, 'model').map(({ key }) => key);
  const sums = sumsBy(lines, dimension).sort((one, other) =>
    dimension === 'day' ? other.key.localeCompare(one.key) : valueOf(other, metric) - valueOf(one, metric),
  );
  const cost = total.usd === null ? say('usage.unknown') : money(total.usd);
  return (
    <>
      <dl className="usage-totals">
        <Total name={say('usage.cost')} value={cost}>
          {total.callsWithoutCost > 0 && say('usage.withoutCost', { count: total.callsWithoutCost })}
        </Total>
        <Total name={say('usage.tokens')} value={short(total.input + total.output)}>
          {say('usage.inOut', { in: short(total.input), out: short(total.output) })}
        </Total>
        <Total name={say('usage.calls')} value={number(total.calls)} />
        <Total name={say('usage.time')} value={duration(total.ms)} />
      </dl>
      <Choice
        label={say('usage.chart')}
        options={METRICS}
        value={metric}
        nameOf={(one) => say(`usage.metric.${one}`)}
        choose={setMetric}
      />
      <DayChart bars={barsOf(lines, days, metric)} models={models.sort()} metric={metric} />
      <Choice
        label={say('usage.table')}
        options={DIMENSIONS}
        value={dimension}
        nameOf={(one) => say(`usage.by.${one}`)}
        choose={setDimension}
      />
      <UsageTable sums={sums} dimension={dimension} />
    </>
  );
}

function Total({ name, value, children }: { name: string; value: string; children?: React.ReactNode }) {
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd className="usage-total tabular">{value}</dd>
      {children && <dd className="small muted">{children}</dd>}
    </div>
  );
}

interface ChoiceProps<Value> {
  label: string;
  options: readonly Value[];
  value: Value;
  nameOf: (value: Value) => string;
  choose: (value: Value) => void;
}

function Choice<Value extends string | number>({ label, options, value, nameOf, choose }: ChoiceProps<Value>) {
  return (
    <div className="usage-choice" role="group" aria-label={label}>
      {options.map((one) => (
        <button
          key={one}
          type="button"
          className="usage-option"
          aria-pressed={one === value}
          onClick={() => choose(one)}
        >
          {nameOf(one)}
        </button>
      ))}
    </div>
  );
}

function saveCsv({ from, to, lines }: UsageReport): void {
  const url = URL.createObjectURL(new Blob([usageCsv(lines)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `fucina-usage-${from}-${to}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
