import type { ReactNode } from 'react';
import { useWords } from '../words/words.ts';

interface CountMarkProps {
  icon: ReactNode;
  /** Nothing is shown for none. */
  count: number | null;
  label: (count: number) => string;
  className?: string;
}

/** An icon with a number, which its label explains. */
export function CountMark({ icon, count, label, className = '' }: CountMarkProps) {
  const { number } = useWords();
  if (!count) return null;
  return (
    <span className={`tabular ${className}`} role="img" aria-label={label(count)} title={label(count)}>
      {icon}
      {number(count)}
    </span>
  );
}
