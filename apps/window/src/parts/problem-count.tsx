import '../styles/problems.css';
import { useQuery } from '@tanstack/react-query';
import { CircleX, TriangleAlert } from 'lucide-react';
import { useParams } from 'react-router';
import { problemCountsQuery } from '../wire/language.ts';
import { useWords } from '../words/words.ts';

/** How many errors and warnings a file of the session has; nothing without any. */
export function ProblemCount({ path }: { path: string }) {
  const { say, number } = useWords();
  const { sessionId = '' } = useParams();
  const { data } = useQuery({
    ...problemCountsQuery(sessionId),
    enabled: sessionId !== '',
    select: (counts) => counts.get(path),
  });
  if (!data) return null;
  const { errors, warnings } = data;
  const words = [
    ...(errors > 0 ? [say('problems.errors', { count: errors })] : []),
    ...(warnings > 0 ? [say('problems.warnings', { count: warnings })] : []),
  ].join(', ');
  const Icon = errors > 0 ? CircleX : TriangleAlert;
  return (
    <span className="problem-count tabular small" data-tone={errors > 0 ? 'danger' : 'warning'} title={words}>
      <Icon size={12} aria-hidden />
      <span aria-hidden>{number(errors > 0 ? errors : warnings)}</span>
      <span className="unseen">{words}</span>
    </span>
  );
}
