import { useMemo } from 'react';
import { useWords } from '../../../words/words.ts';
import { separatorOf, tableOf } from '../table.ts';

const MOST_ROWS = 1_000;

/** CSV as a table; the first row is the heading. */
export function TableView({ path, text }: { path: string; text: string }) {
  const { say, number } = useWords();
  const { rows, isCut } = useMemo(() => tableOf(text, separatorOf(text, path), MOST_ROWS), [text, path]);
  const [head = [], ...body] = rows;
  return (
    <div className="csv-scroll" role="group" aria-label={path} tabIndex={0}>
      <table className="csv">
        <thead>
          <tr>{head.map((cell, at) => (cell === '' ? <td key={at} /> : <th key={at}>{cell}</th>))}</tr>
        </thead>
        <tbody>
          {body.map((row, place) => (
            <tr key={place}>
              {row.map((cell, at) => (
                <td key={at} data-number={isNumber(cell) || undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && <p className="files-limits small muted">{say('files.table.cut', { count: number(MOST_ROWS) })}</p>}
    </div>
  );
}

const isNumber = (cell: string): boolean => /^[-+]?[\d.,]+%?$/.test(cell.trim());
