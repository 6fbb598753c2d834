import { useWords } from '../../words/words.ts';
import type { Dimension, UsageSum } from './usage-sums.ts';
import { useDayWords } from './use-metric-words.ts';

/** The numbers of the chart, and those that it does not show. */
export function UsageTable({ sums, dimension }: { sums: readonly UsageSum[]; dimension: Dimension }) {
  const { say, number, money, duration } = useWords();
  const dayWords = useDayWords();
  const nameOf = (key: string): string => {
    if (dimension === 'day') return dayWords(key);
    return key || say('usage.noModel');
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section className="usage-scroll" tabIndex={0} aria-label={say(`usage.by.${dimension}`)}>
      <table className="usage-table">
        <thead>
          <tr>
            <th scope="col">{say(`usage.column.${dimension}`)}</th>
            <th scope="col">{say('usage.calls')}</th>
            <th scope="col">{say('usage.input')}</th>
            <th scope="col">{say('usage.output')}</th>
            <th scope="col">{say('usage.cached')}</th>
            <th scope="col">{say('usage.cost')}</th>
            <th scope="col">{say('usage.time')}</th>
          </tr>
        </thead>
        <tbody>
          {sums.map((sum) => (
            <tr key={sum.key}>
              <th scope="row">{nameOf(sum.key)}</th>
              <td>{number(sum.calls)}</td>
              <td>{number(sum.input)}</td>
              <td>{number(sum.output)}</td>
              <td>{number(sum.cached)}</td>
              <td
                title={sum.callsWithoutCost > 0 ? say('usage.withoutCost', { count: sum.callsWithoutCost }) : undefined}
              >
                {sum.usd === null ? say('usage.unknown') : `${sum.callsWithoutCost > 0 ? '≥ ' : ''}${money(sum.usd)}`}
              </td>
              <td>{duration(sum.ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
