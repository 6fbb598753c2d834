import { useWords } from '../../words/words.ts';
import type { Metric } from './usage-sums.ts';

/** A value of the chart as text. */
export function useMetricWords(): (value: number, metric: Metric) => string {
  const { money, short, duration } = useWords();
  return (value, metric) => {
    if (metric === 'cost') return money(value);
    return metric === 'tokens' ? short(value) : duration(value);
  };
}
