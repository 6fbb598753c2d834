import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { filePage, parseFileReference } from './file-reference.ts';

interface FileLinkProps {
  /** As it was written, perhaps with a line. */
  text: string;
  line?: number | undefined;
  children: ReactNode;
}

/** Opens a file of the session's folder, at the line; where there is no session, or no path, its words alone. */
export function FileLink({ text, line, children }: FileLinkProps) {
  const { sessionId } = useParams();
  const spot = parseFileReference(text);
  if (!sessionId || !spot) return <>{children}</>;
  return <Link to={filePage(sessionId, { path: spot.path, line: line ?? spot.line })}>{children}</Link>;
}
