import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useWords } from '../words/words.ts';

interface Dated {
  /** An address of the window. */
  to: string;
  title: string;
  /** ISO 8601; null while unknown. */
  at: string | null;
  children: ReactNode;
}

/** What an item of a list opens: its title and its age, and below them what else is known of it. */
export function DatedLink({ to, title, at, children }: Dated) {
  const { ago, date } = useWords();
  return (
    <Link className="dated-link" to={to}>
      <span className="dated-link-head">
        <span className="dated-link-title">{title}</span>
        {at && (
          <time className="small muted tabular" dateTime={at} title={date(at)}>
            {ago(at)}
          </time>
        )}
      </span>
      {children}
    </Link>
  );
}
