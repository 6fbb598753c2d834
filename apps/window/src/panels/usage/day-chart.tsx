import { useId } from 'react';
import { useWords } from '../../words/words.ts';
import { type DayBar, type Metric, scaleTop } from './usage-sums.ts';
import { useDayWords, useMetricWords } from './use-metric-words.ts';

interface DayChartProps {
  bars: readonly DayBar[];
  /** In the order of their colours. */
  models: readonly string[];
  metric: Metric;
}

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 64;
const BOTTOM = 22;
const TOP = 16;
export const COLOURS = 6;

/** Bars by day, stacked by model; the table below has the same numbers. */
export function DayChart({ bars, models, metric }: DayChartProps) {
  const { say } = useWords();
  const dayWords = useDayWords();
  const words = useMetricWords();
  const id = useId();
  const top = scaleTop(Math.max(0, ...bars.map(({ value }) => value)));
  const step = (WIDTH - LEFT) / Math.max(1, bars.length);
  const heightOf = (value: number): number => (value / top) * (HEIGHT - BOTTOM - TOP);
  const every = Math.ceil(bars.length / 7);
  return (
    <figure className="usage-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
        <title id={id}>{say(`usage.chart.${metric}`)}</title>
        {[0, 0.5, 1].map((share) => {
          const y = HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
          return (
            <g key={share}>
              <line className="usage-line" x1={LEFT} x2={WIDTH} y1={y} y2={y} />
              <text className="usage-label" x={LEFT - 8} y={y + 4} textAnchor="end">
                {words(share * top, metric)}
              </text>
            </g>
          );
        })}
        {bars.map((bar, at) => {
          let y = HEIGHT - BOTTOM;
          return (
            <g key={bar.day}>
              <title>{`${dayWords(bar.day)}: ${words(bar.value, metric)}`}</title>
              <rect className="usage-hit" x={LEFT + at * step} y={TOP} width={step} height={HEIGHT - BOTTOM - TOP} />
              {bar.parts.map(({ key, value }) => {
                const height = Math.max(1, heightOf(value));
                y -= height;
                return (
                  <rect
                    key={key}
                    className="usage-bar"
                    data-colour={models.indexOf(key) % COLOURS}
                    x={LEFT + at * step + step * 0.15}
                    y={y}
                    width={step * 0.7}
                    height={height}
                  />
                );
              })}
              {at % every === 0 && (
                <text className="usage-label" x={LEFT + (at + 0.5) * step} y={HEIGHT - 6} textAnchor="middle">
                  {bar.day.slice(8)}/{bar.day.slice(5, 7)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption className="usage-legend small">
        {models.map((model, at) => (
          <span key={model}>
            <span className="usage-swatch" data-colour={at % COLOURS} aria-hidden /> {model || say('usage.noModel')}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
