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

/** A day (`YYYY-MM-DD`) as text. */
export function useDayWords(): (day: string) => string {
  const { language } = useWords();
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  // At noon, so that no time zone moves it.
  return (day) => format.format(new Date(`${day}T12:00:00`));
}
